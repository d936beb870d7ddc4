#include "engine/machines/fractional/pack/improve.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace berth::pack {

namespace {

constexpr int kMove = -1;  // in place of the other task

// A task on its host, with what it needs beside it: the search reads all of them.
struct Seat {
  double cpu;
  double amount;  // of memory
  int task;
};

struct Step {
  int task = kNoHost;        // leaves the most loaded host
  int other = kMove;         // takes its place
  int host = kNoHost;        // where `task` goes
  double load = kUnlimited;  // the larger of the two hosts
  // Moved in all after it, as parts of a host and as an amount.
  double moved = kUnlimited;
  double amount = 0;
};

class Improvement {
 public:
  Improvement(const Problem& problem, Budget& budget, Hosts hosts, double allowance)
      : problem_(problem),
        budget_(budget),
        hosts_(std::move(hosts)),
        load_(cpu_by_host(problem, hosts_)),
        amount_(amount_by_host(problem, hosts_)),
        seats_(problem.hosts),
        most_moved_(most_moved(problem, allowance)),
        moved_(pack::moved(problem, hosts_)),
        counts_moves_(has_present(problem)) {
    const auto& items = problem.items;
    const auto tasks = static_cast<std::size_t>(items.tasks());
    budget_.charge_each(tasks + seats_.size());
    for (auto& seats : seats_) seats.reserve(2 * (tasks / seats_.size() + 1));
    for (int task = 0; task < items.tasks(); ++task) {
      seats_[hosts_[task]].push_back({items.cpu(task), items.amount(task), task});
    }
  }

  // True if a step was made.
  bool step() {
    budget_.charge_each(2 * problem_.hosts);
    const auto most = std::max_element(load_.begin(), load_.end());
    if (*most <= 1) return false;
    source_ = static_cast<int>(most - load_.begin());
    best_ = {};
    // What does not fall by more than the tolerance is no step.
    best_.load = limit_ = *most - kCapEps;
    // Bounded: each host once, charged above; try_task() charges its tasks.
    for (int host = 0; host < problem_.hosts; ++host) {
      // Even the best swap leaves at least the mean of the two.
      if (host == source_ || (*most + load_[host]) / 2 > best_.load + kCapEps) continue;
      for (const auto& seat : seats_[source_]) try_task(seat, host);
    }
    if (best_.task == kNoHost) return false;
    apply();
    return true;
  }

  [[nodiscard]] Hosts& hosts() { return hosts_; }

 private:
  void try_task(const Seat& seat, int host) {
    const double most_amount =
        problem_.items.host_amount() + problem_.items.amount_slack();
    const double room = most_amount - amount_[host] - seat.amount;
    const double own_room = most_amount - amount_[source_] + seat.amount;
    if (room >= 0) {
      const double load = std::max(load_[source_] - seat.cpu, load_[host] + seat.cpu);
      consider({seat.task, kMove, host, load, 0, 0});
    }
    // Changes that leave both hosts with at most the best load, which each of several
    // equal steps may raise by the tolerance.
    const auto slack = static_cast<double>(seats_[host].size() + 1) * kCapEps;
    const double least = load_[source_] - best_.load - slack;
    const double most = best_.load - load_[host] + slack;
    budget_.charge_each(1 + seats_[host].size());
    for (const auto& other : seats_[host]) {
      const double change = seat.cpu - other.cpu;
      if (change <= 0 || change < least || change > most) continue;
      const double load = std::max(load_[source_] - change, load_[host] + change);
      if (load > best_.load + kCapEps) continue;
      if (room + other.amount < 0 || own_room - other.amount < 0) continue;
      consider({seat.task, other.task, host, load, 0, 0});
    }
  }

  void consider(Step step) {
    const bool is_first = best_.task == kNoHost;
    if (step.load >= limit_) return;
    if (!is_first && step.load > best_.load + kCapEps) return;
    if (counts_moves_) set_moved(step);
    if (step.amount > most_moved_) return;
    const bool is_better = step.load < best_.load - kCapEps;
    if (is_first || is_better || precedes(step)) best_ = step;
  }

  // Of two with the same load.
  [[nodiscard]] bool precedes(const Step& step) const {
    if (step.moved < best_.moved - kCapEps) return true;
    if (step.moved > best_.moved + kCapEps) return false;
    return std::tie(step.task, step.other, step.host) <
           std::tie(best_.task, best_.other, best_.host);
  }

  // What the tasks of a job that have moved need.
  [[nodiscard]] Moved moved_of(int job) const {
    budget_.charge_each(problem_.items.needs(job).tasks);
    const auto& items = problem_.items;
    const int tasks = moved_tasks(problem_, hosts_, job);
    return {tasks * items.needs(job).memory, tasks * items.amount(items.first(job))};
  }

  void set_moved(Step& step) {
    const auto& items = problem_.items;
    const int job = items.job(step.task);
    const int other = step.other == kMove ? job : items.job(step.other);
    const auto sum = [&] {
      auto both = moved_of(job);
      if (other == job) return both;
      const auto second = moved_of(other);
      both.memory += second.memory;
      both.amount += second.amount;
      return both;
    };
    const auto before = sum();
    hosts_[step.task] = step.host;
    if (step.other != kMove) hosts_[step.other] = source_;
    const auto after = sum();
    hosts_[step.task] = source_;
    if (step.other != kMove) hosts_[step.other] = step.host;
    step.moved = moved_.memory + after.memory - before.memory;
    step.amount = moved_.amount + after.amount - before.amount;
  }

  void apply() {
    transfer(best_.task, source_, best_.host);
    if (best_.other != kMove) transfer(best_.other, best_.host, source_);
    moved_.memory = best_.moved;
    moved_.amount = best_.amount;
    // From the start, so that no rounding adds up over the steps.
    // Bounded: there are two hosts.
    for (const int host : {source_, best_.host}) sum_up(host);
  }

  void transfer(int task, int from, int to) {
    hosts_[task] = to;
    const auto at =
        std::find_if(seats_[from].begin(), seats_[from].end(),
                     [task](const Seat& seat) { return seat.task == task; });
    seats_[to].push_back(*at);
    seats_[from].erase(at);
  }

  void sum_up(int host) {
    budget_.charge_each(1 + seats_[host].size());
    load_[host] = amount_[host] = 0;
    std::sort(seats_[host].begin(), seats_[host].end(),
              [](const Seat& a, const Seat& b) { return a.task < b.task; });
    for (const auto& seat : seats_[host]) {
      load_[host] += seat.cpu;
      amount_[host] += seat.amount;
    }
  }

  const Problem& problem_;
  Budget& budget_;
  Hosts hosts_;
  std::vector<double> load_;
  std::vector<double> amount_;
  std::vector<std::vector<Seat>> seats_;  // by host, by number of the task
  double most_moved_;                     // amount that may have moved in all
  Moved moved_;
  bool counts_moves_;
  int source_ = 0;
  double limit_ = 0;  // a step has a load below
  Step best_;
};

}  // namespace

Packing improved(const Problem& problem, Budget& budget, Packing packing,
                 double allowance) {
  if (!packing.packed()) return packing;
  auto effort = packing.effort;
  Improvement improvement(problem, budget, std::move(packing.hosts), allowance);
  // Bounded: step() charges what it looks at.
  while (improvement.step()) ++effort.steps;
  return packed(problem, std::move(improvement.hosts()), effort);
}

}  // namespace berth::pack

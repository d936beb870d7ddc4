#include "engine/pack/improve.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace berth::pack {

namespace {

constexpr int kMove = -1;  // in place of the other task

struct Step {
  int task = kNoHost;        // leaves the most loaded host
  int other = kMove;         // takes its place
  int host = kNoHost;        // where `task` goes
  double load = kUnlimited;  // the larger of the two hosts
  double moved = kUnlimited;
};

class Improvement {
 public:
  Improvement(const Problem& problem, Hosts hosts, double budget)
      : problem_(problem),
        hosts_(std::move(hosts)),
        load_(cpu_by_host(problem, hosts_)),
        memory_(memory_by_host(problem, hosts_)),
        tasks_(problem.hosts),
        budget_(budget),
        moved_(pack::moved(problem, hosts_).memory),
        counts_moves_(has_present(problem)) {
    for (int task = 0; task < problem.items.tasks(); ++task) {
      tasks_[hosts_[task]].push_back(task);
    }
  }

  // True if a step was made.
  bool step() {
    const auto most = std::max_element(load_.begin(), load_.end());
    if (*most <= 1) return false;
    source_ = static_cast<int>(most - load_.begin());
    best_ = {};
    // What does not fall by more than the tolerance is no step.
    best_.load = limit_ = *most - kCapEps;
    for (int host = 0; host < problem_.hosts; ++host) {
      // Even the best swap leaves at least the mean of the two.
      if (host == source_ || (*most + load_[host]) / 2 > best_.load + kCapEps) continue;
      for (const int task : tasks_[source_]) try_task(task, host);
    }
    if (best_.task == kNoHost) return false;
    apply();
    return true;
  }

  [[nodiscard]] Hosts& hosts() { return hosts_; }

 private:
  void try_task(int task, int host) {
    const auto& items = problem_.items;
    const double cpu = items.cpu(task);
    const double room = 1 + kCapEps - memory_[host] - items.memory(task);
    const double own_room = 1 + kCapEps - memory_[source_] + items.memory(task);
    if (room >= 0) {
      consider(
          {task, kMove, host, std::max(load_[source_] - cpu, load_[host] + cpu), 0});
    }
    for (const int other : tasks_[host]) {
      const double change = cpu - items.cpu(other);
      if (change <= 0) continue;
      const double load = std::max(load_[source_] - change, load_[host] + change);
      if (load > best_.load + kCapEps) continue;
      const double memory = items.memory(other);
      if (room + memory < 0 || own_room - memory < 0) continue;
      consider({task, other, host, load, 0});
    }
  }

  void consider(Step step) {
    const bool is_first = best_.task == kNoHost;
    if (step.load >= limit_) return;
    if (!is_first && step.load > best_.load + kCapEps) return;
    step.moved = counts_moves_ ? moved_after(step) : 0;
    if (step.moved > budget_ + kCapEps) return;
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

  [[nodiscard]] double job_memory(int job) const {
    return moved_tasks(problem_, hosts_, job) * problem_.items.needs(job).memory;
  }

  // The memory moved in all after this step.
  [[nodiscard]] double moved_after(const Step& step) {
    const auto& items = problem_.items;
    const int job = items.job(step.task);
    const int other = step.other == kMove ? job : items.job(step.other);
    const auto sum = [&] {
      return job_memory(job) + (other == job ? 0 : job_memory(other));
    };
    const double before = sum();
    hosts_[step.task] = step.host;
    if (step.other != kMove) hosts_[step.other] = source_;
    const double after = sum();
    hosts_[step.task] = source_;
    if (step.other != kMove) hosts_[step.other] = step.host;
    return moved_ + after - before;
  }

  void apply() {
    transfer(best_.task, source_, best_.host);
    if (best_.other != kMove) transfer(best_.other, best_.host, source_);
    moved_ = best_.moved;
    // From the start, so that no rounding adds up over the steps.
    for (const int host : {source_, best_.host}) sum_up(host);
  }

  void transfer(int task, int from, int to) {
    hosts_[task] = to;
    std::erase(tasks_[from], task);
    tasks_[to].push_back(task);
  }

  void sum_up(int host) {
    load_[host] = memory_[host] = 0;
    std::sort(tasks_[host].begin(), tasks_[host].end());
    for (const int task : tasks_[host]) {
      load_[host] += problem_.items.cpu(task);
      memory_[host] += problem_.items.memory(task);
    }
  }

  const Problem& problem_;
  Hosts hosts_;
  std::vector<double> load_;
  std::vector<double> memory_;
  std::vector<std::vector<int>> tasks_;  // by host, by number
  double budget_;
  double moved_;
  bool counts_moves_;
  int source_ = 0;
  double limit_ = 0;  // a step has a load below
  Step best_;
};

}  // namespace

Packing improved(const Problem& problem, Packing packing, double budget) {
  if (!packing.packed()) return packing;
  auto effort = packing.effort;
  Improvement improvement(problem, std::move(packing.hosts), budget);
  while (improvement.step()) ++effort.steps;
  return packed(problem, std::move(improvement.hosts()), effort);
}

}  // namespace berth::pack

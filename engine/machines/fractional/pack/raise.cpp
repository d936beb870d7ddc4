#include "engine/machines/fractional/pack/raise.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace berth::pack {

namespace {

// The CPU left of a host, and how many tasks of the job at hand it has; 0 between jobs.
struct HostLeft {
  double cpu;
  int tasks = 0;
};

// As far as the fullest of its hosts allows, each of which may hold several of its
// tasks.
void raise_one(const Problem& problem, Budget& budget, Packing& packing, int job,
               std::vector<HostLeft>& hosts) {
  const auto& items = problem.items;
  const auto begin = packing.hosts.begin() + items.first(job);
  const auto end = packing.hosts.begin() + items.first(job + 1);
  const double cpu = items.needs(job).cpu;
  budget.charge_each(3 * (end - begin));
  for (auto host = begin; host != end; ++host) ++hosts[*host].tasks;
  double most = 1 - packing.yields[job];
  for (auto host = begin; host != end; ++host) {
    const auto here = std::exchange(hosts[*host].tasks, 0);
    if (here > 0) most = std::min(most, hosts[*host].cpu / (cpu * here));
  }
  if (most <= 0) return;
  packing.yields[job] = std::min(1.0, packing.yields[job] + most);
  for (auto host = begin; host != end; ++host) hosts[*host].cpu -= cpu * most;
}

void raise_average(const Problem& problem, Budget& budget, Packing& packing) {
  budget.charge_each(problem.hosts);
  const auto& items = problem.items;
  std::vector<HostLeft> left;
  left.reserve(problem.hosts);
  for (const double load : cpu_by_host(problem, packing.hosts)) {
    left.push_back({1 - packing.yield * load});
  }
  std::vector<int> jobs(items.jobs());
  std::iota(jobs.begin(), jobs.end(), 0);
  std::stable_sort(jobs.begin(), jobs.end(), [&](int a, int b) {
    return items.needs(a).cpu * items.needs(a).tasks <
           items.needs(b).cpu * items.needs(b).tasks;
  });
  for (const int job : jobs) raise_one(problem, budget, packing, job, left);
}

class Rising {
 public:
  Rising(const Problem& problem, Budget& budget, Packing& packing)
      : problem_(problem),
        budget_(budget),
        packing_(packing),
        open_need_(cpu_by_host(problem, packing.hosts)),
        given_(problem.hosts, 0),
        is_open_(problem.items.jobs(), true) {}

  void run() {
    auto left = static_cast<int>(is_open_.size());
    while (left > 0) {
      budget_.charge_each(2 * problem_.hosts + problem_.items.tasks());
      const double level = next_level();
      const int closed = close(level);
      left -= closed;
      if (closed == 0) break;  // rounding: a host that is full by a hair
    }
  }

 private:
  // Of all open jobs: where the first host is full.
  [[nodiscard]] double host_level(int host) const {
    return open_need_[host] > kCapEps ? (1 - given_[host]) / open_need_[host] : 1;
  }
  [[nodiscard]] double next_level() const {
    double level = 1;
    // Bounded: each host once, which run() charges.
    for (int host = 0; host < problem_.hosts; ++host) {
      level = std::min(level, host_level(host));
    }
    return std::max(level, packing_.yield);
  }

  // Jobs that cannot rise above `level`; how many.
  int close(double level) {
    std::vector<bool> is_full(problem_.hosts);
    // Bounded: each host once, which run() charges.
    for (int host = 0; host < problem_.hosts; ++host) {
      is_full[host] = level >= 1 || host_level(host) <= level + kCapEps;
    }
    int closed = 0;
    const auto& items = problem_.items;
    // Bounded: each job and task once, which run() charges.
    for (int job = 0; job < items.jobs(); ++job) {
      if (!is_open_[job]) continue;
      packing_.yields[job] = level;
      const auto begin = packing_.hosts.begin() + items.first(job);
      const auto end = packing_.hosts.begin() + items.first(job + 1);
      if (std::none_of(begin, end, [&](int host) { return is_full[host]; })) continue;
      is_open_[job] = false;
      ++closed;
      // Bounded: the tasks of one job, once in all.
      for (auto host = begin; host != end; ++host) {
        open_need_[*host] -= items.needs(job).cpu;
        given_[*host] += items.needs(job).cpu * level;
      }
    }
    return closed;
  }

  const Problem& problem_;
  Budget& budget_;
  Packing& packing_;
  std::vector<double> open_need_;
  std::vector<double> given_;  // to jobs that rise no more
  std::vector<bool> is_open_;
};

}  // namespace

std::optional<Raising> raising(std::string_view name) {
  if (name == "average") return Raising::kAverage;
  if (name == "max_min") return Raising::kMaxMin;
  if (name == "none") return Raising::kNone;
  return std::nullopt;
}

Packing raised(const Problem& problem, Budget& budget, Packing packing, Raising how) {
  packing.yield = common_yield(problem, packing.hosts);
  packing.yields.assign(problem.items.jobs(), packing.yield);
  if (how == Raising::kAverage) raise_average(problem, budget, packing);
  if (how == Raising::kMaxMin) Rising(problem, budget, packing).run();
  return packing;
}

}  // namespace berth::pack

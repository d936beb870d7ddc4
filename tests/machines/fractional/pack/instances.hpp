#pragma once
// Instances for the tests of pack/: those that a person can check, and random ones.

#include <boost/random/uniform_int_distribution.hpp>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

// Without limits.
inline Budget budget;

// Jobs of one task, numbered from 1 in this order.
inline Problem single_tasks(int hosts, const std::vector<double>& cpus,
                            const std::vector<double>& memories,
                            const Hosts& present = {}) {
  std::vector<JobNeeds> jobs;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    jobs.push_back({static_cast<std::int64_t>(i) + 1, 1, cpus[i], memories[i]});
  }
  return {Items(std::move(jobs)), hosts, present};
}

// Five jobs on two hosts, at which the packers part.
inline Problem five_jobs() {
  return single_tasks(2, {0.8, 0.7, 0.5, 0.4, 0.4}, {0.4, 0.2, 0.4, 0.2, 0.5});
}
inline Problem other_five_jobs() {
  return single_tasks(2, {0.4, 0.2, 0.3, 0.7, 0.7}, {0.4, 0.2, 0.4, 0.3, 0.5});
}

// 1 to 14 tasks on 1 to 5 hosts; half of the instances in tenths, so that ties occur, a
// third of them with jobs of several tasks.
class RandomInstances {
 public:
  explicit RandomInstances(std::string_view name) : engine_(random_stream(1, name)) {}

  int whole(int low, int high) {
    return boost::random::uniform_int_distribution<int>(low, high)(engine_);
  }

  Problem next(int most_tasks = 14, int most_hosts = 5) {
    const bool is_in_tenths = whole(0, 1) == 0;
    const bool is_parallel = whole(0, 2) == 0;
    const auto need = [&](int low, int high) {
      return is_in_tenths ? whole(low, high) / 10.0
                          : (low + (high - low) * uniform(engine_)) / 10.0;
    };
    const int tasks = whole(1, most_tasks);
    const int hosts = whole(1, most_hosts);
    std::vector<JobNeeds> jobs;
    for (int left = tasks; left > 0; left -= jobs.back().tasks) {
      const int size = is_parallel ? whole(1, std::min(left, 4)) : 1;
      jobs.push_back({static_cast<std::int64_t>(jobs.size()), size, need(1, 10),
                      need(0, whole(1, 10))});
    }
    return {Items(std::move(jobs)), hosts, {}};
  }

 private:
  RandomEngine engine_;
};

inline bool is_feasible(const Problem& problem, const Packing& packing) {
  if (packing.hosts.size() != static_cast<std::size_t>(problem.items.tasks())) {
    return false;
  }
  for (const int host : packing.hosts) {
    if (host < 0 || host >= problem.hosts) return false;
  }
  for (const double memory : memory_by_host(problem, packing.hosts)) {
    if (memory > 1 + 2e-9) return false;
  }
  std::vector<double> given(problem.hosts, 0.0);
  for (int task = 0; task < problem.items.tasks(); ++task) {
    const double yield = packing.yields[problem.items.job(task)];
    if (!(yield >= packing.yield - 1e-12 && yield <= 1)) return false;
    given[packing.hosts[task]] += yield * problem.items.cpu(task);
  }
  for (const double share : given) {
    if (share > 1 + 1e-9) return false;
  }
  return true;
}

// Calls `visit` with every placement that fits in memory: hosts ^ tasks at most.
template <class Visit>
void for_each_placement(const Problem& problem, Visit visit) {
  Hosts hosts(problem.items.tasks(), 0);
  while (true) {
    bool fits = true;
    for (const double memory : memory_by_host(problem, hosts)) {
      fits = fits && memory <= 1 + kCapEps;
    }
    if (fits) visit(hosts);
    std::size_t task = 0;
    while (task < hosts.size() && ++hosts[task] == problem.hosts) hosts[task++] = 0;
    if (task == hosts.size()) return;
  }
}

// The largest common yield of all placements; 0 if none fits.
inline double best_by_enumeration(const Problem& problem) {
  double best = 0;
  for_each_placement(problem, [&](const Hosts& hosts) {
    best = std::max(best, common_yield(problem, hosts));
  });
  return best;
}

}  // namespace berth::pack

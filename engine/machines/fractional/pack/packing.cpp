#include "engine/machines/fractional/pack/packing.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

#include "engine/base/amount.hpp"
#include "engine/base/time.hpp"

// Bounded in this file: each function passes the tasks of one packing once, for which
// the search for it charged more.

namespace berth::pack {

namespace {

std::vector<double> by_host(const Problem& problem, const Hosts& hosts,
                            std::span<const double> amounts) {
  std::vector<double> sums(problem.hosts, 0.0);
  for (std::size_t task = 0; task < hosts.size(); ++task) {
    if (hosts[task] != kNoHost) sums[hosts[task]] += amounts[task];
  }
  return sums;
}

// Tasks that have a host in `before` and another one in `after`.
int moved_between(std::vector<int> before, std::vector<int> after) {
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  std::vector<int> stay;
  std::set_intersection(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(stay));
  const auto count = [](const std::vector<int>& hosts) {
    return static_cast<int>(hosts.size() -
                            std::count(hosts.begin(), hosts.end(), kNoHost));
  };
  return count(before) - count(stay);
}

// Tasks of `job` that `hosts` puts on `host`.
int count_on(const Items& items, const Hosts& hosts, int job, int host) {
  return static_cast<int>(std::count(hosts.begin() + items.first(job),
                                     hosts.begin() + items.first(job + 1), host));
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  constexpr std::array<std::string_view, 6> kNames = {
      "packed", "no_packing", "memory", "too_big", "limit", "no_solver"};
  return kNames.at(static_cast<std::size_t>(outcome));
}

double Packing::mean_yield() const {
  if (yields.empty()) return 1;
  return std::accumulate(yields.begin(), yields.end(), 0.0) /
         static_cast<double>(yields.size());
}

Packing packed(const Problem& problem, Hosts hosts, Effort effort) {
  Packing packing{Outcome::kPacked, std::move(hosts), 1, {}, effort};
  packing.yield = common_yield(problem, packing.hosts);
  packing.yields.assign(problem.items.jobs(), packing.yield);
  return packing;
}

Packing failed(Outcome outcome, Effort effort) { return {outcome, {}, 0, {}, effort}; }

std::vector<double> cpu_by_host(const Problem& problem, const Hosts& hosts) {
  return by_host(problem, hosts, problem.items.cpus());
}

std::vector<double> memory_by_host(const Problem& problem, const Hosts& hosts) {
  return by_host(problem, hosts, problem.items.memories());
}

std::vector<double> amount_by_host(const Problem& problem, const Hosts& hosts) {
  return by_host(problem, hosts, problem.items.amounts());
}

bool keeps_memory(const Problem& problem, const Hosts& hosts) {
  const auto amounts = amount_by_host(problem, hosts);
  const double most = problem.items.host_amount() + problem.items.amount_slack();
  return std::all_of(amounts.begin(), amounts.end(),
                     [most](double amount) { return amount <= most; });
}

double common_yield(const Problem& problem, const Hosts& hosts) {
  double most = 1;
  for (const double load : cpu_by_host(problem, hosts)) most = std::max(most, load);
  return 1 / most;
}

std::optional<Outcome> cannot_fit(const Problem& problem) {
  const auto& items = problem.items;
  const double most = items.host_amount() + items.amount_slack();
  for (const double amount : items.amounts()) {
    if (amount > most) return Outcome::kTooBig;
  }
  if (items.host_units() > 0) {
    Int128 wanted = 0;
    for (int job = 0; job < items.jobs(); ++job) {
      wanted += Int128{items.needs(job).tasks} * items.needs(job).units;
    }
    const bool is_enough = wanted <= Int128{problem.hosts} * items.host_units();
    return is_enough ? std::nullopt : std::optional(Outcome::kMemory);
  }
  // Each host may exceed its memory by the tolerance.
  const double room = problem.hosts * (1 + kCapEps);
  if (items.total_memory() > room + kCapEps) return Outcome::kMemory;
  return std::nullopt;
}

std::optional<double> relaxed_bound(const Problem& problem) {
  if (cannot_fit(problem)) return std::nullopt;
  if (problem.items.tasks() == 0) return 1;
  return std::min(1.0, problem.hosts / problem.items.total_cpu());
}

int moved_tasks(const Problem& problem, const Hosts& hosts, int job) {
  const auto& [items, count, present] = problem;
  if (present.empty()) return 0;
  const int first = items.first(job);
  const int end = items.first(job + 1);
  constexpr int kFew = 8;
  if (end - first > kFew) {
    return moved_between({present.begin() + first, present.begin() + end},
                         {hosts.begin() + first, hosts.begin() + end});
  }
  int left = 0;
  for (int task = first; task < end; ++task) {
    const int host = present[task];
    if (host == kNoHost || host == hosts[task]) continue;
    // Each host that the job had, once: at the first of its tasks that leaves it.
    bool is_first = true;
    for (int other = first; other < task && is_first; ++other) {
      is_first = present[other] != host || hosts[other] == host;
    }
    if (!is_first) continue;
    left += std::max(
        0, count_on(items, present, job, host) - count_on(items, hosts, job, host));
  }
  return left;
}

Moved moved(const Problem& problem, const Hosts& hosts) {
  Moved sum;
  for (int job = 0; job < problem.items.jobs(); ++job) {
    const int tasks = moved_tasks(problem, hosts, job);
    sum.memory += tasks * problem.items.needs(job).memory;
    if (tasks == 0) continue;
    sum.amount += tasks * problem.items.amount(problem.items.first(job));
    ++sum.jobs;
  }
  return sum;
}

double most_moved(const Problem& problem, double allowance) {
  const auto units = problem.items.host_units();
  if (units == 0) return allowance + kCapEps;
  // Above 2^52 units the double itself is a whole number.
  if (allowance * static_cast<double>(units) >= static_cast<double>(kMostAmount)) {
    return allowance * static_cast<double>(units);
  }
  return static_cast<double>(whole_units(allowance, units));
}

bool has_present(const Problem& problem) {
  return std::any_of(problem.present.begin(), problem.present.end(),
                     [](int host) { return host != kNoHost; });
}

}  // namespace berth::pack

#include "engine/workload/fill.hpp"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <utility>

#include "engine/base/random_stream.hpp"

namespace berth {

namespace {

using DrawnJobs = std::vector<std::uint32_t>;

std::size_t index_below(std::size_t count, RandomEngine& engine) {
  return boost::random::uniform_int_distribution<std::size_t>(0, count - 1)(engine);
}

void shuffle_indices(DrawnJobs& indices, RandomEngine& engine, Budget& budget) {
  budget.charge_each(indices.size());
  for (auto left = indices.size(); left > 1; --left) {
    std::swap(indices[left - 1], indices[index_below(left, engine)]);
  }
}

// The jobs by (name, number).
DrawnJobs by_name(const Workload& workload, std::span<const std::string_view> names,
                  Budget& budget) {
  DrawnJobs order(workload.jobs.size());
  std::iota(order.begin(), order.end(), 0U);
  budget.charge_sort(order.size());
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (!names.empty() && names[a] != names[b]) return names[a] < names[b];
    return workload.jobs[a].id < workload.jobs[b].id;
  });
  return order;
}

// Adds jobs, or takes them from the end, which is no other than to take any: the order
// is drawn.
void reach_demand(DrawnJobs& arrivals, const FillDemand& demand,
                  const FillSettings& settings, Budget& budget) {
  const auto goal = settings.fill * static_cast<double>(demand.machine);
  double asked = 0;
  budget.charge_each(arrivals.size());
  for (const auto each : arrivals) asked += static_cast<double>(demand.jobs[each].all);
  while (asked > goal) {
    asked -= static_cast<double>(demand.jobs[arrivals.back()].all);
    arrivals.pop_back();
    if (asked <= goal) return;
  }
  auto engine = random_stream(settings.seed, "workload.fill.draw");
  for (;;) {
    budget.charge();
    const auto drawn = index_below(demand.jobs.size(), engine);
    const auto& [all, of_one] = demand.jobs[drawn];
    if (asked + static_cast<double>(of_one) > goal) return;
    asked += static_cast<double>(all);
    arrivals.push_back(static_cast<std::uint32_t>(drawn));
  }
}

}  // namespace

void fill_machine(Workload& workload, std::span<const std::string_view> names,
                  const FillDemand& demand, const FillSettings& settings,
                  Budget& budget) {
  auto arrivals = by_name(workload, names, budget);
  auto engine = random_stream(settings.seed, "workload.fill.order");
  shuffle_indices(arrivals, engine, budget);
  reach_demand(arrivals, demand, settings, budget);
  if (settings.order == FillOrder::kShuffled) shuffle_indices(arrivals, engine, budget);
  select_jobs(workload, arrivals, budget);
  std::int64_t number = 0;
  budget.charge_each(workload.jobs.size());
  for (auto& job : workload.jobs) {
    job.id = ++number;
    job.submit = seconds(number);
  }
}

}  // namespace berth

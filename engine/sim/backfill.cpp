#include "engine/sim/backfill.hpp"

#include <algorithm>

namespace berth::sim {

namespace {

// Starts members in order; the first that does not fit.
std::optional<Place> start_in_order(Simulation& simulation, std::size_t order) {
  const auto& queue = simulation.queue(order);
  auto head = queue.next_if(nullptr, simulation.hosts().idle());
  while (head && simulation.start(head->job)) {
    head = queue.next_if(nullptr, simulation.hosts().idle());
  }
  return queue.head();
}

}  // namespace

std::optional<PlanId> backfill(Simulation& simulation, std::size_t order,
                               std::optional<std::int64_t> depth) {
  const auto head = start_in_order(simulation, order);
  if (!head) return std::nullopt;
  const auto reserved = simulation.reserve(head->job);
  if (!reserved) return std::nullopt;
  const auto& plan = simulation.plan(reserved.value());
  const auto& queue = simulation.queue(order);
  std::optional<Place> limit;
  if (depth) limit = *depth > 0 ? queue.nth_behind(*head, *depth) : head;
  Place last = *head;
  const Duration reach = plan.start - simulation.now();
  for (auto idle = simulation.hosts().idle(); idle > 0;
       idle = simulation.hosts().idle()) {
    const auto found = queue.next(&last, {reach, idle}, std::min(plan.spare, idle));
    if (!found || (limit && *limit < *found)) break;
    last = *found;
    (void)simulation.start(found->job);
  }
  return reserved.value();
}

}  // namespace berth::sim

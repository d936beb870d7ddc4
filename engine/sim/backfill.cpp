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

// The first member behind `last` who may start beside the plan.
std::optional<Place> next_beside(const Simulation& simulation, std::size_t order,
                                 const Plan& plan, const Place& last) {
  const auto idle = simulation.hosts().idle();
  if (idle == 0) return std::nullopt;
  return simulation.queue(order).next(&last, {plan.start - simulation.now(), idle},
                                      std::min(plan.spare, idle));
}

}  // namespace

std::optional<PlanId> backfill(Simulation& simulation, std::size_t order,
                               std::optional<std::int64_t> depth) {
  const auto* seen = simulation.outlook(order);
  const auto head =
      seen ? std::optional(seen->head) : start_in_order(simulation, order);
  if (!head) return std::nullopt;
  const auto reserved = simulation.reserve(head->job);
  if (!reserved) return std::nullopt;
  const auto& plan = simulation.plan(reserved.value());
  std::optional<Place> limit;
  if (depth) {
    limit = *depth > 0 ? simulation.queue(order).nth_behind(*head, *depth) : head;
  }
  auto found =
      seen ? std::optional(seen->next) : next_beside(simulation, order, plan, *head);
  while (found && (!limit || *found <= *limit)) {
    (void)simulation.start(found->job);
    found = next_beside(simulation, order, plan, *found);
  }
  return reserved.value();
}

}  // namespace berth::sim

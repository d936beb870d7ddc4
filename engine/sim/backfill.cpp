#include "engine/sim/backfill.hpp"

namespace berth::sim {

namespace {

// Starts members in order; the first that does not fit.
std::optional<Place> start_in_order(Simulation& simulation, std::size_t order) {
  auto startable = Selection::startable(order);
  while (const auto job = startable.next(simulation))
    (void)simulation.actions().start(*job);
  return simulation.queue(order).head();
}

}  // namespace

std::optional<PlanId> backfill(Simulation& simulation, std::size_t order,
                               std::int64_t depth) {
  require_plans(simulation.world(), "backfill");
  const auto head = start_in_order(simulation, order);
  if (!head) return std::nullopt;
  const auto reserved = simulation.actions().reserve(head->job);
  if (!reserved) return std::nullopt;
  const auto plan = reserved.value();
  auto members = Selection::backfillable(simulation, order, {&plan, 1}, depth);
  while (const auto job = members.next(simulation))
    (void)simulation.actions().start(*job);
  return plan;
}

}  // namespace berth::sim

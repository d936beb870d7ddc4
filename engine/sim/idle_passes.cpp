#include "engine/sim/idle_passes.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/base/error.hpp"

namespace berth::sim {

bool IdlePasses::may_be_left_out() const {
  return world_.traits().passes == Passes::kWhenAJobFits &&
         (world_.decision().causes & kWoken) == 0 && !orders_.is_refresh_due() &&
         !any_fits();
}

bool IdlePasses::any_fits() const {
  const auto& queue = orders_.queue(0);
  const auto idle = world_.hosts().most();
  if (!queue.has_up_to(idle)) return false;
  if (world_.hosts().traits().fits_by_count) return true;
  const Staircase under(idle);
  for (auto at = queue.next(nullptr, under); at; at = queue.next(&*at, under)) {
    if (world_.fits(at->job)) return true;
  }
  return false;
}

// Counts a pass that follows neither an end nor an arrival.
void IdlePasses::count_between() {
  const auto& decision = world_.decision();
  const auto& agenda = world_.agenda();
  const auto before = std::exchange(in_system_, world_.in_system());
  if (before != in_system_ || agenda.goes_on()) {
    idle_passes_ = 0;
    return;
  }
  const bool acts = decision.actions != 0;
  const bool is_asked_for = (decision.causes & kWoken) != 0;
  // The clock made this pass, or an event that the policy leaves alone ends the wait.
  if (!acts && (!is_asked_for || agenda.awaits_event())) return;
  if (++idle_passes_ < world_.settings().idle_passes_in_a_row) return;
  stand_still(acts ? "without an event or a job that gets on; the policy suspends and "
                     "starts jobs, no more"
                   : "without an action or an event; the policy wakes itself but does "
                     "nothing");
}

void IdlePasses::stand_still(const char* how) const {
  throw Error(ErrorCode::kTime,
              fmt::format("{}: the run stands still at t={}: {} passes in a row {}",
                          world_.traits().label, seconds_text(world_.now()),
                          idle_passes_, how));
}

}  // namespace berth::sim

#include "engine/sim/idle_passes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth::sim {

bool IdlePasses::may_be_left_out() const {
  return world_.traits().passes == Passes::kWhenAJobFits &&
         (world_.decision().causes & kWoken) == 0 && !orders_.is_refresh_due() &&
         !any_fits();
}

bool IdlePasses::any_fits() const {
  const auto& queue = orders_.queue(0);
  const auto idle = world_.hosts().idle();
  if (!queue.has_up_to(idle)) return false;
  if (world_.hosts().fits_by_count()) return true;
  const Staircase under(idle);
  for (auto at = queue.next(nullptr, under); at; at = queue.next(&*at, under)) {
    if (world_.fits(at->job)) return true;
  }
  return false;
}

void IdlePasses::count() {
  const auto& decision = world_.decision();
  if ((decision.causes & (kEnd | kSubmit)) != 0) {  // as many of these as jobs
    idle_passes_ = 0;
    return;
  }
  if (instant_ != world_.now()) {
    instant_ = world_.now();
    passes_at_instant_ = 0;
  }
  ++passes_at_instant_;
  const bool only_woken = (decision.causes & ~kWoken) == 0;
  const bool idles = decision.actions == 0 && only_woken;
  idle_passes_ = idles || is_stuck() ? idle_passes_ + 1 : 0;
  const auto& settings = world_.settings();
  if (passes_at_instant_ > settings.passes_at_one_instant) {
    stand_still(passes_at_instant_,
                "at this instant; the policy wakes itself but does nothing");
  }
  if (idle_passes_ < settings.idle_passes_in_a_row) return;
  stand_still(idle_passes_, idles ? "in a row without an action or an event; "
                                    "the policy wakes itself but does nothing"
                                  : "in a row without an event or a job that gets on; "
                                    "the policy suspends and starts jobs, no more");
}

// Whether no running job makes progress, whatever the policy does.
bool IdlePasses::is_stuck() const {
  if ((world_.decision().causes & ~(kWoken | kUnfrozen)) != 0) return false;
  const auto running = world_.running().releases(world_.now());
  const auto queued = static_cast<std::int64_t>(orders_.queue(0).length());
  const auto known = queued + static_cast<std::int64_t>(running.size());
  if (world_.in_system() > known) return false;  // some run without an expected end
  return std::all_of(running.begin(), running.end(), [this](const Release& each) {
    return world_.jobs()[each.job].frozen;
  });
}

void IdlePasses::stand_still(std::int64_t passes, const char* how) const {
  throw Error(
      ErrorCode::kTime,
      fmt::format("{}: the run stands still at t={}: {} passes {}",
                  world_.traits().label, seconds_text(world_.now()), passes, how));
}

}  // namespace berth::sim

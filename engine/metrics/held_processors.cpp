#include "engine/metrics/held_processors.hpp"

#include <algorithm>
#include <utility>

namespace berth {

void HeldProcessors::take(JobId job, const Placement& placement) {
  auto& holding = jobs_.open(job);
  if (const auto* set = std::get_if<IntervalSet>(&placement)) {
    used_ += holding.count = set->count();
    return;
  }
  const auto& seat = std::get<TierSeat>(placement);
  holding.tier = seat.tier;
  holding.slots = seat.processors;
  slots_[static_cast<std::size_t>(seat.tier)] +=
      static_cast<std::int64_t>(seat.processors.size());
  const auto last = *std::max_element(seat.processors.begin(), seat.processors.end());
  if (std::cmp_less_equal(tiers_in_use_.size(), last)) {
    tiers_in_use_.resize(static_cast<std::size_t>(last) + 1);
  }
  for (const auto number : seat.processors) {
    if (tiers_in_use_[static_cast<std::size_t>(number)]++ == 0) ++used_;
  }
}

void HeldProcessors::release(JobId job) {
  const auto& holding = jobs_[job];
  used_ -= holding.count;
  slots_[static_cast<std::size_t>(holding.tier)] -=
      static_cast<std::int64_t>(holding.slots.size());
  for (const auto number : holding.slots) {
    if (--tiers_in_use_[static_cast<std::size_t>(number)] == 0) --used_;
  }
  jobs_.close(job);
}

}  // namespace berth

#include "engine/hosts/machine_windows.hpp"

namespace berth {

void KnownWindows::read(Time now) const {
  known_.clear();
  next_change_ = kNever;
  // Bounded: the windows of one machine, at each announcement and end of one.
  for (const auto& each : *all_) {
    if (each.is_known(now)) known_.push_back(&each);
    const Time change = each.announced > now ? each.announced : each.to;
    if (change > now) next_change_ = std::min(next_change_, change);
  }
  std::stable_sort(known_.begin(), known_.end(),
                   [](const auto* a, const auto* b) { return a->from < b->from; });
}

}  // namespace berth

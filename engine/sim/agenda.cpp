#include "engine/sim/agenda.hpp"

namespace berth::sim {

void Agenda::set_wake(std::optional<Time> time) {
  wake_ = time;
  wake_version_ = next_version(wake_version_);
  may_hold_void_ = true;
  if (time) add({*time, EventKind::kWake, 0, wake_version_});
}

// Keeps the memory bounded where a script cancels without end within one decision.
void Agenda::drop_many_void() {
  constexpr std::size_t kFew = 1024;
  constexpr std::size_t kVoidPerLive = 4;
  if (events_.size() <= kFew + kVoidPerLive * live_at_most_) return;
  events_.drop_if([this](const Event& each) { return is_void(each); });
  live_at_most_ = events_.size();
}

}  // namespace berth::sim

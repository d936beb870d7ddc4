#include "engine/jobs/barred_time.hpp"

namespace berth {

void BarredTime::set_room(Set set, std::int64_t room, Time now) {
  if (set >= sets_.size()) sets_.resize(set + 1);
  auto& rooms = sets_[set];
  if (rooms.room == room) return;
  const bool bars_some = rooms.room != LimitCounts::kAnySize && now > rooms.since;
  if (bars_some) rooms.before[rooms.room] += now - rooms.since;
  rooms.room = room;
  rooms.since = now;
}

// For how long the set had less room than this, so far.
Duration BarredTime::below(Set set, std::int64_t size, Time now) const {
  const auto& rooms = sets_[set];
  Duration sum = rooms.room < size ? now - rooms.since : 0;
  for (const auto& [room, lasted] : rooms.before) {
    if (room >= size) break;
    sum += lasted;
  }
  return sum;
}

void BarredTime::enter(JobId job, Set set, std::int64_t size, Time now) {
  if (const auto so_far = below(set, size, now); so_far > 0) at_entry_[job] = so_far;
}

void BarredTime::leave(JobId job, Set set, std::int64_t size, Time now) {
  if (const auto at = outside_.find(job); at != outside_.end()) {
    total_ += now - at->second;
    outside_.erase(at);
    return;
  }
  total_ += below(set, size, now);
  const auto at = at_entry_.find(job);
  if (at == at_entry_.end()) return;
  total_ -= at->second;
  at_entry_.erase(at);
}

void BarredTime::go_outside(JobId job, Set set, std::int64_t size, Time now) {
  leave(job, set, size, now);
  outside_.emplace(job, now);
}

void BarredTime::come_inside(JobId job, Set set, std::int64_t size, Time now) {
  const auto at = outside_.find(job);
  if (at == outside_.end()) return;
  total_ += now - at->second;
  outside_.erase(at);
  enter(job, set, size, now);
}

}  // namespace berth

#include "engine/reserve/pool_calendar.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

PoolCalendar::PoolCalendar(const SeveralKinds& machine, Time now, Budget& budget)
    : machine_(machine), budget_(budget) {
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < machine.kinds().size(); ++kind) {
    const auto capacity = machine.kinds()[kind].capacity;
    if (capacity == 0) continue;
    kinds_.push_back({kind, Profile(now, capacity)});
  }
}

void PoolCalendar::reset(Time now, std::span<const Held> held) {
  for (auto& [kind, profile] : kinds_) {
    taken_.clear();
    budget_.charge_each(held.size());
    for (const auto& each : held) {
      const auto amount = machine_.need(each.job)[kind];
      if (amount > 0) taken_.push_back({each.until, amount});
    }
    profile.reset(now, taken_);
  }
}

void PoolCalendar::advance(Time now) {
  // Bounded: at most 16 kinds.
  for (auto& each : kinds_) each.profile.advance(now);
}

void PoolCalendar::begin_round() {
  // Bounded: at most 16 kinds.
  for (auto& each : kinds_) each.profile.begin_round();
}

template <class Call>
void PoolCalendar::for_needed(JobId job, const Call& call) {
  const auto need = machine_.need(job);
  // Bounded: at most 16 kinds are passed.
  for (auto& [kind, profile] : kinds_) {
    if (need[kind] > 0) call(profile, need[kind]);
  }
}

std::optional<Time> PoolCalendar::earliest(JobId job, Duration length,
                                           Time from) const {
  return first_for_all(kinds_, machine_.need(job), from,
                       [&](const Profile& profile, std::int64_t amount, Time start) {
                         return profile.earliest(amount, length, start);
                       });
}

// A claim that can move forward now could not before, so some kind gained room for it.
std::optional<Time> PoolCalendar::earlier(JobId job, Duration length, Time held) {
  bool has_gained = false;
  for_needed(job, [&](const Profile& profile, std::int64_t amount) {
    has_gained = has_gained || profile.has_gained(amount, held);
  });
  const Time now = kinds_.front().profile.start();
  if (!has_gained || held <= now) return std::nullopt;
  return first_for_all(kinds_, machine_.need(job), now,
                       [&](const Profile& profile, std::int64_t amount, Time start) {
                         return profile.earliest_before(amount, length, start, held);
                       });
}

bool PoolCalendar::fits_at(JobId job, Duration length, Time now, Time held) {
  return held > now && has_room(job, now, std::min(held, after(now, length)));
}

void PoolCalendar::move(JobId job, Duration length, Time held, Time start) {
  for_needed(job, [&](Profile& profile, std::int64_t amount) {
    profile.move({amount, length, held}, start);
  });
}

void PoolCalendar::claim(JobId job, Time from, Time to) {
  for_needed(job, [&](Profile& profile, std::int64_t amount) {
    profile.claim(amount, from, to);
  });
}

void PoolCalendar::release(JobId job, Time from, Time to) {
  for_needed(job, [&](Profile& profile, std::int64_t amount) {
    profile.release(amount, from, to);
  });
}

bool PoolCalendar::has_room(JobId job, Time from, Time to) const {
  return berth::has_room(kinds_, machine_.need(job), from, to);
}

bool PoolCalendar::is_overbooked(Time from, Time to) const {
  return berth::is_overbooked(kinds_, from, to);
}

}  // namespace berth

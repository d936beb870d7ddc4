#include "engine/reserve/pool_calendar.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

PoolCalendar::PoolCalendar(const SeveralKinds& machine, Time now) : machine_(machine) {
  for (std::size_t kind = 0; kind < machine.kinds().size(); ++kind) {
    const auto capacity = machine.kinds()[kind].capacity;
    if (capacity == 0) continue;
    kinds_.push_back(kind);
    profiles_.emplace_back(now, capacity);
  }
}

void PoolCalendar::reset(Time now, std::span<const Held> held) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    taken_.clear();
    for (const auto& each : held) {
      const auto amount = machine_.need(each.job)[kinds_[i]];
      if (amount > 0) taken_.push_back({each.until, amount});
    }
    profiles_[i].reset(now, taken_);
  }
}

void PoolCalendar::advance(Time now) {
  for (auto& profile : profiles_) profile.advance(now);
}

void PoolCalendar::begin_round() {
  for (auto& profile : profiles_) profile.begin_round();
}

template <class Suits>
std::optional<Time> PoolCalendar::first_for_all(JobId job, Time from,
                                                const Suits& suits) const {
  const auto need = machine_.need(job);
  std::size_t agreed = 0;
  for (std::size_t i = 0; agreed < kinds_.size(); i = (i + 1) % kinds_.size()) {
    ++agreed;
    const auto amount = need[kinds_[i]];
    if (amount == 0) continue;
    const auto start = suits(profiles_[i], amount, from);
    if (!start) return std::nullopt;
    if (*start == from) continue;
    from = *start;
    agreed = 1;
  }
  return from;
}

template <class Call>
void PoolCalendar::for_needed(JobId job, const Call& call) {
  const auto need = machine_.need(job);
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (need[kinds_[i]] > 0) call(profiles_[i], need[kinds_[i]]);
  }
}

std::optional<Time> PoolCalendar::earliest(JobId job, Duration length,
                                           Time from) const {
  return first_for_all(job, from,
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
  const Time now = profiles_.front().start();
  if (!has_gained || held <= now) return std::nullopt;
  return first_for_all(job, now,
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
  const auto need = machine_.need(job);
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const auto amount = need[kinds_[i]];
    if (amount > 0 && profiles_[i].least(from, to) < amount) return false;
  }
  return true;
}

bool PoolCalendar::is_overbooked(Time from, Time to) const {
  return std::any_of(profiles_.begin(), profiles_.end(), [&](const Profile& profile) {
    return profile.least(from, to) < 0;
  });
}

}  // namespace berth

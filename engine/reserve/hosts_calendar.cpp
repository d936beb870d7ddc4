#include "engine/reserve/hosts_calendar.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/reserve/pool_calendar.hpp"

namespace berth {

HostsCalendar::HostsCalendar(const SeveralKinds& machine, Time now, Budget& budget)
    : machine_(machine), budget_(budget), now_(now) {
  const auto kinds = machine.kinds();
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].is_on_hosts || kinds[kind].capacity == 0) continue;
    wide_.push_back({kind, Profile(now, kinds[kind].capacity)});
  }
  hosts_.resize(machine.room().hosts());
  budget_.charge_each(hosts_.size());
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    // Bounded: at most 16 kinds.
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      if (!kinds[kind].is_on_hosts) continue;
      const auto size = machine.size_on(static_cast<std::int32_t>(i), kind);
      if (size > 0) hosts_[i].kinds.push_back({kind, Profile(now, size)});
    }
  }
}

void HostsCalendar::reset(Time now, std::span<const Held> held) {
  now_ = now;
  for_each_profile([now](Profile& profile) { profile.reset(now, {}); });
  // Bounded: claim() charges each host.
  for (const auto& each : held) claim(each.job, now, each.until);
}

void HostsCalendar::advance(Time now) {
  now_ = now;
  for_each_profile([now](Profile& profile) { profile.advance(now); });
}

void HostsCalendar::begin_round() {
  for_each_profile([](Profile& profile) { profile.begin_round(); });
}

template <class Call>
void HostsCalendar::for_each_profile(const Call& call) {
  budget_.charge_each(wide_.size() + hosts_.size());
  for (auto& each : wide_) call(each.profile);
  // Bounded: at most 16 kinds of each host, which are charged above.
  for (auto& host : hosts_) {
    for (auto& each : host.kinds) call(each.profile);
  }
}

std::int64_t HostsCalendar::room(const Host& host, const Need& need, Time start,
                                 Time end) const {
  auto room = std::numeric_limits<std::int64_t>::max();
  std::size_t needed = 0;
  // Bounded: at most 16 kinds.
  for (const auto& [kind, profile] : host.kinds) {
    const auto amount = need[kind];
    if (amount == 0) continue;
    ++needed;
    room = std::min(room, profile.least(start, end) / amount);
    if (room <= 0) return 0;
  }
  return needed == kinds_on_hosts(need) ? room : 0;
}

// A kind that a host has none of has no profile there.
std::size_t HostsCalendar::kinds_on_hosts(const Need& need) const {
  std::size_t needed = 0;
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < machine_.kinds().size(); ++kind) {
    if (machine_.kinds()[kind].is_on_hosts && need[kind] > 0) ++needed;
  }
  return needed;
}

HostsCalendar::Limit HostsCalendar::limit_of(const Host& host, const Need& need,
                                             Duration length, Time start) const {
  const auto chunks = std::min(room(host, need, start, after(start, length)),
                               std::int64_t{need.chunks});
  Limit limit{chunks, start, kNever};
  if (chunks == need.chunks) return limit;
  const auto more =
      first_for_all(host.kinds, need, start,
                    [&](const Profile& profile, std::int64_t amount, Time from) {
                      return profile.earliest(amount * (chunks + 1), length, from);
                    });
  if (more && *more > start) limit.until = *more;
  return limit;
}

Time HostsCalendar::next_room(const Need& need, Duration length, Time start) const {
  // What was found for an earlier start may be too much now.
  for (const bool exactly : {false, true}) {
    budget_.charge_each(2 * hosts_.size());
    renew_limits(need, length, start, exactly);
    std::int64_t chunks = 0;
    Time next = kNever;
    for (const auto& limit : limits_) {
      chunks += limit.chunks;
      next = std::min(next, limit.until);
    }
    if (chunks < need.chunks) return next;
  }
  return start;
}

void HostsCalendar::renew_limits(const Need& need, Duration length, Time start,
                                 bool exactly) const {
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    const auto& limit = limits_[i];
    const bool may_be_less = limit.chunks > 0 && limit.start < start;
    if (limit.until <= start || (exactly && may_be_less)) {
      budget_.charge_each(hosts_[i].kinds.front().profile.parts());
      limits_[i] = limit_of(hosts_[i], need, length, start);
    }
  }
}

void HostsCalendar::begin_search(Time from) const {
  budget_.charge_each(hosts_.size());
  limits_.assign(hosts_.size(), {0, from, from});
}

std::optional<Time> HostsCalendar::first_start(const Need& need, Duration length,
                                               Time from, Time before) const {
  const auto suits_wide = [&](Time start) {
    return first_for_all(wide_, need, start,
                         [&](const Profile& profile, std::int64_t amount, Time at) {
                           return profile.earliest(amount, length, at);
                         });
  };
  auto start = suits_wide(from);
  // Bounded: next_room() charges all hosts at each turn.
  while (start && *start < before) {
    const auto next = next_room(need, length, *start);
    if (next == *start) return start;
    start = next < before ? suits_wide(next) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Time> HostsCalendar::first_start_of(JobId job, Duration length, Time from,
                                                  Time before) const {
  const auto need = machine_.need(job);
  begin_search(from);
  budget_.charge_each(hosts_.size());
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    const auto number = static_cast<std::int32_t>(i);
    if (!machine_.room().may_use(need, number)) limits_[i].until = kNever;
  }
  return first_start(need, length, from, before);
}

HostsCalendar::Place HostsCalendar::find_place(JobId job, Time start, Time end) const {
  const auto need = machine_.need(job);
  if (!berth::has_room(wide_, need, start, end)) return {};
  Place place;
  std::int64_t left = need.chunks;
  for (std::size_t i = 0; i < hosts_.size() && left > 0; ++i) {
    budget_.charge();
    const auto number = static_cast<std::int32_t>(i);
    if (!machine_.room().may_use(need, number)) continue;
    const auto here = std::min(left, room(hosts_[i], need, start, end));
    if (here == 0) continue;
    place.push_back({number, static_cast<std::int32_t>(here)});
    left -= here;
  }
  if (left > 0) place.clear();
  return place;
}

std::optional<Time> HostsCalendar::earliest(JobId job, Duration length,
                                            Time from) const {
  return first_start_of(job, length, from, kNever);
}

std::optional<Time> HostsCalendar::earlier(JobId job, Duration length, Time held) {
  const Time end = after(held, length);
  if (!has_gained(job, held, end)) return std::nullopt;
  release(job, held, end);
  const auto start = first_start_of(job, length, now_, held);
  claim(job, held, end);
  return start;
}

// Machine-wide, what the job has from `held` on is its own.  On hosts it may be another
// that gained room, up to the end.
bool HostsCalendar::has_gained(JobId job, Time held, Time end) const {
  const auto need = machine_.need(job);
  const auto gained_wide = [&](const KindProfile& each) {
    const auto amount = need[each.kind];
    return amount > 0 && each.profile.has_gained(amount, held);
  };
  const auto gained_there = [&](const KindProfile& each) {
    const auto amount = need[each.kind];
    const auto most = amount * need.chunks;
    if (amount == 0) return false;
    const auto last = std::min(most, each.profile.capacity());
    // Bounded: the chunks of one job on one host.
    for (auto sum = amount; sum <= last; sum += amount) {
      if (each.profile.has_gained(sum, end)) return true;
    }
    return false;
  };
  if (std::any_of(wide_.begin(), wide_.end(), gained_wide)) return true;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    budget_.charge();
    const auto& kinds = hosts_[i].kinds;
    if (machine_.room().may_use(need, static_cast<std::int32_t>(i)) &&
        std::any_of(kinds.begin(), kinds.end(), gained_there)) {
      return true;
    }
  }
  return false;
}

bool HostsCalendar::fits_at(JobId job, Duration length, Time now, Time held) {
  if (held <= now) return false;
  const Time end = after(held, length);
  release(job, held, end);
  const bool fits = !find_place(job, now, after(now, length)).empty();
  claim(job, held, end);
  return fits;
}

void HostsCalendar::reserve(JobId job, Time start, Time end) {
  auto place = find_place(job, start, end);
  BERTH_ASSERT(!place.empty());
  forget(job);
  places_.insert(job, std::move(place));
  claim(job, start, end);
}

void HostsCalendar::move(JobId job, Duration length, Time held, Time start) {
  release(job, held, after(held, length));
  reserve(job, start, after(start, length));
}

template <class Call>
void HostsCalendar::for_claimed(JobId job, const Call& call) {
  budget_.charge_each(1 + places_.at(job).size());
  const auto need = machine_.need(job);
  for (auto& [kind, profile] : wide_) {
    if (need[kind] > 0) call(profile, need[kind]);
  }
  // Bounded: at most 16 kinds of each host, which are charged above.
  for (const auto& at : places_.at(job)) {
    for (auto& [kind, profile] : hosts_[static_cast<std::size_t>(at.host)].kinds) {
      const auto amount = need[kind] * at.chunks;
      if (amount > 0) call(profile, amount);
    }
  }
}

void HostsCalendar::claim(JobId job, Time from, Time to) {
  if (from >= to) return;
  for_claimed(job, [&](Profile& profile, std::int64_t amount) {
    profile.claim(amount, from, to);
  });
}

void HostsCalendar::release(JobId job, Time from, Time to) {
  if (from >= to) return;
  for_claimed(job, [&](Profile& profile, std::int64_t amount) {
    profile.release(amount, from, to);
  });
}

void HostsCalendar::forget(JobId job) {
  if (places_.contains(job)) (void)places_.take(job);
}

void HostsCalendar::settle(JobId job) {
  forget(job);
  const auto hosts = machine_.hosts_of(job);
  places_.insert(job, Place(hosts.begin(), hosts.end()));
}

bool HostsCalendar::sits_as_named(JobId job) const {
  const auto hosts = machine_.hosts_of(job);
  const auto& place = places_.at(job);
  return std::equal(place.begin(), place.end(), hosts.begin(), hosts.end());
}

std::span<const HostChunks> HostsCalendar::place_of(JobId job) const {
  const auto* place = places_.find(job);
  return place == nullptr ? std::span<const HostChunks>() : *place;
}

bool HostsCalendar::has_room(JobId job, Time from, Time to) const {
  const auto need = machine_.need(job);
  const auto& place = places_.at(job);
  return berth::has_room(wide_, need, from, to) &&
         std::all_of(place.begin(), place.end(), [&](const HostChunks& at) {
           return room(hosts_[static_cast<std::size_t>(at.host)], need, from, to) >=
                  at.chunks;
         });
}

bool HostsCalendar::is_overbooked(Time from, Time to) const {
  budget_.charge_each(hosts_.size());
  return berth::is_overbooked(wide_, from, to) ||
         std::any_of(hosts_.begin(), hosts_.end(), [&](const Host& host) {
           return berth::is_overbooked(host.kinds, from, to);
         });
}

std::int64_t HostsCalendar::free_at(Time t) const {
  budget_.charge_each(hosts_.size());
  std::int64_t sum = 0;
  for (const auto& host : hosts_) sum += host.kinds.front().profile.free_at(t);
  return sum;
}

std::optional<Time> HostsCalendar::earliest_of(std::int64_t processors, Duration length,
                                               Time from) const {
  if (processors > machine_.kinds().front().capacity) return std::nullopt;
  const std::array<std::int64_t, kMostKinds> amounts{1};
  begin_search(from);
  return first_start({amounts.data(), static_cast<std::int32_t>(processors), -1},
                     length, from, kNever);
}

std::unique_ptr<Calendar> make_calendar(const SeveralKinds& machine, Time now,
                                        Budget& budget) {
  if (machine.room().hosts() == 0) {
    return std::make_unique<PoolCalendar>(machine, now, budget);
  }
  return std::make_unique<HostsCalendar>(machine, now, budget);
}

}  // namespace berth

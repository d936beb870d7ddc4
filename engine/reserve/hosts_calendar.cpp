#include "engine/reserve/hosts_calendar.hpp"

#include <algorithm>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/reserve/pool_calendar.hpp"

namespace berth {

HostsCalendar::HostsCalendar(const SeveralKinds& machine, Time now)
    : machine_(machine), now_(now) {
  const auto kinds = machine.kinds();
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].is_on_hosts || kinds[kind].capacity == 0) continue;
    wide_.push_back({kind, Profile(now, kinds[kind].capacity)});
  }
  hosts_.resize(machine.room().hosts());
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      if (!kinds[kind].is_on_hosts) continue;
      const auto size = machine.size_on(static_cast<std::int32_t>(i), kind);
      if (size > 0) hosts_[i].lines.push_back({kind, Profile(now, size)});
    }
  }
}

void HostsCalendar::reset(Time now, std::span<const Held> held) {
  now_ = now;
  ends_.clear();
  for (auto& line : wide_) line.profile.reset(now, {});
  for (auto& host : hosts_) {
    for (auto& line : host.lines) line.profile.reset(now, {});
  }
  for (const auto& each : held) claim(each.job, now, each.until);
}

void HostsCalendar::advance(Time now) {
  now_ = now;
  ends_.erase(ends_.begin(), ends_.lower_bound(now));
  for (auto& line : wide_) line.profile.advance(now);
  for (auto& host : hosts_) {
    for (auto& line : host.lines) line.profile.advance(now);
  }
}

template <class Fits>
std::optional<Time> HostsCalendar::first_start(Time from, Time before,
                                               const Fits& fits) const {
  if (from < before && fits(from)) return from;
  for (auto end = ends_.upper_bound(from); end != ends_.end(); ++end) {
    if (end->first >= before || end->first == kNever) return std::nullopt;
    if (fits(end->first)) return end->first;
  }
  return std::nullopt;
}

std::int64_t HostsCalendar::room(const Host& host, const Need& need, Time start,
                                 Time end) const {
  auto room = std::numeric_limits<std::int64_t>::max();
  std::size_t needed = 0;
  for (const auto& line : host.lines) {
    const auto amount = need[line.kind];
    if (amount == 0) continue;
    ++needed;
    room = std::min(room, line.profile.least(start, end) / amount);
    if (room <= 0) return 0;
  }
  // A kind that the host has none of has no line.
  std::size_t kinds = 0;
  for (std::size_t kind = 0; kind < machine_.kinds().size(); ++kind) {
    if (machine_.kinds()[kind].is_on_hosts && need[kind] > 0) ++kinds;
  }
  return needed == kinds ? room : 0;
}

HostsCalendar::Place HostsCalendar::find_place(JobId job, Time start, Time end) const {
  const auto need = machine_.need(job);
  for (const auto& line : wide_) {
    if (need[line.kind] > 0 && line.profile.least(start, end) < need[line.kind]) {
      return {};
    }
  }
  Place place;
  std::int64_t left = need.chunks;
  for (std::size_t i = 0; i < hosts_.size() && left > 0; ++i) {
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
  return first_start(from, kNever, [&](Time start) {
    return !find_place(job, start, after(start, length)).empty();
  });
}

std::optional<Time> HostsCalendar::earlier(JobId job, Duration length, Time held) {
  const Time end = after(held, length);
  release(job, held, end);
  const auto start = first_start(now_, held, [&](Time at) {
    return !find_place(job, at, after(at, length)).empty();
  });
  claim(job, held, end);
  return start;
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
  const auto need = machine_.need(job);
  for (auto& line : wide_) {
    if (need[line.kind] > 0) call(line.profile, need[line.kind]);
  }
  for (const auto& at : places_.at(job)) {
    for (auto& line : hosts_[static_cast<std::size_t>(at.host)].lines) {
      const auto amount = need[line.kind] * at.chunks;
      if (amount > 0) call(line.profile, amount);
    }
  }
}

void HostsCalendar::claim(JobId job, Time from, Time to) {
  if (from >= to) return;
  for_claimed(job, [&](Profile& profile, std::int64_t amount) {
    profile.claim(amount, from, to);
  });
  ++ends_[to];
}

void HostsCalendar::release(JobId job, Time from, Time to) {
  if (from >= to) return;
  for_claimed(job, [&](Profile& profile, std::int64_t amount) {
    profile.release(amount, from, to);
  });
  const auto end = ends_.find(to);
  BERTH_ASSERT(end != ends_.end());
  if (--end->second == 0) ends_.erase(end);
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
  for (const auto& line : wide_) {
    if (need[line.kind] > 0 && line.profile.least(from, to) < need[line.kind]) {
      return false;
    }
  }
  const auto& place = places_.at(job);
  return std::all_of(place.begin(), place.end(), [&](const HostChunks& at) {
    return room(hosts_[static_cast<std::size_t>(at.host)], need, from, to) >= at.chunks;
  });
}

bool HostsCalendar::is_overbooked(Time from, Time to) const {
  const auto is_short = [&](const Line& line) {
    return line.profile.least(from, to) < 0;
  };
  return std::any_of(wide_.begin(), wide_.end(), is_short) ||
         std::any_of(hosts_.begin(), hosts_.end(), [&](const Host& host) {
           return std::any_of(host.lines.begin(), host.lines.end(), is_short);
         });
}

std::int64_t HostsCalendar::free_at(Time t) const {
  std::int64_t sum = 0;
  for (const auto& host : hosts_) sum += host.lines.front().profile.free_at(t);
  return sum;
}

std::optional<Time> HostsCalendar::earliest_of(std::int64_t processors, Duration length,
                                               Time from) const {
  return first_start(from, kNever, [&](Time start) {
    std::int64_t sum = 0;
    for (const auto& host : hosts_) {
      const auto least = host.lines.front().profile.least(start, after(start, length));
      sum += std::max(std::int64_t{0}, least);
    }
    return sum >= processors;
  });
}

std::unique_ptr<Calendar> make_calendar(const SeveralKinds& machine, Time now) {
  if (machine.room().hosts() == 0) return std::make_unique<PoolCalendar>(machine, now);
  return std::make_unique<HostsCalendar>(machine, now);
}

}  // namespace berth

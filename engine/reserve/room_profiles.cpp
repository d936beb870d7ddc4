#include "engine/reserve/room_profiles.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/error.hpp"

namespace berth {

RoomProfiles::RoomProfiles(const SeveralKinds& machine, Time now, Budget& budget)
    : machine_(machine), budget_(budget) {
  const auto kinds = machine.kinds();
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

void RoomProfiles::each(const std::function<void(Profile&)>& call) {
  budget_.charge_each(hosts_.size());
  // Bounded: at most 16 kinds of each host, which are charged above.
  for (auto& host : hosts_) {
    for (auto& each : host.kinds) call(each.profile);
  }
}

std::int64_t RoomProfiles::room(std::size_t host, std::optional<JobId> job,
                                const Need& need, Time start, Time end) const {
  auto room = std::numeric_limits<std::int64_t>::max();
  std::size_t needed = 0;
  // Bounded: at most 16 kinds.
  for (const auto& [kind, profile] : hosts_[host].kinds) {
    const auto amount = need[kind];
    if (amount == 0) continue;
    ++needed;
    room = std::min(room, profile.least(start, end) / amount);
    if (room <= 0) return 0;
  }
  if (needed != kinds_on_hosts(need)) return 0;
  return job ? std::min(room, bound(*job, host, start, end)) : room;
}

// A kind that a host has none of has no profile there.
std::size_t RoomProfiles::kinds_on_hosts(const Need& need) const {
  std::size_t needed = 0;
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 0; kind < machine_.kinds().size(); ++kind) {
    if (machine_.kinds()[kind].is_on_hosts && need[kind] > 0) ++needed;
  }
  return needed;
}

RoomProfiles::Limit RoomProfiles::limit_of(std::size_t host, const Search& search,
                                           const Need& need, Time start) const {
  const auto length = search.length;
  const auto chunks =
      std::min(room(host, search.job, need, start, after(start, length)),
               std::int64_t{need.chunks});
  Limit limit{chunks, start, kNever};
  if (chunks == need.chunks) return limit;
  auto more =
      first_for_all(hosts_[host].kinds, need, start,
                    [&](const Profile& profile, std::int64_t amount, Time from) {
                      return profile.earliest(amount * (chunks + 1), length, from);
                    });
  if (more && search.job) more = bound_rises(*search.job, host, chunks, length, *more);
  if (more && *more > start) limit.until = *more;
  return limit;
}

Time RoomProfiles::next_room(const Search& search, const Need& need, Time start) const {
  // What was found for an earlier start may be too much now.
  for (const bool exactly : {false, true}) {
    budget_.charge_each(2 * hosts_.size());
    renew_limits(search, need, start, exactly);
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

void RoomProfiles::renew_limits(const Search& search, const Need& need, Time start,
                                bool exactly) const {
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    const auto& limit = limits_[i];
    const bool may_be_less = limit.chunks > 0 && limit.start < start;
    if (limit.until <= start || (exactly && may_be_less)) {
      budget_.charge_each(hosts_[i].kinds.front().profile.parts());
      limits_[i] = limit_of(i, search, need, start);
    }
  }
}

void RoomProfiles::begin_search(const Search& search, const Need& need) const {
  budget_.charge_each(hosts_.size());
  limits_.assign(hosts_.size(), {0, search.from, search.from});
  if (!search.job) return;
  budget_.charge_each(hosts_.size());
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    const auto number = static_cast<std::int32_t>(i);
    if (!machine_.room().may_use(need, number)) limits_[i].until = kNever;
  }
}

std::optional<Time> RoomProfiles::first_start(const Search& search,
                                              const Suits& suits) const {
  static constexpr std::array<std::int64_t, kMostKinds> kOneProcessor{1};
  if (search.processors > machine_.kinds().front().capacity) return std::nullopt;
  const auto need =
      search.job ? machine_.need(*search.job)
                 : Need{kOneProcessor.data(), std::int32_t(search.processors), -1};
  begin_search(search, need);
  auto start = suits(search.from);
  // Bounded: next_room() charges all hosts at each turn.
  while (start && *start < search.before) {
    const auto next = next_room(search, need, *start);
    if (next == *start) return start;
    start = next < search.before ? suits(next) : std::nullopt;
  }
  return std::nullopt;
}

RoomProfiles::Place RoomProfiles::find_place(JobId job, Time start, Time end) const {
  const auto need = machine_.need(job);
  Place place;
  std::int64_t left = need.chunks;
  for (std::size_t i = 0; i < hosts_.size() && left > 0; ++i) {
    budget_.charge();
    const auto number = static_cast<std::int32_t>(i);
    if (!machine_.room().may_use(need, number)) continue;
    const auto here = std::min(left, room(i, job, need, start, end));
    if (here == 0) continue;
    place.push_back({number, static_cast<std::int32_t>(here)});
    left -= here;
  }
  if (left > 0) place.clear();
  return place;
}

bool RoomProfiles::has_gained(JobId job, Time end) const {
  const auto need = machine_.need(job);
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

void RoomProfiles::name_place(JobId job, Time start, Time end) {
  auto place = find_place(job, start, end);
  BERTH_ASSERT(!place.empty());
  forget(job);
  places_.insert(job, std::move(place));
}

void RoomProfiles::add(JobId job, Time from, Time to, int sign) {
  if (from >= to) return;
  const auto& place = places_.at(job);
  budget_.charge_each(1 + place.size());
  const auto need = machine_.need(job);
  // Bounded: at most 16 kinds of each host, which are charged above.
  for (const auto& at : place) {
    for (auto& [kind, profile] : hosts_[static_cast<std::size_t>(at.host)].kinds) {
      const auto amount = need[kind] * at.chunks;
      if (amount == 0) continue;
      sign > 0 ? profile.claim(amount, from, to) : profile.release(amount, from, to);
    }
  }
}

void RoomProfiles::forget(JobId job) {
  if (places_.contains(job)) (void)places_.take(job);
}

std::span<const HostChunks> RoomProfiles::place_of(JobId job) const {
  const auto* place = places_.find(job);
  return place == nullptr ? std::span<const HostChunks>() : *place;
}

std::optional<Placement> RoomProfiles::place_now(JobId job) const {
  const auto place = place_of(job);
  const auto need = machine_.need(job);
  const bool has_room = std::all_of(place.begin(), place.end(), [&](const auto& at) {
    return machine_.room().room(need, at.host) >= at.chunks;
  });
  if (place.empty() || !has_room) return std::nullopt;
  return machine_.place(job, place);
}

bool RoomProfiles::sits_as_named(JobId job) const {
  const auto hosts = machine_.hosts_of(job);
  const auto& place = places_.at(job);
  return std::equal(place.begin(), place.end(), hosts.begin(), hosts.end());
}

bool RoomProfiles::settle(JobId job, Time from, Time to) {
  forget(job);
  const auto hosts = machine_.hosts_of(job);
  places_.insert(job, Place(hosts.begin(), hosts.end()));
  const auto need = machine_.need(job);
  return from < to && std::all_of(hosts.begin(), hosts.end(), [&](const auto& at) {
           const auto host = static_cast<std::size_t>(at.host);
           return room(host, job, need, from, to) >= at.chunks;
         });
}

}  // namespace berth

#include "engine/reserve/room_profiles.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

RoomProfiles::RoomProfiles(const SeveralKinds& machine, Time now, Budget& budget,
                           std::size_t few)
    : machine_(machine),
      budget_(budget),
      asks_each_(machine.room().hosts() <= few),
      now_(now) {
  const auto kinds = machine.kinds();
  hosts_.resize(machine.room().hosts());
  limits_.resize(hosts_.size(), kNotAsked);
  budget_.charge_each(hosts_.size());
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    // Bounded: at most 16 kinds.
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      if (!kinds[kind].is_on_hosts) continue;
      const auto size = machine.size_on(static_cast<std::int32_t>(i), kind);
      if (size > 0) hosts_[i].kinds.push_back({kind, Profile(now, size)});
      if (kind == 0) largest_ = std::max(largest_, size);
    }
  }
  room_times_ = RoomTimes(hosts_.size(), largest_);
  // Bounded: the hosts that are charged above.
  for (std::size_t i = 0; i < hosts_.size(); ++i) note_times(i);
}

void RoomProfiles::turn_to(Profile& profile, Time now, CalendarTurn turn) {
  switch (turn) {
    case CalendarTurn::kGoesOn: return profile.advance(now);
    case CalendarTurn::kBeginsRound: return profile.begin_round();
    case CalendarTurn::kClears: return profile.reset(now, {});
  }
}

// Hosts on which nothing gained room are left as they are: to begin a round changes
// nothing there, and time passes by when they are changed next.
void RoomProfiles::come_to(Time now, CalendarTurn turn) {
  now_ = now;
  if (turn == CalendarTurn::kClears) return clear();
  budget_.charge_each(gained_.size());
  for (const auto host : gained_) {
    // Bounded: at most 16 kinds.
    for (auto& each : hosts_[host].kinds) turn_to(each.profile, now, turn);
  }
  if (turn != CalendarTurn::kBeginsRound) return;
  std::erase_if(gained_, [&](std::size_t host) { return --hosts_[host].rounds == 0; });
}

void RoomProfiles::clear() {
  budget_.charge_each(hosts_.size());
  gained_.clear();
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    hosts_[i].rounds = 0;
    // Bounded: at most 16 kinds.
    for (auto& each : hosts_[i].kinds)
      turn_to(each.profile, now_, CalendarTurn::kClears);
    note_times(i);
  }
}

bool RoomProfiles::is_overbooked(Time from, Time to) const {
  budget_.charge_each(hosts_.size());
  return std::any_of(hosts_.begin(), hosts_.end(), [&](const Host& host) {
    return berth::is_overbooked(host.kinds, from, to);
  });
}

// A host without processors keeps the times that it has from the beginning: never.
void RoomProfiles::note_times(std::size_t host) {
  const auto& kinds = hosts_[host].kinds;
  if (asks_each_ || kinds.empty() || kinds.front().kind != 0) return;
  const auto& processors = kinds.front().profile;
  room_times_.set(host, [&](std::int64_t amount) {
    if (amount > processors.capacity()) return kNever;
    return processors.earliest(amount, 1, now_).value_or(kNever);
  });
}

const TimeTree* RoomProfiles::times(const Need& need) const {
  if (asks_each_) return nullptr;
  return need[0] > 0 && need[0] <= largest_ ? &room_times_.of(need[0]) : nullptr;
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

class RoomProfiles::RoomSearch {
 public:
  RoomSearch(const RoomProfiles& of, const Search& search, const Need& need)
      : of_(of), search_(search), need_(need), times_(of.times(need)) {
    if (times_ != nullptr) push({times_->time(kRoot), kRoot, 0});
  }
  ~RoomSearch() {
    // Bounded: the hosts that were asked, each of which was charged.
    for (const auto host : asked_) of_.limits_[host] = kNotAsked;
  }
  RoomSearch(const RoomSearch&) = delete;
  RoomSearch& operator=(const RoomSearch&) = delete;

  // `start` if the hosts have room for all chunks then; else a later time, before which
  // they have not.  REQUIRES: not before the start of the last question.
  [[nodiscard]] Time next_room(Time start) {
    if (times_ == nullptr && !std::exchange(has_asked_all_, true)) ask_all(start);
    // Bounded: each turn asks a host, which charges, or is the last.
    for (;;) {
      if (chunks_ >= need_.chunks) {
        ask_exactly(start);
        if (chunks_ >= need_.chunks) return start;
      } else if (open_.empty()) {
        return kNever;
      } else if (open_.front().time > start) {
        return open_.front().time;
      } else {
        look_at(pop(), start);
      }
    }
  }

 private:
  static constexpr std::size_t kRoot = 1;
  static constexpr std::size_t kNoNode = 0;
  // A node of the tree of times; or a host that is to be asked again.
  struct Open {
    Time time;
    std::size_t node;
    std::size_t host;
  };
  struct IsLater {
    bool operator()(const Open& a, const Open& b) const { return a.time > b.time; }
  };

  // What comes too late for the search is left out.
  void push(const Open& open) {
    if (open.time >= search_.before) return;
    open_.push_back(open);
    std::push_heap(open_.begin(), open_.end(), IsLater());
  }
  Open pop() {
    std::pop_heap(open_.begin(), open_.end(), IsLater());
    const auto first = open_.back();
    open_.pop_back();
    return first;
  }
  void look_at(const Open& at, Time start) {
    of_.budget_.charge();
    if (at.node == kNoNode) {
      if (of_.limits_[at.host].until == at.time) ask(at.host, start);
    } else if (times_->is_leaf(at.node)) {
      ask(times_->number(at.node), start);
    } else {
      push({times_->time(2 * at.node), 2 * at.node, 0});
      push({times_->time(2 * at.node + 1), 2 * at.node + 1, 0});
    }
  }
  void ask(std::size_t host, Time start) {
    const auto number = static_cast<std::int32_t>(host);
    if (search_.job && !of_.machine_.room().may_use(need_, number)) return;
    auto& limit = of_.limits_[host];
    if (limit.start == kNever) asked_.push_back(host);
    chunks_ -= limit.chunks;
    of_.budget_.charge_each(of_.hosts_[host].kinds.front().profile.parts());
    limit = of_.limit_of(host, search_, need_, start);
    chunks_ += limit.chunks;
    push({limit.until, kNoNode, host});
  }
  void ask_all(Time start) {
    of_.budget_.charge_each(of_.hosts_.size());
    for (std::size_t i = 0; i < of_.hosts_.size(); ++i) ask(i, start);
  }
  // What was found for an earlier start may be too much now.
  void ask_exactly(Time start) {
    of_.budget_.charge_each(asked_.size());
    for (const auto host : asked_) {
      const auto& limit = of_.limits_[host];
      if (limit.chunks > 0 && limit.start < start) ask(host, start);
    }
  }

  const RoomProfiles& of_;
  const Search& search_;
  const Need& need_;
  const TimeTree* times_;
  std::vector<Open> open_;  // a heap by time
  bool has_asked_all_ = false;
  std::vector<std::size_t> asked_;
  std::int64_t chunks_ = 0;  // of the hosts that were asked
};

std::optional<Time> RoomProfiles::first_start(const Search& search,
                                              const Suits& suits) const {
  static constexpr std::array<std::int64_t, kMostKinds> kOneProcessor{1};
  if (search.processors > machine_.kinds().front().capacity) return std::nullopt;
  const auto need =
      search.job ? machine_.need(*search.job)
                 : Need{kOneProcessor.data(), std::int32_t(search.processors), -1};
  RoomSearch found(*this, search, need);
  auto start = suits(search.from);
  // Bounded: next_room() charges the hosts that it asks.
  while (start && *start < search.before) {
    const auto next = found.next_room(*start);
    if (next == *start) return start;
    start = next < search.before ? suits(next) : std::nullopt;
  }
  return std::nullopt;
}

RoomProfiles::Place RoomProfiles::find_place(JobId job, Time start, Time end) const {
  const auto need = machine_.need(job);
  Place place;
  std::int64_t left = need.chunks;
  const auto* times = this->times(need);
  for (std::size_t i = 0; left > 0; ++i) {
    if (times != nullptr) i = times->next(i, start);
    if (i >= hosts_.size()) break;
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
  budget_.charge_each(gained_.size());
  return std::any_of(gained_.begin(), gained_.end(), [&](std::size_t host) {
    const auto& kinds = hosts_[host].kinds;
    return machine_.room().may_use(need, static_cast<std::int32_t>(host)) &&
           std::any_of(kinds.begin(), kinds.end(), gained_there);
  });
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
    const auto number = static_cast<std::size_t>(at.host);
    auto& host = hosts_[number];
    for (auto& [kind, profile] : host.kinds) {
      const auto amount = need[kind] * at.chunks;
      if (amount == 0) continue;
      if (profile.start() < now_) profile.advance(now_);
      sign > 0 ? profile.claim(amount, from, to) : profile.release(amount, from, to);
    }
    if (sign < 0 && std::exchange(host.rounds, 2) == 0) gained_.push_back(number);
    note_times(number);
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

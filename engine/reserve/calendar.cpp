#include "engine/reserve/calendar.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

Calendar::Calendar(Time now, std::int64_t processors, const SeveralKinds* kinds,
                   std::unique_ptr<HostProfiles> hosts, Budget& budget)
    : processors_(now, processors),
      kinds_(kinds),
      hosts_(std::move(hosts)),
      is_plain_(kinds == nullptr),
      budget_(budget) {
  if (kinds == nullptr) return;
  const auto all = kinds->kinds();
  // Bounded: at most 16 kinds.
  for (std::size_t kind = 1; kind < all.size(); ++kind) {
    if (all[kind].is_on_hosts || all[kind].capacity == 0) continue;
    counted_.push_back({kind, ProfileOf<std::int64_t>(now, all[kind].capacity)});
  }
}

void Calendar::keep_free(const IdleBlocks& blocks, Time now,
                         std::span<const JobClaim> held) {
  BERTH_ASSERT(kinds_ == nullptr);
  is_plain_ = false;
  blocks_ = std::make_unique<BlockClaims>(blocks, processors_, budget_);
  blocks_->reset(now, held);
}

void Calendar::reset(Time now, std::span<const Held> held) {
  budget_.charge_each(held.size() * (1 + counted_.size()));
  taken_.clear();
  for (const auto& each : held) {
    if (each.until > now) taken_.push_back({each.until, each.size});
  }
  processors_.reset(now, taken_);
  if (blocks_ != nullptr) {
    std::vector<JobClaim> claims;
    claims.reserve(held.size());
    // Bounded: the jobs that are charged above.
    for (const auto& each : held) {
      if (each.until > now) claims.push_back({each.job, each.size, now, each.until});
    }
    blocks_->reset(now, claims);
  }
  // Bounded: at most 16 kinds, charged above.
  for (auto& [kind, profile] : counted_) {
    taken_of_kind_.clear();
    // Bounded: the jobs that are charged above.
    for (const auto& each : held) {
      const auto amount = each.until > now ? kinds_->need(each.job)[kind] : 0;
      if (amount > 0) taken_of_kind_.push_back({each.until, amount});
    }
    profile.reset(now, taken_of_kind_);
  }
  if (hosts_ == nullptr) return;
  hosts_->come_to(now, HostProfiles::CalendarTurn::kClears);
  // Bounded: the jobs that are charged above.
  for (const auto& each : held) hosts_->add(each.job, now, each.until, 1);
}

void Calendar::advance(Time now) {
  processors_.advance(now);
  // Bounded: at most 16 kinds.
  for (auto& each : counted_) each.profile.advance(now);
  if (hosts_ != nullptr) hosts_->come_to(now, HostProfiles::CalendarTurn::kGoesOn);
}

void Calendar::begin_round() {
  processors_.begin_round();
  // Bounded: at most 16 kinds.
  for (auto& each : counted_) each.profile.begin_round();
  if (hosts_ != nullptr)
    hosts_->come_to(start(), HostProfiles::CalendarTurn::kBeginsRound);
}

template <class Suits>
std::optional<Time> Calendar::first_for_counted(const Request& request, Time from,
                                                const Suits& suits) const {
  const auto need = kinds_->need(request.job);
  // Bounded: once for each breakpoint that is passed.
  for (;;) {
    auto start = std::optional(from);
    if (hosts_ == nullptr) start = suits(processors_, request.size, from);
    if (start) start = first_for_all(counted_, need, *start, suits);
    if (!start || *start == from) return start;
    from = *start;
  }
}

std::optional<Time> Calendar::earliest_of_others(const Request& request,
                                                 Time from) const {
  if (kinds_ != nullptr) return earliest_of_kinds(request, from);
  blocks_->open(request.job);
  std::optional<Time> found;
  // Bounded: each turn moves the start to a later end of a running job or of a block.
  for (;;) {
    found = processors_.earliest(request.size, request.planned, from);
    from = found ? blocks_->first_start(request.job, *found) : kNever;
    if (from == kNever) found.reset();
    if (!found || from == *found) break;
  }
  blocks_->close();
  return found;
}

void Calendar::add_to_others(const JobClaim& claim, int sign) {
  if (kinds_ != nullptr) return add_to_kinds(claim.job, claim.from, claim.to, sign);
  blocks_->note(claim, sign);
}

std::int64_t Calendar::least_for(JobId job, Time from, Time to) const {
  if (blocks_ == nullptr) return processors_.least(from, to);
  blocks_->open(job);
  const auto least = processors_.least(from, to);
  blocks_->close();
  return least;
}

std::optional<Time> Calendar::earliest_of_kinds(const Request& request,
                                                Time from) const {
  if (hosts_ != nullptr) return first_on_hosts(request, from, kNever);
  return first_for_counted(request, from,
                           [&](const auto& profile, std::int64_t amount, Time start) {
                             return profile.earliest(amount, request.planned, start);
                           });
}

std::optional<Time> Calendar::first_on_hosts(const Request& request, Time from,
                                             Time before) const {
  const auto suits = [&](Time at) {
    return first_for_counted(request, at,
                             [&](const auto& profile, std::int64_t amount, Time start) {
                               return profile.earliest(amount, request.planned, start);
                             });
  };
  return hosts_->first_start({request.job, request.size, request.planned, from, before},
                             suits);
}

// Of what is counted machine-wide, the job has its own from `held` on.  On hosts it may
// be another that gained room, up to the end.
bool Calendar::have_gained(const Request& request, Time held) const {
  const auto need = kinds_->need(request.job);
  const auto has_gained = [&](const KindProfile& each) {
    return need[each.kind] > 0 && each.profile.has_gained(need[each.kind], held);
  };
  if (std::any_of(counted_.begin(), counted_.end(), has_gained)) return true;
  return hosts_ == nullptr
             ? processors_.has_gained(request.size, held)
             : hosts_->has_gained(request.job, after(held, request.planned));
}

// A claim that can move forward now could not before, so something gained room for it.
std::optional<Time> Calendar::earlier_of_kinds(const Request& request, Time held) {
  if (held <= start() || !have_gained(request, held)) return std::nullopt;
  if (hosts_ == nullptr) {
    return first_for_counted(
        request, start(), [&](const auto& profile, std::int64_t amount, Time from) {
          return profile.earliest_before(amount, request.planned, from, held);
        });
  }
  const Time end = after(held, request.planned);
  release(request.job, request.size, held, end);
  const auto found = first_on_hosts(request, start(), held);
  claim(request.job, request.size, held, end);
  return found;
}

bool Calendar::fits_at(const Request& request, Time now, Time held) {
  if (held <= now) return false;
  const Time until = after(now, request.planned);
  if (blocks_ != nullptr) {
    const Time end = after(held, request.planned);
    release(request.job, request.size, held, end);
    const bool fits = has_room(request, now, until);
    claim(request.job, request.size, held, end);
    return fits;
  }
  if (hosts_ == nullptr) return has_room(request, now, std::min(held, until));
  const Time end = after(held, request.planned);
  release(request.job, request.size, held, end);
  const bool fits = first_on_hosts(request, now, now + 1).has_value();
  claim(request.job, request.size, held, end);
  return fits;
}

// Whether of all that is counted machine-wide as much as is needed stays free; on hosts
// they tell of processors.
bool Calendar::has_room(const Request& request, Time from, Time to) const {
  if (hosts_ == nullptr && least_for(request.job, from, to) < request.size) {
    return false;
  }
  if (blocks_ != nullptr && blocks_->first_start(request.job, from) != from)
    return false;
  return kinds_ == nullptr ||
         berth::has_room(counted_, kinds_->need(request.job), from, to);
}

void Calendar::reserve(const Request& request, Time start) {
  const Time end = after(start, request.planned);
  if (hosts_ != nullptr) hosts_->name_place(request.job, start, end);
  claim(request.job, request.size, start, end);
}

void Calendar::move(const Request& request, Time held, Time start) {
  if (hosts_ != nullptr || differs_by_job()) {
    release(request.job, request.size, held, after(held, request.planned));
    return reserve(request, start);
  }
  processors_.move(claim_of(request, held), start);
  if (kinds_ == nullptr) return;
  const auto need = kinds_->need(request.job);
  // Bounded: at most 16 kinds.
  for (auto& [kind, profile] : counted_) {
    if (need[kind] > 0) profile.move({need[kind], request.planned, held}, start);
  }
}

bool Calendar::settle(const Request& request, Time from, Time to) {
  const bool is_free = hosts_ == nullptr || hosts_->settle(request.job, from, to);
  return is_free && from < to && has_room(request, from, to);
}

void Calendar::add_to_kinds(JobId job, Time from, Time to, int sign) {
  const auto need = kinds_->need(job);
  // Bounded: at most 16 kinds.
  for (auto& [kind, profile] : counted_) {
    const auto amount = need[kind];
    if (amount == 0) continue;
    sign > 0 ? profile.claim(amount, from, to) : profile.release(amount, from, to);
  }
  if (hosts_ != nullptr) hosts_->add(job, from, to, sign);
}

bool Calendar::some_is_overbooked(Time from, Time to) const {
  if (berth::is_overbooked(counted_, from, to)) return true;
  return hosts_ == nullptr ? processors_.least(from, to) < 0
                           : hosts_->is_overbooked(from, to);
}

std::optional<Time> Calendar::earliest_of(std::int64_t processors, Duration length,
                                          Time from) const {
  if (hosts_ == nullptr) return processors_.earliest(processors, length, from);
  return hosts_->first_start({std::nullopt, processors, length, from, kNever},
                             [](Time start) { return std::optional(start); });
}

}  // namespace berth

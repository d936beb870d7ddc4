#include "engine/audit/limit_check.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

#include "engine/audit/rules.hpp"

namespace berth::audit {

namespace {

constexpr auto kUnlimited = std::numeric_limits<std::int64_t>::max();

LimitScope scope(std::size_t kind) { return static_cast<LimitScope>(kind); }

}  // namespace

LimitCheck::Labels LimitCheck::labels_of(const Job& job) const {
  Labels labels{};
  for (std::size_t kind = 0; kind < kLimitScopes; ++kind) {
    labels[kind] = settings_->label(scope(kind), job);
  }
  return labels;
}

LimitCheck::Set& LimitCheck::set_of(JobId id, const Job& job) {
  if (index(id) >= of_jobs_.size()) of_jobs_.resize(2 * index(id) + 1);
  auto*& set = of_jobs_[index(id)];
  if (set == nullptr) set = &set_with(labels_of(job));
  return *set;
}

LimitCheck::Set& LimitCheck::set_with(const Labels& labels) {
  const auto [at, is_new] = sets_.try_emplace(labels);
  auto& set = at->second;
  if (!is_new) return set;
  for (std::size_t kind = 0; kind < kLimitScopes; ++kind) {
    auto label = labels[kind];
    do {
      count_in(kind, label, set);
      label = settings_->around(scope(kind), label);
    } while (label != kUnknown);
  }
  set.room = room(set);
  return set;
}

void LimitCheck::note_queued(Set& set, bool is_queued) {
  if (is_queued) {
    set.place = queued_.size();
    queued_.push_back(&set);
    return;
  }
  auto* const last = queued_.back();
  queued_[set.place] = last;
  last->place = set.place;
  queued_.pop_back();
}

void LimitCheck::count_in(std::size_t kind, std::int32_t label, Set& set) {
  const auto limits = settings_->table(scope(kind)).of(label);
  set.tier += limits.tier.value_or(0);
  if (!limits.is_scope()) return;
  auto& counts = scopes_[kind][label];
  counts.limits = limits;
  counts.sets.push_back(&set);
  set.has_inside = set.has_inside || limits.waiting_jobs.has_value();
  set.scopes.push_back(&counts);
  const bool is_first = limits.guaranteed && !set.is_guaranteed;
  if (is_first) guaranteed_.push_back(&set);
  set.is_guaranteed = set.is_guaranteed || limits.guaranteed.has_value();
}

bool LimitCheck::is_never(const Set& set, const Job& job) {
  for (const auto* counts : set.scopes) {
    const auto& limits = counts->limits;
    if (limits.running_jobs.value_or(1) < 1) return true;
    if (limits.processors.value_or(job.size) < job.size) return true;
  }
  return false;
}

Verdict LimitCheck::reject(JobId id, const Job& job, bool by_limit) {
  ++judged_;
  never_.erase(id);
  if (!by_limit || is_never(set_of(id, job), job)) return std::nullopt;
  return Fault{kLimits, "it is rejected by a limit that it does not exceed by itself"};
}

void LimitCheck::join(JobId id, const Job& job, double key, JobState as) {
  auto& set = set_of(id, job);
  if (set.members.empty()) note_queued(set, true);
  set.members.emplace(std::pair(key, id), job.size);
  if (is_never(set, job)) never_.insert(id);
  if (as == JobState::kWaiting) {
    if (set.is_guaranteed) set.waiting.emplace(job.size, id);
    for (auto* counts : set.scopes) {
      if (!counts->limits.waiting_jobs) continue;
      const auto [at, is_new] = counts->waiting.insert(id);
      if (std::next(at) != counts->waiting.end()) ++counts->came_between;
    }
  }
  follow_claims();
  follow_stop();
}

void LimitCheck::leave(JobId id, const Job& job, double key, Time now) {
  if (std::exchange(came_in_at_, now) != now) came_in_.clear();
  auto& set = set_of(id, job);
  const bool was_last = set.members.erase({key, id}) > 0 && set.members.empty();
  if (was_last) note_queued(set, false);
  set.waiting.erase({job.size, id});
  for (auto* counts : set.scopes) {
    const bool waited = counts->waiting.erase(id) > 0;
    const auto most = counts->limits.waiting_jobs.value_or(kUnlimited);
    if (!waited || std::cmp_less(counts->waiting.size(), most)) continue;
    came_in_.insert(*std::next(counts->waiting.begin(), most - 1));
  }
  const bool was_claimed = is_claimed_;
  follow_claims();
  if (was_claimed && !is_claimed_) ease(now);
  follow_stop();
}

Verdict LimitCheck::start(JobId id, const Job& job, double key, Time now) {
  ++judged_;
  auto& set = set_of(id, job);
  const bool is_barred = job.size > set.room;
  const bool borrows = borrows_only(id, job);
  const bool is_behind = is_behind_stop({set.tier, key, id});
  const bool waits_outside = is_outside(id, set);
  const bool was_claimed = is_claimed_;
  count(set, job, 1);
  if (was_claimed && !is_claimed_) ease(now);
  if (borrows) {
    return Fault{kLimits,
                 "it borrows while another job waits for what is guaranteed to its "
                 "account"};
  }
  if (is_barred)
    return Fault{kLimits, "it starts while a limit of running jobs bars it"};
  if (waits_outside) {
    return Fault{kLimits, "it starts though it is not among the first that wait"};
  }
  if (!is_behind) return std::nullopt;
  return Fault{kLimits, "it starts behind a job that a limit bars, and limits.stop"};
}

void LimitCheck::stop(JobId id, const Job& job) { count(set_of(id, job), job, -1); }

Verdict LimitCheck::finish() const {
  if (never_.empty()) return std::nullopt;
  return Fault{kLimits, "a job that a limit bars whatever runs was not rejected"};
}

// The largest size that no limit of running jobs bars now.
std::int64_t LimitCheck::unlimited(const Set& set) {
  auto least = kUnlimited;
  for (const auto* counts : set.scopes) {
    const auto& limits = counts->limits;
    if (limits.running_jobs && counts->jobs >= *limits.running_jobs) return 0;
    if (!limits.processors) continue;
    least = std::min(least, *limits.processors - counts->processors);
  }
  return least;
}

// The largest size with which no account has more than is guaranteed to it.
std::int64_t LimitCheck::own(const Set& set) {
  auto least = kUnlimited;
  for (const auto* counts : set.scopes) {
    if (!counts->limits.guaranteed) continue;
    least = std::min(least, *counts->limits.guaranteed - counts->processors);
  }
  return least;
}

std::int64_t LimitCheck::room(const Set& set) const {
  return is_claimed_ ? std::min(unlimited(set), own(set)) : unlimited(set);
}

bool LimitCheck::borrows_only(JobId id, const Job& job) const {
  const auto& set = *of_jobs_[index(id)];
  return job.size > set.room && job.size <= unlimited(set);
}

// The smallest one inside decides.
bool LimitCheck::claims(const Set& set) const {
  const auto most = std::min(unlimited(set), own(set));
  for (const auto& [size, id] : set.waiting) {
    if (size > most) return false;
    if (!is_outside(id, set)) return true;
  }
  return false;
}

void LimitCheck::follow_claims() {
  const bool before = is_claimed_;
  is_claimed_ = std::any_of(guaranteed_.begin(), guaranteed_.end(),
                            [this](const Set* set) { return claims(*set); });
  if (before == is_claimed_) return;
  for (auto* set : guaranteed_) find_room(*set);
}

void LimitCheck::count(Set& set, const Job& job, std::int64_t sign) {
  for (auto* counts : set.scopes) {
    counts->jobs += sign;
    counts->processors += sign * job.size;
    for (auto* each : counts->sets) find_room(*each);
  }
  follow_claims();
  follow_stop();
}

void LimitCheck::find_room(Set& set) {
  const auto before = std::exchange(set.room, room(set));
  if (before == set.room) return;
  while (!set.earlier.empty() && set.earlier.back().room >= before) {
    set.earlier.pop_back();
  }
  set.earlier.push_back({++changes_, before});
}

bool LimitCheck::is_outside(JobId id, const Set& set) {
  if (!set.has_inside) return false;
  for (const auto* counts : set.scopes) {
    const auto most = counts->limits.waiting_jobs.value_or(kUnlimited);
    if (std::cmp_less_equal(counts->waiting.size(), most)) continue;
    const auto behind = std::next(counts->waiting.begin(), most);
    if (counts->waiting.contains(id) && !(id < *behind)) return true;
  }
  return false;
}

// The first member that waits inside, by its size and the room of its set.
template <class Is>
std::optional<LimitCheck::At> LimitCheck::first_member(const Is& is) const {
  std::optional<At> first;
  for (const auto* set : queued_) {
    for (const auto& [at, size] : set->members) {
      if (!is(size, set->room) || is_outside(at.second, *set)) continue;
      const At found{set->tier, at.first, at.second};
      if (!first || found < *first) first = found;
      break;
    }
  }
  return first;
}

std::optional<LimitCheck::At> LimitCheck::first_that_stops() const {
  return first_member([](auto size, auto room) { return size > room; });
}

bool LimitCheck::is_behind_stop(const At& at) const { return stop_ && *stop_ < at; }

void LimitCheck::follow_stop() {
  if (!stops_) return;
  const auto before = std::exchange(stop_, first_that_stops());
  if (before != stop_) ++stop_changes_;
}

bool LimitCheck::shows(JobId id, const Job& job, double key) const {
  const auto& set = *of_jobs_[index(id)];
  return job.size <= set.room && !is_outside(id, set) &&
         !is_behind_stop({set.tier, key, id});
}

// The last change up to which the room was less than the job asks for, and what else
// may have barred it.
std::int64_t LimitCheck::times_barred(JobId id, const Job& job) const {
  const auto& set = *of_jobs_[index(id)];
  const auto& earlier = set.earlier;
  const auto enough =
      std::partition_point(earlier.begin(), earlier.end(),
                           [&](const Earlier& each) { return each.room < job.size; });
  auto times = stop_changes_;
  if (enough != earlier.begin()) times += std::prev(enough)->until;
  for (const auto* counts : set.scopes) times += counts->came_between;
  return times;
}

std::optional<WaitingLine::Member> LimitCheck::head(std::span<const Job> jobs) const {
  const auto first = first_member([](auto size, auto room) { return size <= room; });
  if (!first || is_behind_stop(*first)) return std::nullopt;
  return WaitingLine::Member{first->key, first->job, jobs[index(first->job)].size};
}

void ShownHead::settle(const LimitCheck& limits, std::span<const Job> jobs, Time now,
                       HeadPromise& line) {
  auto first = limits.head(jobs);
  if (first && limits.may_be_new(first->job, now)) first.reset();
  const auto barred =
      first ? limits.times_barred(first->job, jobs[index(first->job)]) : 0;
  const bool is_same = first == head_ && barred == barred_;
  if (is_same) return;
  if (head_) line.leave(head_->job, head_->key, hint_);
  line.forgive();
  head_ = first;
  barred_ = barred;
  if (first) hint_ = line.join(first->job, first->key, first->size);
}

}  // namespace berth::audit

#include "engine/audit/promises.hpp"

#include <algorithm>
#include <utility>

namespace berth::audit {

void HeadPromise::find_head() {
  if (settle_) settle_();
  is_reordered_ = false;
  const auto* const member = queue_.head();
  if (member == nullptr || member->job != head_) forgive();
}

// Where an end that is due now may still come, it is not known how late it will be.
Time HeadPromise::last_end(Time now) {
  misses_ += running_.pass_over(by_event_ ? now - 1 : now);
  const auto& by_end = running_.by_end();
  if (by_end.empty()) return now;
  const Time last = by_end.rbegin()->end;
  return last > now ? last : kNever;
}

std::optional<HeadPromise::Broken> HeadPromise::look_and_judge(
    WaitingLine::Member member, Time now, std::optional<Time> found) {
  const bool is_same = head_ == member.job;
  const bool is_void = misses(now) != misses_when_promised_;
  head_ = member.job;
  head_key_ = member.key;
  if (by_event_ && running_.any_by(now)) return forgive(), std::nullopt;
  if (is_same && (is_void || !is_promised_)) {
    is_promised_ = false;
    return {};
  }
  const auto expected = found   ? Shadow{*found, 0, 0}
                        : fits_ ? Shadow{asked_shadow(member.job, now), 0, 0}
                                : shadow(member.size, now);
  ++judged_;
  if (is_same && expected.at > promised_) {
    return Broken{member.job, promised_, expected.at};
  }
  is_promised_ = true;
  misses_when_promised_ = misses_;
  promised_ = expected.at;
  available_ = expected.available;
  available_before_ = expected.available_before;
  return {};
}

// All ends of one instant count together.
HeadPromise::Shadow HeadPromise::shadow(std::int64_t size, Time now) {
  Shadow shadow{now, idle_, idle_};
  for (const auto& holder : running_.by_end()) {
    if (holder.end > shadow.at) {
      if (shadow.available >= size) return shadow;
      shadow.available_before = shadow.available;
      shadow.at = holder.end;
    }
    shadow.available += holder.size;
  }
  if (shadow.available >= size) return shadow;
  return {kNever, shadow.available, shadow.available};
}

// The first end after which it fits; what is free by then only grows from end to end.
// Twice as many ends as before are looked at until it does, since few are enough.
Time HeadPromise::asked_shadow(JobId job, Time now) {
  if (fits_(job, {})) return now;
  std::size_t few = 0;  // with so many gone it does not fit, with `many` it does
  std::size_t many = 16;
  auto order = running_.first_ends(many);
  while (!fits_(job, order)) {
    if (order.size() < many) return kNever;
    few = many;
    many *= 2;
    order = running_.first_ends(many);
  }
  many = order.size();
  while (many - few > 1) {
    const auto middle = few + (many - few) / 2;
    (fits_(job, order.first(middle)) ? many : few) = middle;
  }
  return std::max(now, running_[order[many - 1]].end);
}

std::optional<Time> ReservationPromise::reserve(JobId job, std::optional<Time> start,
                                                Lateness lateness) {
  if (!start) return promises_.erase(index(job)), std::nullopt;
  const Promise made{*start, lateness.changes, lateness.barred};
  const auto [at, is_new] = promises_.try_emplace(index(job), made);
  const auto before = std::exchange(at->second, made);
  if (is_new || before.is_aside) return std::nullopt;
  if (lateness.any || before.changes != lateness.changes) return std::nullopt;
  if (before.barred != lateness.barred) return std::nullopt;
  ++judged_;
  return *start > before.start ? std::optional(before.start) : std::nullopt;
}

void ReservationPromise::set_aside(Lateness lateness) {
  is_aside_ = true;
  for (auto& [job, promise] : promises_) {
    const bool is_in_force = !lateness.any && promise.changes == lateness.changes;
    if (is_in_force) aside_.keep(JobId{job}, promise.start);
    promise.is_aside = true;
  }
}

void ReservationPromise::forgive_missed(Time now,
                                        const std::function<bool(JobId)>& is_barred) {
  is_aside_ = std::any_of(promises_.begin(), promises_.end(), [&](const auto& each) {
    return each.second.start <= now && is_barred(JobId{each.first});
  });
  if (!is_aside_) return;
  for (auto& [job, promise] : promises_) promise.is_aside = true;
}

void ReservationPromise::passed_after_loss() {
  for (auto& [job, promise] : promises_) promise.is_aside = false;
}

std::optional<Time> ReservationPromise::start(JobId job, Time now, Lateness lateness) {
  aside_.start(job, now);
  const auto at = promises_.find(index(job));
  if (at == promises_.end()) return std::nullopt;
  const auto promised = at->second;
  promises_.erase(at);
  if (promised.is_aside || lateness.any || promised.changes != lateness.changes) {
    return std::nullopt;
  }
  if (promised.barred != lateness.barred) return std::nullopt;
  ++judged_;
  return now > promised.start ? std::optional(promised.start) : std::nullopt;
}

// A running job overtook an older one that still waits if one of those older than it
// joined before it started.
std::vector<JobId> TopPromise::overtakers() const {
  std::vector<JobId> found;
  auto older = waiting_.begin();
  std::int64_t joined = std::numeric_limits<std::int64_t>::max();
  for (const auto& [job, since] : running_) {
    for (; older != waiting_.end() && older->first < job; ++older) {
      joined = std::min(joined, older->second);
    }
    if (joined < since) found.push_back(job);
  }
  return found;
}

std::optional<JobId> TopPromise::oldest() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.begin()->first;
}

}  // namespace berth::audit

#include "engine/audit/head_promise.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth::audit {

void HeadPromise::join(JobId job, double key, std::int64_t size) {
  const Member member{key, job, size};
  queue_.insert(job, member);
  heap_.push_back(member);
  std::push_heap(heap_.begin(), heap_.end());
}

void HeadPromise::leave(JobId job, double, std::int64_t) {
  if (queue_.contains(job)) (void)queue_.take(job);
}

void HeadPromise::start(JobId job, std::int64_t size, Time planned_end) {
  idle_ -= size;
  const Holder holder{planned_end, job, size};
  running_.insert(std::upper_bound(running_.begin(), running_.end(), holder), holder);
}

void HeadPromise::stop(JobId job, std::int64_t size, Time planned_end, Time now) {
  if (now > planned_end) promise_.reset();  // it overran
  idle_ += size;
  const auto at = std::lower_bound(running_.begin(), running_.end(),
                                   Holder{planned_end, job, size});
  BERTH_ASSERT(at != running_.end() && at->job == job);
  running_.erase(at);
}

// The head of the queue; null if nobody waits.
const HeadPromise::Member* HeadPromise::first() {
  const auto waits = [this](const Member& member) {
    const auto* now = queue_.find(member.job);
    return now != nullptr && *now == member;
  };
  while (!heap_.empty() && !waits(heap_.front())) {
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
  }
  return heap_.empty() ? nullptr : &heap_.front();
}

std::optional<HeadPromise::Broken> HeadPromise::judge_start(JobId job, Time now) const {
  if (head_ != job || !promise_ || now <= *promise_ || any_overrun(now)) return {};
  return Broken{job, *promise_, now};
}

std::optional<HeadPromise::Broken> HeadPromise::judge(Time now) {
  const Member* const member = first();
  if (member == nullptr) {
    head_.reset();
    return {};
  }
  const bool same = head_ == member->job;
  head_ = member->job;
  if (any_overrun(now)) {
    promise_.reset();
    return {};
  }
  if (same && !promise_) return {};
  const Time expected = shadow(member->size, now);
  ++judged_;
  if (same && expected > *promise_) return Broken{member->job, *promise_, expected};
  promise_ = expected;
  return {};
}

bool HeadPromise::any_overrun(Time now) const {
  if (running_.empty()) return false;
  const Time first = running_.front().planned_end;
  return lateness_ == Lateness::kAtPlannedEnd ? first <= now : first < now;
}

Time HeadPromise::shadow(std::int64_t size, Time now) const {
  auto available = idle_;
  if (available >= size) return now;
  for (const auto& holder : running_) {
    available += holder.size;
    if (available >= size) return holder.planned_end;
  }
  return kNever;
}

}  // namespace berth::audit

#include "engine/audit/head_promise.hpp"

#include "engine/base/error.hpp"

namespace berth::audit {

void HeadPromise::join(JobId job, double key, std::int64_t size) {
  queue_.insert({key, job, size});
}

void HeadPromise::leave(JobId job, double key, std::int64_t size) {
  queue_.erase({key, job, size});
}

void HeadPromise::start(JobId job, std::int64_t size, Time planned_end) {
  idle_ -= size;
  running_.insert({planned_end, job, size});
}

void HeadPromise::stop(JobId job, std::int64_t size, Time planned_end, Time now) {
  if (now > planned_end) promise_.reset();  // it overran
  idle_ += size;
  running_.erase({planned_end, job, size});
}

std::optional<HeadPromise::Broken> HeadPromise::judge_start(JobId job, Time now) const {
  if (head_ != job || !promise_ || now <= *promise_ || any_overrun(now)) return {};
  return Broken{job, *promise_, now};
}

std::optional<HeadPromise::Broken> HeadPromise::judge(Time now) {
  if (queue_.empty()) {
    head_.reset();
    return {};
  }
  const auto& first = *queue_.begin();
  const bool same = head_ == first.job;
  head_ = first.job;
  if (any_overrun(now)) {
    promise_.reset();
    return {};
  }
  if (same && !promise_) return {};
  const Time expected = shadow(first.size, now);
  ++judged_;
  if (same && expected > *promise_) return Broken{first.job, *promise_, expected};
  promise_ = expected;
  return {};
}

bool HeadPromise::any_overrun(Time now) const {
  if (running_.empty()) return false;
  const Time first = running_.begin()->planned_end;
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

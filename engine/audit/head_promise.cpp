#include "engine/audit/head_promise.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth::audit {

void HeadPromise::start(JobId job, std::int32_t size, Time planned_end) {
  idle_ -= size;
  const auto behind = std::upper_bound(
      running_.begin(), running_.end(), planned_end,
      [](Time end, const Holder& holder) { return end < holder.planned_end; });
  running_.insert(behind, {planned_end, job, size});
}

void HeadPromise::stop(JobId job, std::int32_t size, Time planned_end, Time now) {
  if (now > planned_end) promise_.reset();  // it overran
  idle_ += size;
  auto at = std::lower_bound(
      running_.begin(), running_.end(), planned_end,
      [](const Holder& holder, Time end) { return holder.planned_end < end; });
  while (at != running_.end() && at->job != job) ++at;
  BERTH_ASSERT(at != running_.end());
  running_.erase(at);
}

std::optional<HeadPromise::Broken> HeadPromise::judge(Time now) {
  const auto* const member = queue_.head();
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

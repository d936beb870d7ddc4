#include "engine/audit/head_promise.hpp"

namespace berth::audit {

std::optional<HeadPromise::Broken> HeadPromise::look_and_judge(
    WaitingLine::Member member, Time now) {
  const bool same = head_ == member.job;
  head_ = member.job;
  if (any_overrun(now)) {
    is_promised_ = false;
    return {};
  }
  if (same && !is_promised_) return {};
  const Time expected = shadow(member.size, now);
  ++judged_;
  if (same && expected > promised_) return Broken{member.job, promised_, expected};
  promise(expected);
  return {};
}

Time HeadPromise::shadow(std::int64_t size, Time now) {
  auto available = idle_;
  if (available >= size) return now;
  for (const auto which : running_.in_order()) {
    available += running_[which].size;
    if (available >= size) return running_[which].planned_end;
  }
  return kNever;
}

void HeadPromise::promise(Time at) {
  is_promised_ = true;
  promised_ = at;
  available_ = available_before_ = idle_;
  for (const auto which : running_.in_order()) {
    const auto& holder = running_[which];
    if (holder.planned_end > at) return;
    available_ += holder.size;
    if (holder.planned_end < at) available_before_ += holder.size;
  }
}

}  // namespace berth::audit

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
  const auto expected = shadow(member.size, now);
  ++judged_;
  if (same && expected.at > promised_) {
    return Broken{member.job, promised_, expected.at};
  }
  is_promised_ = true;
  promised_ = expected.at;
  available_ = expected.available;
  available_before_ = expected.available_before;
  return {};
}

// Whose planned end is the shadow time itself counts as available at it.
HeadPromise::Shadow HeadPromise::shadow(std::int64_t size, Time now) {
  Shadow shadow{now, idle_, idle_};
  for (const auto which : running_.in_order()) {
    const auto& holder = running_[which];
    if (holder.planned_end > shadow.at) {
      if (shadow.available >= size) return shadow;
      shadow.available_before = shadow.available;
      shadow.at = holder.planned_end;
    }
    shadow.available += holder.size;
  }
  if (shadow.available >= size) return shadow;
  return {kNever, shadow.available, shadow.available};
}

}  // namespace berth::audit

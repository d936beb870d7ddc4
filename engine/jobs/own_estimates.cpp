#include "engine/jobs/own_estimates.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

void OwnEstimates::started(JobId job, Time expected, Time last) {
  BERTH_ASSERT(expected <= last);
  running_[job] = {expected, last, expected};
  if (expected < last) due_.push({expected, job});
}

Time OwnEstimates::stopped(JobId job, Time now) {
  const auto found = running_.find(job);
  BERTH_ASSERT(found != running_.end());
  const auto of = found->second;
  running_.erase(found);
  return of.estimated >= now ? of.estimated : late_end(of, now - 1);
}

Time OwnEstimates::late_end(const ExpectedRun& of, Time now) const {
  return std::min(rule_.late_end(of.estimated, now), of.last);
}

std::optional<OwnEstimates::Late> OwnEstimates::take_late(Time now) {
  while (!due_.empty() && rule_.has_overrun(due_.top().at, now)) {
    const auto due = due_.top();
    due_.pop();
    const auto found = running_.find(due.job);
    const bool is_live = found != running_.end() && found->second.expected == due.at;
    if (!is_live) continue;
    auto& of = found->second;
    of.expected = late_end(of, now);
    if (of.expected < of.last) due_.push({of.expected, due.job});
    return Late{due.job, of.expected};
  }
  return std::nullopt;
}

}  // namespace berth

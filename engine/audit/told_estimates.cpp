#include "engine/audit/told_estimates.hpp"

#include <algorithm>
#include <tuple>

#include "engine/audit/rules.hpp"

namespace berth::audit {

std::optional<Duration> estimate_at(std::span<const ToldEstimate> told, JobId job,
                                    Time now) {
  const auto behind = std::upper_bound(told.begin(), told.end(), std::tuple(job, now),
                                       [](const auto& at, const ToldEstimate& each) {
                                         return at < std::tuple(each.job, each.at);
                                       });
  if (behind == told.begin() || std::prev(behind)->job != job) return std::nullopt;
  return std::prev(behind)->expected;
}

ScheduleReport check_estimates(std::span<const Job> jobs,
                               std::span<const HeldSpan> holds,
                               std::span<const ToldEstimate> told) {
  ScheduleReport report;
  auto of_job = holds.begin();  // the first hold of a job that is not before this one
  for (const auto& each : told) {
    const auto& job = jobs[index(each.job)];
    of_job = std::find_if(of_job, holds.end(),
                          [&](const HeldSpan& hold) { return !(hold.job < each.job); });
    bool enters = each.at == job.submit;
    for (auto at = of_job; at != holds.end() && at->job == each.job; ++at) {
      enters = enters || at->back == each.at;
    }
    report.note(kEstimates, enters, each.at, job.id, [] {
      return "an estimate is told, and it does not enter the queue then";
    });
    report.note(kEstimates, 0 <= each.expected && each.expected <= job.walltime,
                each.at, job.id,
                [] { return "its estimate is not from 0 to its walltime"; });
  }
  return report;
}

}  // namespace berth::audit

#pragma once
// L6 of a schedule whose log tells what its policy expected of the jobs: each estimate
// is from 0 to the walltime of its job, and told as the job enters the queue.

#include <optional>
#include <span>

#include "engine/audit/life_check.hpp"
#include "engine/audit/schedule_check.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"

namespace berth::audit {

// The estimate in force at `now`; nullopt: none was told, so it is the walltime.
// REQUIRES: by (job, at).  O(log n).
[[nodiscard]] std::optional<Duration> estimate_at(std::span<const ToldEstimate> told,
                                                  JobId job, Time now);

// `holds`: as of HeldSchedule, where hits and returns are known.
// REQUIRES: told and holds by job, and then in the order of time.
[[nodiscard]] ScheduleReport check_estimates(std::span<const Job> jobs,
                                             std::span<const HeldSpan> holds,
                                             std::span<const ToldEstimate> told);

}  // namespace berth::audit

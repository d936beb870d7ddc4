#pragma once
// The jobs of a schedule in which jobs wait for others, as they were released (L1).

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/audit/schedule_check.hpp"
#include "engine/jobs/job_links.hpp"
#include "study/inputs/schedule_judge.hpp"

namespace berth::study {

struct ReleasedJobs {
  // By (release, id), which is their submit here.  Jobs that are held to the end are
  // not among them.
  std::vector<Job> jobs;
  std::vector<std::uint32_t> order;  // by job, its index in the workload
  // By job: one of its links can never be satisfied, which is why it was rejected.
  std::vector<bool> is_refused;
  audit::ScheduleReport found;  // dependencies
};

// Judges each release by what the rows say of the parents, and numbers the jobs of rows
// and stretches anew.  `is_rejected_at_once`: a job whose row says that it was rejected
// left as it came in; else a row does not tell when, and its children do.
// Throws Error{kUsage} where there are no rows, or they do not tell releases.
// REQUIRES: jobs by (submit, id); the schedule was read with them.
[[nodiscard]] ReleasedJobs take_releases(
    std::span<const Job> jobs, const JobLinks& links, GivenSchedule& given,
    const std::function<bool(JobId)>& is_rejected_at_once);

}  // namespace berth::study

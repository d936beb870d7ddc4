#pragma once
// CPU use of the processes of each job from a file, instead of draws.
//
// Format       CSV; the first line names job_id and use, and may name declared.  One
//              line for each process, the processes of a job in any place; jobs that
//              are not named are drawn.

#include <string>

#include "engine/base/long_view.hpp"
#include "engine/hosts/two_tier_settings.hpp"
#include "engine/jobs/job.hpp"

namespace berth::study {

// Throws Error{kInput} "file:line:column: what" for a line that is wrong: a column that
// is missing, a use that is not in (0, 1], a job that the workload has not, or one with
// more or fewer lines than processes.
[[nodiscard]] CpuGivenTable read_cpu_use(const std::string& path,
                                         const LongView<Job>& jobs);

}  // namespace berth::study

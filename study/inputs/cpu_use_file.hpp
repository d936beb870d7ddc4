#pragma once
// CPU use of the processes of each job from a file, instead of draws.
//
// Format       CSV; the first line names job_id and use, and may name declared.  One
//              line for each process, the processes of a job in any place; jobs that
//              are not named are drawn.

#include <string>

#include "engine/base/spilling_view.hpp"
#include "engine/jobs/job_columns.hpp"
#include "engine/workload/byte_source.hpp"

namespace berth::study {

// Adds the columns cpu_use and, if declared uses are given, cpu_declared.
// Throws Error{kInput} "file:line:column: what" for a line that is wrong: a column that
// is missing, a use that is not in (0, 1], a job that the workload has not, or one with
// more or fewer lines than processes.
void read_cpu_use(const std::string& path, const SpillingView<Job>& jobs,
                  JobColumns& columns);
// The same from a source; `name` is for messages.
void read_cpu_use(ByteSource& source, const std::string& name,
                  const SpillingView<Job>& jobs, JobColumns& columns);

}  // namespace berth::study

#pragma once
// What each task of a job needs of a host, from a file.
//
// Format       CSV; the first line names job_id, cpu and memory, in parts of a host.
//              Every job of the workload has one line.

#include <string>

#include "engine/base/spilling_view.hpp"
#include "engine/jobs/job_columns.hpp"

namespace berth::study {

// Adds the columns cpu_need and memory_need.  Throws Error{kInput} "file:line:column:
// what" for a line that is wrong: a column that is missing, a job that the workload has
// not or that has a line already, CPU that is not above 0 and at most 1, memory that is
// below 0 or above 1,000; and "file:1:1" for a job without a line.
void read_task_needs(const std::string& path, const SpillingView<Job>& jobs,
                     JobColumns& columns);

}  // namespace berth::study

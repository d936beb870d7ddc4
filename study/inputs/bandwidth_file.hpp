#pragma once
// The bandwidth that each job asks for, from a file instead of draws.
//
// Format       CSV; the first line names job_id and bandwidth (Mb/s of each VM).  Every
//              job of the workload has one line.

#include <string>

#include "engine/base/spilling_view.hpp"
#include "engine/jobs/job_columns.hpp"

namespace berth::study {

// Adds the column bandwidth.  Throws Error{kInput} "file:line:column: what" for a line
// that is wrong: a column that is missing, a job that the workload has not, or that has
// a line already, a bandwidth that is not a number from 0 to 10^9, or so small that it
// rounds to 0 kbit/s; and "file:1:1" for a job without a line.
void read_bandwidths(const std::string& path, const SpillingView<Job>& jobs,
                     JobColumns& columns);

}  // namespace berth::study

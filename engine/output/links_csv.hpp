#pragma once
// links.csv: which jobs waited for which, in the form of workload.dependencies: of
// copies, arrays and inferred links those that held jobs in the run.
//
// Columns      job_id,kind,parent,delay
// Order        by parent, then by child, as in the workload

#include <span>

#include "engine/jobs/job.hpp"
#include "engine/jobs/job_links.hpp"
#include "engine/output/sink.hpp"

namespace berth {

// REQUIRES: the jobs are those of the links.
void write_links(Sink& sink, const JobLinks& links, std::span<const Job> jobs);

}  // namespace berth

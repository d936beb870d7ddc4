#pragma once
// What a policy expected of its jobs, as the log of its run tells it.

#include <span>
#include <string>
#include <vector>

#include "engine/audit/life_check.hpp"
#include "engine/base/budget.hpp"
#include "engine/jobs/job.hpp"

namespace berth::study {

// The records "estimate" of a log.jsonl, plain or gzip, by job and then in the order of
// the log.  Throws Error{kInput} "file:line: what" for a line that is no such record of
// these jobs.
[[nodiscard]] std::vector<audit::ToldEstimate> read_estimates(const std::string& path,
                                                              std::span<const Job> jobs,
                                                              Budget& budget);

}  // namespace berth::study

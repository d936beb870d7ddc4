#pragma once
// What jobs of a log need on a machine with hosts or with further kinds of resource.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/workload/formats/log.hpp"

namespace berth::study {

// By column of job_needs.hpp, then by number of the job.
using NeedsOfLog = std::map<std::string, std::map<std::int64_t, std::vector<double>>>;

// Chunks and kinds.  On hosts a job is as many equal chunks as it had hosts, if its
// size and its amounts of kinds on hosts divide by that; else as many chunks of one
// processor as its size, if these divide by it; else one chunk.  The last two count as
// `uneven_chunks` of the log, where it tells how many hosts the job had or its amounts
// do not divide; with options.strict the first is an error.  Kinds that the machine has
// not are named in the notes of the log.
[[nodiscard]] NeedsOfLog needs_of_log(JobLog& log, const Resources& resources,
                                      const LogOptions& options, Budget& budget);

// Gives partitions of the jobs the numbers that those of these names have, 1, 2, ...;
// others get the numbers behind them.
void number_partitions(JobLog& log, const std::vector<std::string>& names,
                       Budget& budget);

}  // namespace berth::study

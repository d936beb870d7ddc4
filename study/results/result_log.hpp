#pragma once
// The result of a run as a log: its jobs, with the waits that they had in the run.

#include <string>

#include "engine/base/budget.hpp"
#include "engine/workload/formats/log.hpp"

namespace berth::study {

// Reads jobs.csv in the folder of one policy, and from manifest.json, if it is there,
// the size of the machine and the Unix time of time 0.  All jobs of the run are there;
// one that never started has no wait.  Memory and kinds of resource are not in results.
// Throws Error{kInput} for a folder that is no result of one policy, with those in it.
[[nodiscard]] JobLog read_result_as_log(const std::string& folder, Budget& budget);

}  // namespace berth::study

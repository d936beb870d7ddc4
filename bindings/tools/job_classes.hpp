#pragma once
// The classes of a workload, from what a scenario says of them.
//
// A condition is an expression of Lua on `job` (condition.hpp): "job.size >= 64 and
// job.walltime <= 3600", which has the word `job`.  The older form, "size >= 64 and
// walltime <= 1h", means the same: comparisons (<, <=, >, >=, ==, !=) of size,
// walltime, length, area (size times length, in processor seconds), user, group, queue,
// executable or partition with a number, times in seconds or as "1h"; all of them must
// hold.

#include <string>
#include <vector>

#include "bindings/sandbox/sandbox.hpp"
#include "bindings/tools/run_jobs.hpp"
#include "engine/base/budget.hpp"
#include "engine/metrics/job_class.hpp"

namespace berth::bindings {

// What is wrong with the class as far as it can be known without jobs; empty: nothing.
// A name has letters, digits and "_", the first no digit.
[[nodiscard]] std::string wrong_with(const JobClasses::Named& one);

// The named classes, then "user=7" and so on for the values that these jobs have, in
// ascending order; unknown values make no class.  Throws Error{kInput} for more than a
// thousand, Error{kPolicy} for a condition that fails or answers no boolean, and
// Error{kTime, kMemory} for one that reaches a limit of one decision.
// REQUIRES: nothing is wrong with the classes.
// Memory: 2 bytes a job for each named class and each field.
[[nodiscard]] std::vector<JobClass> classes_of(const JobClasses& said,
                                               const SubmittedJobs& jobs,
                                               const Limits& limits, Budget& budget);

}  // namespace berth::bindings

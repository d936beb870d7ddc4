#pragma once
// What the workload models (lublin, jann, feitelson) have in common.

#include <cstdint>
#include <string_view>

#include "engine/workload/workload.hpp"

namespace berth {

// A workload without jobs, with room for `jobs` of them.
[[nodiscard]] Workload model_workload(std::string_view model, std::int32_t processors,
                                      std::int64_t jobs);

// Appends a job with the next number, from 1, without a given walltime.  Throws
// Error{kInput} naming the model if the submit time is out of range.
// REQUIRES: submit (in seconds) is not before that of the last job.
Job& add_model_job(Workload& workload, double submit, std::int32_t size,
                   Duration length);

// `time` seconds, rounded to whole seconds, at least 1.
[[nodiscard]] Duration whole_seconds(double time);

}  // namespace berth

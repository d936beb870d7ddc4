#pragma once
// What the workload models (lublin, jann, feitelson) have in common.

#include <cstdint>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// A workload without jobs, with room for `jobs` of them.
[[nodiscard]] Workload model_workload(std::string_view model, std::int32_t processors,
                                      std::int64_t jobs);

struct ModelJob {
  double submit;  // in seconds
  std::int32_t size;
  Duration length;
};

// Appends a job with the next number, from 1, without a given walltime, and charges
// kUnitsOfModelJob for the draws that made it.  Throws Error{kInput} naming the model
// if the submit time is out of range.
// REQUIRES: submit is not before that of the last job.
inline constexpr std::int64_t kUnitsOfModelJob = 8;
Job& add_model_job(Workload& workload, const ModelJob& made, Budget& budget);

// `time` seconds, rounded to whole seconds, at least 1.
[[nodiscard]] Duration whole_seconds(double time);

}  // namespace berth

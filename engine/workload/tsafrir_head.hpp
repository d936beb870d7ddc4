#pragma once
// The twenty popular estimates of the model in tsafrir.hpp: which values, and how
// often.

#include <vector>

#include "engine/base/random_stream.hpp"
#include "engine/workload/tsafrir.hpp"

namespace berth {

inline constexpr double kHeadShare = 89;  // percent of all jobs

// The twenty popular values with their shares, by value; the shares add up to
// kHeadShare. Throws Error{kInput} as estimate_histogram.
[[nodiscard]] std::vector<EstimateShare> popular_estimates(
    const TsafrirSettings& settings, RandomEngine& engine);

}  // namespace berth

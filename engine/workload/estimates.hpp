#pragma once
// Simple models of what users ask for.  The detailed one is in tsafrir.hpp.

#include <cstdint>

#include "engine/base/time.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Every walltime becomes the length.  Such jobs count as without a walltime, so that
// reports say that their estimates are exact.
void estimate_exactly(Workload& workload);

// Every walltime becomes length * k, k a whole number drawn uniformly from 1 to 5,
// rounded up to a usual limit.  Draws in sequence from the stream workload.estimate of
// the seed.
void estimate_by_factor(Workload& workload, std::uint64_t seed);

// The smallest usual limit >= time: 1, 5, 10, 15, 20, 30 min, 1, 2, 3, 4, 5, 6, 8, 10,
// 12, 18 h, then whole days.
[[nodiscard]] Duration usual_limit(Duration time);

}  // namespace berth

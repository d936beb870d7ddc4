#pragma once
// Simple models of user estimates (walltimes).  See also tsafrir.hpp.

#include <cstdint>

#include "engine/base/budget.hpp"
#include "engine/base/time.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Sets every walltime to the length and marks it as not given, so that reports count
// the estimate as exact.
void estimate_exactly(Workload& workload, Budget& budget);

// Sets every walltime to usual_limit(length * k), k uniform in 1..5.  Draws in sequence
// from the stream workload.estimate.
void estimate_by_factor(Workload& workload, std::uint64_t seed, Budget& budget);

// The smallest usual limit >= time: 1, 5, 10, 15, 20, 30 min, 1, 2, 3, 4, 5, 6, 8, 10,
// 12, 18 h, then whole days.
[[nodiscard]] Duration usual_limit(Duration time);

}  // namespace berth

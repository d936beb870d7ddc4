#pragma once
// How large a machine a log shows.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth::study {

struct MostInUse {
  std::int64_t processors = 0;
  Time at = 0;  // when that was so first
};

// Adds up the changes of use, given with their times: ends are below 0, and come before
// starts at one instant.  O(n log n).
[[nodiscard]] MostInUse most_in_use(std::vector<std::pair<Time, std::int64_t>> changes,
                                    Budget& budget);

// Throws Error{kInput}: the size is not known; names the most processors that were in
// use at once by the recorded starts, a lower bound, and when.  O(n log n).
[[noreturn]] void refuse_without_size(const Workload& workload, Budget& budget);

}  // namespace berth::study

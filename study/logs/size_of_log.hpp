#pragma once
// How large a machine a log shows.

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth::study {

// Throws Error{kInput}: the size is not known; names the most processors that were in
// use at once by the recorded starts, a lower bound, and when.  O(n log n).
[[noreturn]] void refuse_without_size(const Workload& workload, Budget& budget);

}  // namespace berth::study

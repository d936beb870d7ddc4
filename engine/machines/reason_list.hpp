#pragma once
// Every reason for which a job may wait: those of every machine, and those of refusals
// that one machine has.

#include <vector>

#include "engine/explain/reason.hpp"

namespace berth {

// In the order in which they are judged.
[[nodiscard]] const std::vector<Why>& all_reasons();

}  // namespace berth

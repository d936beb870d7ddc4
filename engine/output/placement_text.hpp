#pragma once
// Where a job sat, as result files write it.

#include <string>

#include "engine/base/placement.hpp"

namespace berth {

// Processors from 0, as "0-3 8"; empty for nullptr.
[[nodiscard]] std::string placement_text(const Placement* placement);

}  // namespace berth

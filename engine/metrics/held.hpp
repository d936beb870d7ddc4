#pragma once
// How many processors a placement takes from the machine.

#include <cstdint>

#include "engine/base/placement.hpp"

namespace berth {

[[nodiscard]] std::int64_t held_processors(const Placement& placement);

}  // namespace berth

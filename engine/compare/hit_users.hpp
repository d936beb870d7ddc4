#pragma once
// The users whom a policy serves best and worst.  For compare/ only.

#include <span>
#include <vector>

#include "engine/compare/comparison.hpp"

namespace berth {

// At each cell, for each policy but the first.
[[nodiscard]] std::vector<Comparison::HitUsers> hit_users(
    std::span<const ComparedCell> cells);

}  // namespace berth

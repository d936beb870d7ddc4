#pragma once
// What stands below the table of a sweep.  For the implementation files of this folder.

#include <span>
#include <string>
#include <vector>

#include "engine/compare/replicated.hpp"

namespace berth {

// Cell by cell, for each policy but the first; none where no user can be compared.
[[nodiscard]] std::vector<ReplicatedComparison::HitUsers> hit_users(
    std::span<const ReplicatedCell> cells);

// REQUIRES: all of the comparison but its notes is made.
[[nodiscard]] std::vector<std::string> replicated_notes(
    const ReplicatedComparison& comparison, std::span<const ReplicatedCell> cells);

}  // namespace berth

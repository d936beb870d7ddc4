#pragma once
// What is left of the hosts, given to jobs: yields above the common one.
//
// The placement and the smallest yield stay.  All tasks of a job get the same share, so
// a yield is one number a job.  Section 3.4 of the paper; for parallel jobs section 5.

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

enum class Raising : std::uint8_t {
  // Jobs by their total CPU need, least first, ties by number, each as far as its hosts
  // allow.  The largest mean yield if all jobs have one task.
  kAverage,
  // All together, a job stopping when one of its hosts is full: the lexicographically
  // largest yields.
  kMaxMin,
  kNone,
};
// "average", "max_min", "none"; nullopt otherwise.
[[nodiscard]] std::optional<Raising> raising(std::string_view name);

// Starts from the largest common yield of the placement, whatever yields `packing` has.
// REQUIRES: packed.
[[nodiscard]] Packing raised(const Problem& problem, Budget& budget, Packing packing,
                             Raising how);

}  // namespace berth::pack

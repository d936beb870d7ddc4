#pragma once
// Local search: moves and swaps off the most loaded host.  Not of the paper.
//
// Of all moves of one of its tasks elsewhere, and all swaps with a task of less CPU
// elsewhere, that fit in memory, the one after which the larger load of the two hosts
// is smallest; ties: least memory moved against the present placement, then task, other
// task (a move before a swap), host.  Ends when that load does not fall, or is at
// most 1.

#include <limits>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// Never worse than `packing`.  `allowance`: no step after which more memory (in hosts)
// has moved in all against the present placement.  The yields are the new common yield.
// A failure is returned as it is.
[[nodiscard]] Packing improved(const Problem& problem, Budget& budget, Packing packing,
                               double allowance = kUnlimited);

}  // namespace berth::pack

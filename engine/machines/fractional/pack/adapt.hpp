#pragma once
// A packing near the present placement: tasks that have a host move only within an
// allowance of memory.  Section 6 of the paper states the problem; the heuristic is
// ours.

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"
#include "engine/machines/fractional/pack/search.hpp"

namespace berth::pack {

// The better of two, ties: less memory moved.
//  1. Tasks that have a host keep it, new ones are placed by SG beside them; improved
//     within the allowance.
//  2. MCB8 on everything, renumbered; if that keeps the allowance, improved within what
//  is
//     left of it.
// `allowance`: memory that may move in all, in hosts.  Fails where both do.
[[nodiscard]] Packing adapted(const Problem& problem, Budget& budget, double allowance,
                              const SearchSettings& settings = {});

}  // namespace berth::pack

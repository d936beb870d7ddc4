#pragma once
// A packing made from nothing numbers its hosts arbitrarily.  Hosts are identical, so
// its bins are matched to the present placement: little memory then moves.

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

// The same packing with hosts exchanged.  The (bin, host) pair that keeps most memory
// goes first, ties by bin, then host; bins that keep none take the remaining hosts in
// order; then two bins exchange hosts while that keeps more, the first such pair in the
// order of bins, again from the start.  Never moves more than `packing` as numbered.
// As it is if no task has a host now, or if it is a failure.
[[nodiscard]] Packing renumbered(const Problem& problem, Budget& budget,
                                 Packing packing);

}  // namespace berth::pack

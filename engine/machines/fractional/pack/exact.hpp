#pragma once
// The best packing, by branch and bound.
//
// Depth first: tasks by their larger need, largest first; hosts by load, least first;
// of hosts that hold the same amounts only the first is tried.  A branch is cut when
// the largest load cannot fall below that of the best packing found.  Ends at once when
// a packing meets the bound.

#include <cstdint>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

struct Proven {
  Packing packing;
  // No packing has a larger smallest yield; 0 if none exists at all.
  double bound = 0;

  // By how much the best packing may be short of the optimum, as a share of the bound.
  // 0: it is the optimum, or there is none.  1: nothing found, nothing proven.
  [[nodiscard]] double gap() const {
    return bound > 0 ? (bound - packing.yield) / bound : 0;
  }
};

// kLimit if `nodes` placements of a task were tried and no packing was found.  With one
// found it is returned, and the gap says whether more nodes could do better.
[[nodiscard]] Proven exact(const Problem& problem, Budget& budget,
                           std::int64_t nodes = 1'000'000);

}  // namespace berth::pack

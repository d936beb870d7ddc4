#pragma once
// The yardstick of packing: MCB8 as it reads.  At each yield both lists are made and
// sorted anew; for each place on a host they are searched from the front; a task that
// is placed is erased.  Frozen: never made quicker.

#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::bench {

// The placement of pack::mcb(problem), task for task.
[[nodiscard]] pack::Packing plain_mcb(const pack::Problem& problem);

}  // namespace berth::bench

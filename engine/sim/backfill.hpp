#pragma once
// Aggressive backfilling in one step: the pass of EASY over a queue in some order.
//
// Source       EASY: Mu'alem and Feitelson 2001; docs/model.md#shadow.
// Order        That of the view; ties by job number.
// Cost         One search of the queue for each start, and the reservation.

#include <cstdint>
#include <optional>

#include "engine/sim/selection.hpp"

namespace berth::sim {

// Starts members in order while they fit, reserves for the first that does not, and
// starts every member behind it that fits now and that the reservation admits: because
// it ends by the reserved start, or out of the spare processors.  With a depth only the
// first `depth` members behind it are considered, whether or not they fit.
//
// Returns the reservation, charged with the starts.  nullopt: all members were started,
// or no release can ever make room for the one that does not fit; then no member behind
// it is started.
std::optional<PlanId> backfill(Simulation& simulation, std::size_t order,
                               std::int64_t depth = kAnyDepth);

}  // namespace berth::sim

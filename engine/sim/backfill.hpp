#pragma once
// Aggressive backfilling in one step: the pass of EASY over a queue in some order.
//
// Source       EASY: Mu'alem and Feitelson 2001; spec: backfilling 5.1.
// Order        That of the view; ties by job number.  Behind the reservation a member
//              that is refused is passed over.
// Cost         One search of the queue for each start, and the reservation.

#include <cstdint>
#include <optional>

#include "engine/sim/simulation.hpp"

namespace berth::sim {

// Starts members in order until one is refused, reserves for that one, and starts every
// member behind it that fits now and that the reservation admits: who ends by its
// start, or takes what it spares.  With a depth only the first `depth` members behind
// it are tried, fitting or not.
//
// Gives the reservation, charged with what was started.  nullopt: all were started, or
// nothing can ever make room for the one refused; then nobody is started behind it.
std::optional<PlanId> backfill(Simulation& simulation, std::size_t order,
                               std::optional<std::int64_t> depth = {});

}  // namespace berth::sim

#pragma once
// Brings a simulation to its end, with looks at the world outside on the way.

#include <cstddef>
#include <functional>

#include "engine/base/spilling_view.hpp"
#include "engine/jobs/job.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::study {

struct Watch {
  // Whether the user wants to stop.  Null: never.
  std::function<bool()> interrupted;
  // How many jobs have been submitted, of how many.  Null: nobody looks.
  std::function<void(std::size_t submitted, std::size_t of)> progress;
};

// Advances to the end and finishes.  Throws Interrupted within some hundred jobs of the
// user's wish, and whatever the simulation throws.  What is watched changes no result.
// Jobs behind are let go, so that a file of them takes the memory of those in the
// system.  REQUIRES: `jobs` are those of the simulation.
void drive(sim::Simulation& simulation, const SpillingView<Job>& jobs,
           const Watch& watch);

}  // namespace berth::study

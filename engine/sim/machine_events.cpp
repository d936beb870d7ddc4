#include "engine/sim/machine_events.hpp"

#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::sim {

void MachineEvents::hold(Simulation& simulation, const SystemClaim& claim) {
  auto& world = simulation.parts().world;
  const JobId job = world.jobs().system_job(claim.number);
  const Time now = world.now();
  world.state().running.insert(job, claim.processors, claim.until);
  if (auto* book = world.book_if_used()) {
    book->started({job, claim.processors, claim.until - now}, now, claim.until);
  }
}

void MachineEvents::give_back(Simulation& simulation, const SystemClaim& claim) {
  auto& world = simulation.parts().world;
  const JobId job = world.jobs().system_job(claim.number);
  world.state().running.erase(job, claim.until);
  if (auto* book = world.book_if_used()) book->stopped(job, world.now());
}

}  // namespace berth::sim

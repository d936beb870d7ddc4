#pragma once
// Capability of machines on which something happens besides jobs: a sharing model
// implements it, and adds the events to Simulation's agenda.

#include <cstdint>

#include "engine/base/ids.hpp"

namespace berth::sim {

class Simulation;

class MachineEvents {
 public:
  virtual ~MachineEvents() = default;
  // Adds the events that are known.  Called before the first event.
  virtual void begin(Simulation&) {}
  // An event of the kind kOfJob is due.  REQUIRES: the job runs, and has not stopped
  // since the event was added.
  virtual void happen_to(JobId, Simulation&) {}
  // An event of the kind kOfMachine is due, which was added with this number.  Whether
  // the policy is called (kCapacityChanged).
  virtual bool happen(std::uint32_t, Simulation&) { return false; }
};

}  // namespace berth::sim

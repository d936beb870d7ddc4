#pragma once
// Capability of machines on which something happens besides jobs: a sharing model
// implements it, and adds the events to Simulation's agenda.

#include "engine/base/ids.hpp"

namespace berth::sim {

class Simulation;

class MachineEvents {
 public:
  virtual ~MachineEvents() = default;
  // An event of the kind kOfJob is due.  REQUIRES: the job runs, and has not stopped
  // since the event was added.
  virtual void happen_to(JobId job, Simulation& simulation) = 0;
  // An event of the kind kOfMachine is due; the policy is called in any case.
  virtual void happen(Simulation&) {}
};

}  // namespace berth::sim

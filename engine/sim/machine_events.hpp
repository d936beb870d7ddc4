#pragma once
// Capability of machines on which something happens besides jobs: a sharing model
// implements it, and adds the events to Simulation's agenda.

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/base/ids.hpp"
#include "engine/base/machine_fact.hpp"
#include "engine/base/time.hpp"

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
  // A figure that the machine keeps, for an audit to count anew; null: it keeps none.
  // Asked at the end of each 64th pass that is made.
  [[nodiscard]] virtual std::unique_ptr<const MachineFact> tell() const {
    return nullptr;
  }

 protected:
  // The machine holds processors itself for a time, as while a host is down.  To plans
  // and to the book that is a running job, whose expected end moves on as that of a job
  // which overruns; it has no entry, no record and no place among the jobs that a
  // policy sees.
  struct SystemClaim {
    std::uint32_t number;  // of its job: JobTable::system_job
    std::int32_t processors;
    Time until;  // expected end
  };
  // The machine, which has taken the processors already, holds them from now on.
  // REQUIRES: the claim ends later than now; no other has its number.
  static void hold(Simulation& simulation, const SystemClaim& claim);
  // It has given them back, early or late.  REQUIRES: held.
  static void give_back(Simulation& simulation, const SystemClaim& claim);

  // The machine keeps processors (HasIdleBlocks) or hosts free of jobs, which is known
  // from now on.
  static void announce_block(Simulation& simulation);

  // So many processors are down from now on.
  static void set_down(Simulation& simulation, std::int64_t processors);
  // The job takes what it needs of the machine, and begins an attempt unless it was
  // suspended.  REQUIRES: jobs write checkpoints.
  static void begin_attempt(Simulation& simulation, JobId job);
  // The running job loses all that it holds and has done, but for what a checkpoint has
  // of it, and waits again or fails (HostLife).  When it is to come back, for an event
  // that calls come_back; nullopt: it has, or never will.
  static std::optional<Time> hit(Simulation& simulation, JobId job);
  // The job that was hit is in the queue again.  REQUIRES: it is returning.
  static void come_back(Simulation& simulation, JobId job);
};

}  // namespace berth::sim

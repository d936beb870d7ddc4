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
  // The hooks of an instant or a pass begin, and what is expected of running jobs is up
  // to date: what the machine holds itself may be expected to end at another time now.
  virtual void expect_anew(Simulation&) {}
  // Whether what the machine holds by this number keeps reservations away, in a book
  // that is made now.  REQUIRES: held.
  [[nodiscard]] virtual bool is_in_book(std::uint32_t) const { return true; }
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
    Time until;  // expected end, which may have passed
    // Whether it keeps reservations away; else the machine's profiles do.
    bool is_in_book = true;
  };
  // The machine, which has taken the processors already, holds them from now on; of
  // none it tells when more are expected.  REQUIRES: no other claim has its number.
  static void hold(Simulation& simulation, const SystemClaim& claim);
  // The claim is expected to end then, which is later.  REQUIRES: held.
  static void expect(Simulation& simulation, const SystemClaim& claim, Time until);
  // It has given them back, early or late.  REQUIRES: held.
  static void give_back(Simulation& simulation, const SystemClaim& claim);
  // Makes reservations anew if one is due for which there is no room, where what the
  // machine holds is not in the book.
  static void require_room_for_due(Simulation& simulation);
  // What the job, or one of the system, sits on may be reserved sooner from now on than
  // its profile allowed, as when a host that drains comes back.
  static void announce_gain(Simulation& simulation, JobId job, std::int32_t processors,
                            Time until);
  // As the running job ends it leaves so many processors to jobs.
  static void set_left(Simulation& simulation, JobId job, std::int32_t processors);

  // There is less of the machine than was known, as when hosts go down, or when it
  // keeps processors (HasIdleBlocks) or hosts free of jobs.
  static void announce_loss(Simulation& simulation);

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

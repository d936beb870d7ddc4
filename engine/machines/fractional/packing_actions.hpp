#pragma once
// The actions and questions of machines whose hosts are shared by fractions (see
// hosts/fractions.hpp), as those of actions.hpp: ask, then change, then tell.
//
// Source       Stillwell, Schanzenbach, Vivien, Casanova 2009;
// docs/model.md#fractional.

#include <span>
#include <vector>

#include "engine/machines/fractional/fractions.hpp"
#include "engine/machines/fractional/pack/packing.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::sim {

// What becomes of running jobs for which a repacking has no seat.
enum class LeftOut : std::uint8_t { kWrong, kSuspended };

class PackingActions {
 public:
  // Error{kPolicy} on a machine without fractions.  The simulation outlives it.
  explicit PackingActions(Simulation& simulation);

  // These jobs and where they are now, as values for the packers of pack/: memory
  // as parts of a host, jobs numbered by JobId.
  // Error{kPolicy} for a job that neither waits, is suspended nor runs.
  // REQUIRES: no job twice.
  [[nodiscard]] pack::Problem problem(std::span<const JobId> jobs) const;
  // GiB of a host.
  [[nodiscard]] double host_gib() const;

  // Another yield for all tasks of a running job.  kBusy if a host has not so much
  // left. Error{kPolicy} outside [0, 1].
  [[nodiscard]] Result<Done, Refusal> share(JobId job, double yield);

  // All seats at once: waiting jobs start, suspended ones resume, running ones move or
  // get other shares.  A job that keeps hosts and yield is left alone.  A moved job is
  // frozen for the migration delay.
  // kOverBudget: more memory than the machine moves at once; kNoPacking: the seats do
  // not fit the hosts.
  // Error{kPolicy}: a job that left or stands twice, as many hosts as tasks not given,
  // a host that does not exist, a yield outside [0, 1]; a running job without a seat,
  // unless such jobs are suspended.
  [[nodiscard]] Result<Done, Refusal> repack(std::span<const Seat> seats,
                                             LeftOut left_out = LeftOut::kWrong);

  // The share of the job that was set `cap_delay` ago takes hold; nothing if the job
  // has ended since.
  void settle(JobId job);

 private:
  struct Step;  // what a repacking comes to

  [[nodiscard]] Step plan(std::span<const Seat> seats, LeftOut left_out) const;
  void check(const Seat& seat) const;
  [[nodiscard]] std::vector<JobId> without_seat(std::span<const Seat> seats) const;
  void suspend(JobId job, Orders::Keys keys);
  void move(const Seat& seat, bool moved);
  // After these jobs got other shares: the events at which their rates follow.
  void expect_rates(std::span<const Seat> changed);
  void start(const Seat& seat);
  void tell_share(JobId job, bool moved, Time frozen_until);
  [[nodiscard]] const TaskHosts& place(JobId job) const {
    return *world_.hosts().placement(job).form_if<TaskHosts>();
  }

  World& world_;
  Orders& orders_;
  Fractions& fractions_;
};

}  // namespace berth::sim

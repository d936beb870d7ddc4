#pragma once
// Capability of machines whose hosts are shared by fractions: a task gets a share of
// the CPU of its host, and all the memory it needs.
//
// The yield of a job, 0..1, is the part of its CPU need that each of its tasks gets.
// Memory is counted in KiB and never exceeded; the shares of a host add up to at most
// 1 + kShareEps, which is far above rounding.
//
// Source       Stillwell, Schanzenbach, Vivien, Casanova 2009;
// docs/model.md#fractional.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/machines/fractional/task_hosts.hpp"
#include "engine/machines/fractional/task_needs.hpp"

namespace berth {

// The hosts have no room for the tasks now; more memory would move than the budget
// allows.
inline constexpr WhyRecord kNoPackingWhy{kMachineRoomRank, "no_packing", "no packing",
                                         "Resources",
                                         "The hosts have no room for its tasks."};
inline constexpr RefusalWord kNoPackingWord{"no_packing", kNoPackingWhy};
inline constexpr Refusal kNoPacking{kNoPackingWord};
inline constexpr WhyRecord kOverBudgetWhy{
    kMachineRoomRank, "over_budget", "over budget", "Resources",
    "It would move more memory than the budget allows."};
inline constexpr RefusalWord kOverBudgetWord{"over_budget", kOverBudgetWhy};
inline constexpr Refusal kOverBudget{kOverBudgetWord};

constexpr double kShareEps = 1e-9;

// Where the tasks of one job are to be, and with which yield.
struct Seat {
  JobId job;
  TaskHosts place;
};

class Fractions {
 public:
  virtual ~Fractions() = default;

  // Of each task of the job.
  [[nodiscard]] virtual TaskNeeds needs(JobId job, const Demand& demand) const = 0;
  // KiB of a host.
  [[nodiscard]] virtual std::int64_t host_memory() const = 0;
  // KiB that one action may move between hosts; the largest number: any amount.
  [[nodiscard]] virtual std::int64_t migration_budget() const = 0;
  // Whether the job could have this yield where it is.
  // REQUIRES: it has an allocation, 0 <= yield <= 1.
  [[nodiscard]] virtual bool can_share(JobId job, double yield) const = 0;
  // Whether hosts have room for these seats once everything else has left.
  // REQUIRES: hosts exist.
  [[nodiscard]] virtual bool can_seat(std::span<const Seat> seats) const = 0;
  // Gives jobs other hosts and yields, all in one step.  Appends each of them.
  // REQUIRES: each has an allocation and is named once; the seats, with those of the
  // jobs not named, keep within the hosts.
  virtual void reseat(std::span<const Seat> seats, Time now, Affected& affected) = 0;
  // For so long after `reseat` a job that does not stand still keeps its rate.
  [[nodiscard]] virtual Duration cap_delay() const = 0;
  // From now on the job has the rate of its share if `reseat` was that long ago; then
  // appends it.  REQUIRES: it has an allocation.
  virtual void settle(JobId job, Time now, Affected& affected) = 0;
};

// Tasks of a job that change host.  Tasks of one job are alike, so that only their
// number on each host counts.  REQUIRES: as many before as after.
[[nodiscard]] std::int64_t moved_tasks(const TaskHosts& before, const TaskHosts& after);

}  // namespace berth

#pragma once
// The actions and questions of machines with two tiers (see tiers.hpp), as those
// of actions.hpp: ask, then change, then tell.
//
// Source       Liu et al. 2012; docs/model.md#two-tier.

#include "engine/machines/two_tier/tiers.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::sim {

class TierActions {
 public:
  // Error{kPolicy} on a machine without tiers.  The simulation outlives it.
  explicit TierActions(Simulation& simulation);

  // Whether the job runs in the background.
  [[nodiscard]] bool in_background(JobId job) const {
    return world_.jobs().runs_without_expected_end(job);
  }
  // How long the job would be frozen if it were promoted, or started, now: 0 for a
  // waiting job and for one that can swap.
  [[nodiscard]] Duration freeze_if_promoted(JobId job) const;

  // A waiting job onto usable background slots.  kNoRoom.
  [[nodiscard]] Result<Done, Refusal> start_background(JobId job);
  // A background job to the foreground, on the processors `where` alone if given.
  // Refused as Tiers::can_promote says.
  [[nodiscard]] Result<Done, Refusal> promote(JobId job, Promotion how,
                                              const Placement* where);
  // As Actions::reserve, for a background job that keeps its processors: the start is
  // the latest expected end above its processes, and the spare processors are the idle
  // ones on which it has no process.  Any other job: Actions::reserve.
  [[nodiscard]] Result<PlanId, Refusal> reserve_in_place(JobId job);

 private:
  void require_background(JobId job, const char* action) const;
  void count_promotion(JobEntry& entry, Promotion how) const;

  Simulation& simulation_;
  World& world_;
  Orders& orders_;
  Plans& plans_;
  Tiers& tiers_;
};

}  // namespace berth::sim

#pragma once
// The policy "recorded": starts each job when its trace says that it started.

#include <optional>

#include "engine/sim/policy.hpp"
#include "engine/workload/workload.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// A job that does not fit at its recorded start is postponed: of those that are due and
// fit, the one with the earliest recorded start begins first.  One without a recorded
// start is due when it is submitted.
// Cost         O(log n) a start
class Recorded final : public sim::Policy {
 public:
  // What a scenario calls it.
  static constexpr std::string_view kName = "recorded";

  Recorded();

  // Throws Error{kInput} for a scenario that moves submits.
  static void require_submits_as_recorded(const Scenario& scenario);

  // What it replays; must be called before the run.  Throws Error{kInput} for a
  // workload without records, and for a scenario that moves submits.
  // REQUIRES: the workload outlives this object.
  void replay(const Workload& workload, const Scenario& scenario);

  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return budget_; }
  void schedule(sim::Simulation& simulation) override;
  [[nodiscard]] double key(sim::Simulation& simulation, std::size_t order,
                           JobId job) override;

  // Jobs that were started later than recorded, and without a recorded start, so far.
  [[nodiscard]] std::int64_t postponed() const { return postponed_; }
  [[nodiscard]] std::int64_t unknown() const { return unknown_; }

 private:
  [[nodiscard]] Time start_of(JobId job) const;

  sim::PolicyTraits traits_;
  Budget budget_;  // without limits: no script decides
  const Workload* workload_ = nullptr;
  std::int64_t postponed_ = 0;
  std::int64_t unknown_ = 0;
};

// The key of the scenario that gives the jobs of a trace other submits; empty: none.
[[nodiscard]] std::string_view moving_key(const WorkloadKeys& keys);

// Whether it is among the policies of the scenario.
[[nodiscard]] bool replays(const Scenario& scenario);

}  // namespace berth::study

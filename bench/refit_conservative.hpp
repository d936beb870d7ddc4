#pragma once
// Conservative backfilling by remove and refit, in C++: at each compression every
// reservation is removed and made anew at the earliest start on a sorted array, in
// order.  Frozen: the yardstick of the engine's own book, with the same schedule.
//
// Source       docs/model.md#conservative.
// Cost         O(q n) a compression, q waiting jobs, n breakpoints.

#include <vector>

#include "bench/vector_profile.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/selection.hpp"

namespace berth::bench {

class RefitConservative final : public sim::Policy {
 public:
  // REQUIRES: the machine has this many processors, the workload this many jobs.
  RefitConservative(std::int64_t processors, std::size_t jobs);

  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return budget_; }
  void schedule(sim::Simulation& simulation) override;
  void on_end(sim::Simulation& simulation, JobId job) override;

 private:
  Budget budget_;
  struct Waiting {
    JobId job;
    std::int32_t size;
    Duration planned;
  };
  void read(const sim::Simulation& simulation);
  void update(sim::Simulation& simulation);
  bool extend(Time now);
  void rebuild(const sim::Simulation& simulation);
  void compress(Time now);
  void place_new(Time now);
  void place(const Waiting& waiting, Time now);
  void start_due(sim::Simulation& simulation);
  [[nodiscard]] Time& reserved(JobId job) { return start_[index(job)]; }

  sim::PolicyTraits traits_;
  VectorProfile profile_;
  std::vector<Time> start_;  // by job: its reservation; kNever: none
  std::vector<Time> until_;  // by job: end of the claim of a running job
  std::vector<Waiting> waiting_;
  std::vector<Release> late_;
  bool ended_early_ = false;
};

}  // namespace berth::bench

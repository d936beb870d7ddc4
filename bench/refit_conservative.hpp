#pragma once
// Conservative backfilling by remove and refit, in C++: at each compression every
// waiting job lets go of its reservation, looks for its earliest start on a sorted
// array, and takes it.  Frozen: the yardstick for the engine's own book, with the same
// answers.
//
// Source       spec, backfilling 5.2.
// Cost         O(q n) a compression, q waiting jobs, n breakpoints.

#include <vector>

#include "bench/vector_profile.hpp"
#include "engine/sim/selection.hpp"

namespace berth::bench {

class RefitConservative final : public sim::Policy {
 public:
  // REQUIRES: the machine has so many processors, the workload so many jobs.
  RefitConservative(std::int64_t processors, std::size_t jobs);

  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  void schedule(sim::Simulation& simulation) override;
  void on_end(sim::Simulation& simulation, JobId job) override;

 private:
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
  std::vector<Time> start_;  // by job: where it is reserved; kNever: nowhere
  std::vector<Time> until_;  // by job: how far the claim of a running job reaches
  std::vector<Waiting> waiting_;
  std::vector<Release> late_;
  bool ended_early_ = false;
};

}  // namespace berth::bench

#pragma once
// Exclusive processors: every processor serves one job at most (C1), every running job
// has as many as it asked for (C7) and runs at rate 1.
//
// Cost         O(intervals of the placement) a change, O(1) a rate.

#include <array>

#include "engine/audit/law.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/job_map.hpp"
#include "engine/jobs/job.hpp"
#include "engine/sim/machine.hpp"

namespace berth::audit {

class ExclusiveLaw : public Law {
 public:
  // REQUIRES: jobs outlive the law.
  ExclusiveLaw(const sim::Machine& machine, std::span<const Job> jobs)
      : ExclusiveLaw(machine, jobs, countable(), nullptr) {}

  [[nodiscard]] Verdict start(JobId job, const Placement* placement,
                              bool resumed) override;
  void leave(JobId job) override;
  void freeze(JobId job, bool frozen) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] bool is_placed(JobId job) const override { return held_.contains(job); }
  [[nodiscard]] std::int64_t used() const override {
    return processors_ - idle_.count();
  }

 protected:
  // Where numbers of processors tell it all.
  [[nodiscard]] static LawTerms countable();
  ExclusiveLaw(const sim::Machine& machine, std::span<const Job> jobs,
               const LawTerms& terms, FitLaw* fit);

 private:
  struct Held {
    IntervalSet processors;
    bool frozen = false;
  };

  std::span<const Job> jobs_;
  std::int64_t processors_;
  IntervalSet idle_;
  JobMap<Held> held_;  // of running jobs
};

}  // namespace berth::audit

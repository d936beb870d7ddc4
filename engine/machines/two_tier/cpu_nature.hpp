#pragma once
// How the processes of a job use a processor, and how they run when it is shared.
//
// Process order  By declared use, highest first; in the order drawn where uses are not
//                declared, because then no rule may depend on them.
// Determinism    A function of (seed, job number, settings): every policy meets the
//                same draws.  Streams workload.cpu_usage, two_tier.loss and
//                two_tier.efficiency.
// Source         Liu et al. 2012, 2.1 and 3.1; docs/model.md#two-tier.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/demand.hpp"
#include "engine/base/job_attributes.hpp"
#include "engine/machines/two_tier/two_tier_settings.hpp"

namespace berth {

struct CpuNature {
  std::vector<double> use;         // true share of a dedicated processor, by process
  std::vector<double> declared;    // what the user declares; empty: nothing
  double loss = 0;                 // of its foreground processes
  std::vector<double> efficiency;  // one for all processes, or one for each

  [[nodiscard]] double efficiency_of(std::size_t process) const {
    return efficiency.size() == 1 ? efficiency.front() : efficiency[process];
  }
  // Declared use; 0 where none is declared, so that numbers alone decide.
  [[nodiscard]] double declared_of(std::size_t process) const {
    return declared.empty() ? 0.0 : declared[process];
  }
};

// The natures of the jobs of a run: given by columns of the workload, else drawn.
//
// Columns      cpu_use, cpu_declared: one value a process, in (0, 1]; fg_loss, bg_eff:
//              one value.  A job without a value is drawn.
class CpuNatures {
 public:
  CpuNatures(const TwoTierSettings& settings, std::uint64_t seed,
             std::shared_ptr<const JobAttributes> attributes);

  [[nodiscard]] const TwoTierSettings& settings() const { return settings_; }
  // Throws Error{kInput} for a given use outside (0, 1], or a number of uses that is
  // not that of the processes.  Cost O(processes log processes).
  [[nodiscard]] CpuNature of(JobId job, const Demand& demand) const;

 private:
  using Column = JobAttributes::Column;
  [[nodiscard]] std::vector<double> draw_uses(JobId job, std::size_t processes) const;
  [[nodiscard]] std::vector<double> draw_efficiencies(JobId job,
                                                      std::size_t processes) const;
  void set_uses(CpuNature& nature, JobId job, std::size_t processes) const;
  void check_given(std::span<const double> uses, JobId job,
                   std::size_t processes) const;

  TwoTierSettings settings_;
  std::uint64_t seed_;
  std::shared_ptr<const JobAttributes> attributes_;
  const Column* use_;  // null: no job has a value
  const Column* declared_;
  const Column* loss_;
  const Column* efficiency_;
};

// Work per tick of one process in the background, below a foreground process that
// leaves `idle` of the processor.
[[nodiscard]] double background_rate(BackgroundCap cap, double efficiency, double use,
                                     double idle);

}  // namespace berth

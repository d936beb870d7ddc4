#pragma once
// How the processes of one job use a processor, and how they take to sharing it.
//
// Process order  By declared use, highest first; as drawn where uses are not declared,
//                for then nobody may know more.
// Determinism    A function of (seed, job number, settings): every policy meets the
//                same draws.  Streams workload.cpu_usage, two_tier.loss and
//                two_tier.efficiency.
// Source         Liu et al. 2012, 2.1 and 3.1; spec: two-tier 1.1, 1.2.

#include <vector>

#include "engine/base/needs.hpp"
#include "engine/hosts/two_tier_settings.hpp"

namespace berth {

struct CpuNature {
  std::vector<double> use;         // true share of a dedicated processor, by process
  std::vector<double> declared;    // what the user says; empty: nothing
  double loss = 0;                 // of its foreground processes
  std::vector<double> efficiency;  // one for all processes, or one for each

  [[nodiscard]] double efficiency_of(std::size_t process) const {
    return efficiency.size() == 1 ? efficiency.front() : efficiency[process];
  }
  // Declared use; 0 if the user says nothing, so that numbers alone decide.
  [[nodiscard]] double declared_of(std::size_t process) const {
    return declared.empty() ? 0.0 : declared[process];
  }
};

// Throws Error{kInput} if a use is given that is not in (0, 1], or not one for each
// process.  Cost O(processes log processes).
[[nodiscard]] CpuNature cpu_nature(const TwoTierSettings& settings, const Needs& needs);

// Work per tick of one process in the background, below a foreground process that
// leaves `idle` of the processor.
[[nodiscard]] double background_rate(BackgroundCap cap, double efficiency, double use,
                                     double idle);

}  // namespace berth

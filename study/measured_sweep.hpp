#pragma once
// The metrics of every run of a sweep, by name, for those who judge them.

#include <map>
#include <string>
#include <vector>

#include "study/policy_library.hpp"
#include "study/sweep_run.hpp"

namespace berth::study {

// By name: every metric of the summary that has a value; and for each finished job
// kills_a_job, migrations_a_job and swaps_a_job.
using Measured = std::map<std::string, double>;

struct MeasuredPoint {
  PointSettings cell;                         // without the seed
  std::map<std::string, Measured> by_policy;  // by label
};

// In the order of the grid.  Throws the first failure of any run and Interrupted: a
// claim is not judged on what is left.  The limits of the options are not used: a
// decision may take minutes on a busy machine.
[[nodiscard]] std::vector<MeasuredPoint> measure_sweep(const Scenario& scenario,
                                                       const PolicyLibrary& library,
                                                       SweepOptions options);

}  // namespace berth::study

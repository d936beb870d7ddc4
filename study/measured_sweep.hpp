#pragma once
// The metrics of every run of a sweep, from a folder where they are kept.
//
// A point is one JSON file, written when all of its policies have run; it is used again
// if scenario, policies and version are the same.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/policy_library.hpp"
#include "study/policy_run.hpp"
#include "study/sweep_grid.hpp"

namespace berth::study {

// By name: every metric of the summary that has a value; and for each finished job
// kills_a_job, migrations_a_job and swaps_a_job.
using Measured = std::map<std::string, double>;

struct MeasuredPoint {
  PointSettings cell;                         // without the seed
  std::map<std::string, Measured> by_policy;  // by label
};

struct MeasureOptions {
  Audit audit = Audit::kOff;
  std::size_t workers = 1;
  std::optional<std::filesystem::path> kept;  // folder; nullopt: nothing is kept
  // May be null; called from any thread.
  std::function<bool()> interrupted;
  std::function<void(std::size_t points, std::size_t of)> progress;
};

// In the order of the grid.  Throws the first error of any run: a claim is not judged
// on what is left.
[[nodiscard]] std::vector<MeasuredPoint> measure_sweep(const Scenario& scenario,
                                                       const PolicyLibrary& library,
                                                       const MeasureOptions& options);

}  // namespace berth::study

#pragma once
// What a study finds in its folder when it goes on: the results of policies, and in the
// folder of a point of a sweep what is written beside them.
//
//   point.json         the policies in order, the identity of each run, the jobs that
//                      finished under it and the first policy, the values of batches;
//                      under a checksum of its own
//   LABEL/failed.json  why a policy has no result

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/compare/comparison.hpp"
#include "study/common/exit_code.hpp"
#include "study/results/result_files.hpp"

namespace berth::study {

// What the plan says about one policy at one point.
struct PlannedRun {
  std::string label;
  std::string identity;  // of its results; empty where nothing is written
  Failure failure;       // code 0: the policy loads
  std::string policy{};  // what is run: its policy_identity()
};

// A result for each run; nullptr: it has none.  Of a result all is written but its
// summary.  Throws Error{kOutput}.
void write_point(const std::filesystem::path& folder, std::span<const PlannedRun> runs,
                 std::span<const ComparedRun* const> results);
// `folder` is that of the policy.  Throws Error{kOutput}.
void write_failure(const std::filesystem::path& folder, const PlannedRun& run,
                   const Failure& failure);

struct FinishedRun {
  ComparedRun run;
  std::string summary_json;
  std::string made_by;  // the sources of program and policy, by checksum
};

// What there must be of a result.
struct Wanted {
  Keep keep = Keep::kAll;
  Log log = Log::kOff;
};

// The result of one policy, of which `folder` is; nullopt: there is none that is
// complete and of the planned identity.
[[nodiscard]] std::optional<FinishedRun> read_finished_run(
    const std::filesystem::path& folder, const PlannedRun& run, const Wanted& wanted);

// A point as it was written, finished or not.
struct FinishedPoint {
  std::vector<PlannedRun> runs;  // with their failures
  std::vector<std::optional<FinishedRun>> results;

  [[nodiscard]] bool is_complete() const;
};

// Whether the point is finished, but with batches of another kind, as versions before
// 1.0 cut them: it has no result for today's comparisons.
[[nodiscard]] bool is_of_old_format(const std::filesystem::path& folder);

// nullopt if there is no readable point, or one of the old format.  A run has a result
// if its files are complete and those of its manifest; with `Keep::kAll` jobs.csv and
// the rest are required, too.
[[nodiscard]] std::optional<FinishedPoint> read_point(
    const std::filesystem::path& folder, const Wanted& wanted);

// The same if every run has a result and the planned identity; else nullopt.
[[nodiscard]] std::optional<FinishedPoint> read_finished(
    const std::filesystem::path& folder, std::span<const PlannedRun> runs,
    const Wanted& wanted);

}  // namespace berth::study

#pragma once
// One policy at one point, from the simulation to its result files.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "study/policy_run.hpp"
#include "study/policy_set.hpp"
#include "study/prepared_point.hpp"
#include "study/result_files.hpp"

namespace berth::study {

enum class Keep : std::uint8_t {
  kAll,      // jobs.csv, timeline.csv and the rest
  kSummary,  // summary.json and manifest.json
};

struct SingleRunOptions {
  Audit audit = Audit::kOn;
  Keep keep = Keep::kAll;
  Log log = Log::kOff;
  std::size_t threads = 1;              // that work side by side, for timing.json alone
  std::optional<std::string> identity;  // of the run, for the manifest
  Watch watch;
};

struct PolicyOutcome {
  std::string label;
  Failure failure;                    // code 0: it ran to its end
  PolicyResult result;                // if it did
  std::vector<std::string> warnings;  // about this run
  std::string summary_json;           // if it did
};

// Runs to the end and fills result, warnings and summary of the outcome.  Nothing is
// written if `folder` is empty.  Throws what the policy, the
// auditor, a writer or the watch throws; files without a name yet are gone then.
// REQUIRES: the policy is loaded and has not run; outcome.label is set.
void run_single(const PreparedPoint& prepared, LoadedPolicy& policy,
                const std::filesystem::path& folder, const SingleRunOptions& options,
                PolicyOutcome& outcome);

}  // namespace berth::study

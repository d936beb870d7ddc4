#pragma once
// Claims judged on the sweeps that they name.

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/base/json.hpp"
#include "study/claims/claims_file.hpp"
#include "study/runs/study_run.hpp"

namespace berth::study {

// By name: every metric of the summary that has a value; and for each finished job
// kills_a_job, migrations_a_job and swaps_a_job.
using Measured = std::map<std::string, double>;

struct MeasuredPoint {
  PointSettings cell;                         // without the seed
  std::map<std::string, Measured> by_policy;  // by label
  // Policies under which the queue holds jobs for most of the time.
  std::set<std::string> full_queues{};
};

struct JudgedClaim {
  Claim claim;
  ClaimResult result;
};

struct ClaimsOutcome {
  ClaimsFile file;
  std::vector<JudgedClaim> claims;  // in the order of the file
};

// Reads FOLDER/claims.toml; keeps the claims of these ids, or all.
[[nodiscard]] ClaimsFile load_claims(const std::filesystem::path& folder,
                                     const std::vector<std::string>& ids);

// Runs each scenario of the claims once; points that are finished in the folder of its
// sweep are taken from there.  Throws Error{kInput}, before anything runs, for a claim
// that names a policy, an axis or a value that its sweep does not have; the first
// failure of any run, and Interrupted: a claim is not judged on incomplete sweeps.  A
// decision may take minutes.
[[nodiscard]] ClaimsOutcome run_claims(const std::filesystem::path& folder,
                                       ClaimsFile file, const PolicyLibrary& library,
                                       const StudyOptions& options);

// What run_claims() would run: each sweep with its points and runs, and how long all of
// it takes on so many workers, estimated from the first point of each with a tenth of
// its jobs.  Checks what run_claims() checks.
struct ClaimsPlan {
  struct Sweep {
    std::string name;
    std::size_t points = 0;
    std::size_t runs = 0;
    double seconds = 0;  // on one worker
  };
  std::vector<Sweep> sweeps;
  double seconds = 0;  // of wall clock
};
[[nodiscard]] ClaimsPlan plan_claims(const std::filesystem::path& folder,
                                     const ClaimsFile& file,
                                     const PolicyLibrary& library,
                                     const StudyOptions& options);

// The improvements in per cent at the points of one claim: policies, then sweeps, then
// points, in their orders.  Lower is better, but for metrics that say otherwise; counts
// a job are compared as they are: more is positive.
[[nodiscard]] std::vector<ClaimPoint> points_of(
    const Claim& claim,
    const std::map<std::string, std::vector<MeasuredPoint>>& by_sweep);

// One line for each claim that has another verdict than the file expects.
[[nodiscard]] std::vector<std::string> unexpected(const ClaimsOutcome& outcome);

[[nodiscard]] Json claims_json(const ClaimsOutcome& outcome);

// A Markdown table: claim, what the paper says, what was measured with its interval,
// verdict, assumptions.
[[nodiscard]] std::string claims_table(const ClaimsOutcome& outcome);

}  // namespace berth::study

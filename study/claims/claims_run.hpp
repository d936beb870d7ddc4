#pragma once
// Claims judged on the sweeps that they name.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "study/claims/claims_file.hpp"
#include "study/runs/study_run.hpp"

namespace berth::study {

// By name: every metric of the summary that has a value; and for each finished job
// kills_a_job, migrations_a_job and swaps_a_job.
using Measured = std::map<std::string, double>;

struct MeasuredPoint {
  PointSettings cell;                         // without the seed
  std::map<std::string, Measured> by_policy;  // by label
};

struct JudgedClaim {
  Claim claim;
  ClaimResult result;
};

struct ClaimsOutcome {
  ClaimsFile file;
  std::vector<JudgedClaim> claims;  // in the order of the file
};

// Reads FOLDER/claims.toml and runs each scenario once; points that are finished in the
// folder of its sweep are taken from there.  Throws Error{kInput} for a claim that
// names a policy, metric or point that its sweep does not have; the first failure of
// any run, and Interrupted: a claim is not judged on incomplete sweeps.  A decision may
// take minutes.
[[nodiscard]] ClaimsOutcome run_claims(const std::filesystem::path& folder,
                                       const PolicyLibrary& library,
                                       const StudyOptions& options);

// The improvements in per cent at the points of one claim: policies, then sweeps, then
// points, in their orders.  Lower is better, but for metrics that say otherwise; counts
// a job are compared as they are: more is positive.
[[nodiscard]] std::vector<ClaimPoint> points_of(
    const Claim& claim,
    const std::map<std::string, std::vector<MeasuredPoint>>& by_sweep);

// A Markdown table: claim, what the paper says, what was measured with its interval,
// verdict, assumptions.
[[nodiscard]] std::string claims_table(const ClaimsOutcome& outcome);

}  // namespace berth::study

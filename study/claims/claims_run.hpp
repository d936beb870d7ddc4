#pragma once
// Claims judged on the sweeps that they name.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "study/claims/claims_file.hpp"
#include "study/runs/study_run.hpp"

namespace berth::study {

// By name: every metric of the summary that has a value; and for each finished job
// kills_a_job, migrations_a_job, resumes_a_job and swaps_a_job.
struct MeasuredValue {
  // NOLINTNEXTLINE(google-explicit-constructor): a value that counts once
  MeasuredValue(double of = 0, double from = 1) : value(of), n(from) {}
  double value;
  double n;  // what it is computed from: jobs, instances
};
using Measured = std::map<std::string, MeasuredValue>;

struct MeasuredPoint {
  PointSettings cell;                         // without the seed
  std::map<std::string, Measured> by_policy;  // by label
  // Policies under which the queue holds jobs for most of the time.
  std::set<std::string> full_queues{};
};

struct JudgedClaim {
  Claim claim;
  std::vector<ClaimResult> results;  // one for each base; one without a base

  // The worst of the results: the claim must hold against each base.  Opposite only
  // where it is so against each.
  [[nodiscard]] ClaimVerdict verdict() const;
  [[nodiscard]] bool is_as_expected() const {
    return !claim.expected || *claim.expected == verdict();
  }
};

struct ClaimsOutcome {
  ClaimsFile file;
  std::vector<JudgedClaim> claims;  // in the order of the file
};

// The claims of FOLDER/claims.toml and the sweeps that they need.
class ClaimsStudy {
 public:
  // Only the claims with the ids `only`; all if there are none.  Reads and checks all
  // before anything runs: throws Error{kInput} naming every claim that names a policy,
  // base, axis or value that its sweep does not have, with file, line and column;
  // Error{kUsage} for an id that no claim has; and what StudyPlan throws.
  // REQUIRES: library outlives this object.
  ClaimsStudy(const std::filesystem::path& folder, const PolicyLibrary& library,
              const std::vector<std::string>& only, const StudyOptions& options);
  ~ClaimsStudy();

  [[nodiscard]] std::size_t sweeps() const { return sweeps_.size(); }

  // What would run, a line for each sweep, and about how long it takes, by a run of its
  // last point: of a trace, or of a few thousand jobs of a model.
  [[nodiscard]] std::string dry_run() const;

  // Runs each sweep once; points that are finished in the folder of the sweep are taken
  // from there.  Throws the first failure of any run, and Interrupted: a claim is not
  // judged on incomplete sweeps.  A decision may take minutes.
  [[nodiscard]] ClaimsOutcome run();

 private:
  struct Sweep;

  void check(const Claim& claim, std::vector<std::string>& problems) const;
  [[nodiscard]] const Sweep& sweep(const std::string& name) const;

  const PolicyLibrary& library_;
  StudyOptions options_;
  ClaimsFile file_;
  std::vector<std::unique_ptr<Sweep>> sweeps_;
};

// The values at the points of one claim against this base: policies, then sweeps, then
// points, in their orders.  Lower is better, but for metrics that say otherwise; counts
// a job are compared as they are: more is positive.  An empty base: the metric itself.
[[nodiscard]] std::vector<ClaimPoint> points_of(
    const Claim& claim, const std::string& base,
    const std::map<std::string, std::vector<MeasuredPoint>>& by_sweep);

}  // namespace berth::study

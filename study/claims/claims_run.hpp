#pragma once
// The claims of FOLDER/claims.lua, judged on the sweeps that they name.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bindings/tools/claims_script.hpp"
#include "study/runs/study_run.hpp"

namespace berth::study {

struct ClaimsOutcome {
  bindings::ClaimsAnswer answer;
  std::vector<std::string> warnings;
  std::vector<Failure> failures;  // of runs, whose rows have no result
};

// The claims of a folder and the sweeps that they need.
class ClaimsStudy {
 public:
  // Only the claims with the ids `only`; all if there are none.  Reads and checks all
  // before anything runs: throws what ClaimsScript and StudyPlan throw, and
  // Error{kInput} for a folder that only has a claims.toml, or for all input files that
  // are not there.
  // REQUIRES: library outlives this object.
  ClaimsStudy(const std::filesystem::path& folder, const PolicyLibrary& library,
              const std::vector<std::string>& only, const StudyOptions& options);
  ~ClaimsStudy();

  [[nodiscard]] std::size_t sweeps() const { return sweeps_.size(); }

  // What would run, a line for each sweep, and about how long it takes, by a run of its
  // last point: of a trace, or of a few thousand jobs of a model.  Below it the files
  // that it reads.
  [[nodiscard]] std::string dry_run() const;

  // Runs each sweep once; points that are finished in the folder of the sweep are taken
  // from there.  Throws Interrupted: a claim is not judged on incomplete sweeps.  A
  // decision may take minutes.
  [[nodiscard]] ClaimsOutcome run();

 private:
  class Sweep;

  [[nodiscard]] bindings::ClaimsScript::Sweeps sources() const;

  const PolicyLibrary& library_;
  StudyOptions options_;
  std::vector<std::unique_ptr<Sweep>> sweeps_;
  bindings::ClaimsScript script_;  // goes first: it refers to the sweeps
};

}  // namespace berth::study

#pragma once
// One policy at one point, from the simulation to its result files.

#include <filesystem>
#include <string>

#include "study/policies/policy_set.hpp"
#include "study/runs/policy_run.hpp"
#include "study/runs/study_run.hpp"

namespace berth::study {

// The machine with the setting that the policy has chosen for itself.  REQUIRES: the
// policy is loaded.
[[nodiscard]] Point point_for(const Point& point, const LoadedPolicy& policy);

// Runs to the end; the result has warnings and the text of summary.json, but where the
// audit failed: then nothing is written, and in a sweep it throws.  Nothing is
// written if `folder` is empty.  `identity` goes into the manifest, unless it is empty.
// Throws what the policy, the auditor, a writer or the user's wish to stop throws;
// files without a final name are removed then.
// REQUIRES: the policy is loaded and has not run.
[[nodiscard]] PolicyResult run_single(const PreparedPoint& prepared,
                                      LoadedPolicy& policy,
                                      const std::filesystem::path& folder,
                                      const StudyOptions& options,
                                      const std::string& identity);

}  // namespace berth::study

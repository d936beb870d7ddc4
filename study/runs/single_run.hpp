#pragma once
// One policy at one point, from the simulation to its result files.

#include <filesystem>
#include <memory>
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

// One policy at one point whose owner drives the simulation; it writes no files.
class SteppedRun {
 public:
  // REQUIRES: the policy is loaded and has not run.  The arguments outlive this object.
  SteppedRun(const PreparedPoint& prepared, LoadedPolicy& policy,
             const StudyOptions& options, sim::Observer& beside);
  ~SteppedRun();
  SteppedRun(const SteppedRun&) = delete;
  SteppedRun& operator=(const SteppedRun&) = delete;

  [[nodiscard]] DrivenRun& run();
  // What summary.json would say if the run ended now.
  [[nodiscard]] std::string summary_so_far() const;
  // As run_single() without a folder, but a failed audit does not throw.
  // REQUIRES: the simulation is finished; called once.
  [[nodiscard]] PolicyResult conclude();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::study

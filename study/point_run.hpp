#pragma once
// One point of a sweep while it runs: its policies may run on different workers, the
// last one closes the point.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/metrics/outcomes.hpp"
#include "study/shared_workloads.hpp"
#include "study/sweep_folder.hpp"
#include "study/sweep_run.hpp"

namespace berth::study {

// What the points of a sweep share.
struct SweepShared {
  const SweepPlan& plan;
  const PolicyLibrary& library;
  const SweepOptions& options;
  SharedWorkloads workloads;
  std::optional<SweepFolder> folder;
};

class PointRun {
 public:
  // Both outlive this object.
  PointRun(SweepShared& shared, PointOutcome& outcome);

  // Runs the policy of this number and puts its result into the outcome.  Throws
  // nothing: what goes wrong is the failure of that policy.  Threads  Any.
  // REQUIRES: once for each policy.
  void run(std::size_t policy);

  [[nodiscard]] const std::string& workload() const { return workload_key_; }
  [[nodiscard]] bool has_begun() const;

 private:
  struct Finished {
    std::shared_ptr<const PreparedWorkload> workload;  // of the outcomes
    Outcomes outcomes;
    std::uint32_t first_job;  // that is measured
    SlowdownBound bound;
    std::optional<BatchOptions> batches;

    [[nodiscard]] OutcomeView jobs() const {
      return {outcomes, first_job, OutcomeView::Those::kFinished};
    }
  };

  void begin();
  void simulate(std::size_t policy);
  void run_loaded(std::size_t policy, const PreparedPoint& prepared,
                  LoadedPolicy& loaded);
  void close();
  void compare_jobs();
  void write();

  SweepShared& shared_;
  PointOutcome& outcome_;
  std::string workload_key_;
  mutable std::mutex mutex_;
  bool has_begun_ = false;
  std::size_t left_;  // policies that have not ended
  std::filesystem::path folder_;
  std::vector<std::optional<Finished>> finished_;
};

}  // namespace berth::study

#pragma once
// One point of a study while it runs: its policies may run on different workers, the
// last one closes the point.  For study_run.cpp only.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/metrics/outcomes.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/results/kept_results.hpp"
#include "study/results/study_folder.hpp"
#include "study/runs/case_point.hpp"
#include "study/runs/study_run.hpp"

namespace berth::study {

// What the points of a study share.
struct StudyShared {
  StudyPlan& plan;
  StudyOptions options;
  SharedWorkloads workloads;
  std::optional<StudyFolder> folder;
  KeptResults kept{};  // in the folder: policies of a run, points of a sweep
};

class PointRun {
 public:
  // REQUIRES: `shared` and `outcome` outlive this object.
  PointRun(StudyShared& shared, PointOutcome& outcome);

  // The policies that have no result yet, by number.
  [[nodiscard]] std::vector<std::size_t> to_run() const;

  // Runs the policy of this number and puts its result into the outcome.  An error
  // becomes the failure of that policy; throws Error only where the folder of a run
  // cannot be completed.  Threads  Any.  REQUIRES: called once for each of to_run().
  void run(std::size_t policy);
  // Writes what is written last.  REQUIRES: no policy is to be run.
  void close_reused();

  [[nodiscard]] const std::string& workload() const { return workload_key_; }
  [[nodiscard]] bool has_begun() const;

 private:
  struct Finished {
    std::shared_ptr<const PreparedWorkload> workload;  // of the outcomes
    std::shared_ptr<const sim::JobReleases> releases;  // see PolicyResult
    Outcomes outcomes;
    std::map<std::string, std::vector<double>> own_values;  // see PolicyResult
    std::uint32_t first_job;                                // that is measured
    SlowdownBound bound;
    std::optional<BatchOptions> batches;
    std::vector<JobClass> classes;

    [[nodiscard]] OutcomeView jobs() const {
      return {outcomes, first_job, OutcomeView::Those::kFinished};
    }
  };

  // Of a study of cases: a policy on those of the point.  Its files are written when
  // all have run, since they are compared with each other.
  struct Answered {
    std::unique_ptr<LoadedPolicy> loaded;
    CasePoint::Result result;
    // What timing.json says, of a result that was in the folder.
    std::optional<std::string> timing{};
  };

  [[nodiscard]] bool is_run() const { return shared_.options.layout == Layout::kRun; }
  void begin();
  void simulate(std::size_t policy);
  [[nodiscard]] std::shared_ptr<const std::vector<Time>> expected(
      const PreparedPoint& prepared);
  void check_unchanged(const Scenario& scenario, const LoadedPolicy& loaded,
                       const std::optional<std::string>& input,
                       const PlannedRun& planned) const;
  void ask(std::size_t policy, const Scenario& scenario);
  void take_reused_answers();
  void close_cases();
  void write_answers(std::size_t policy, const Summary& summary);
  void run_loaded(std::size_t policy, const PreparedPoint& prepared,
                  LoadedPolicy& loaded);
  [[nodiscard]] std::unique_ptr<PointFolder> folder_of_run(const std::string& label);
  [[nodiscard]] std::filesystem::path folder_in_point(const std::string& label) const;
  void close();
  void close_of_sweep();
  void close_run();
  void close_point();
  [[nodiscard]] static CommonJobs common_of(const Finished& base, const Finished& own);
  void compare_jobs();
  void write_point_files() const;

  StudyShared& shared_;
  PointOutcome& outcome_;
  std::unique_ptr<PointFolder> folder_;  // of a sweep; null if nothing is written
  std::string workload_key_;
  mutable std::mutex mutex_;
  bool has_begun_ = false;
  std::size_t left_;  // policies that have not ended
  std::mutex expecting_;
  std::shared_ptr<const std::vector<Time>> expected_;  // made by the first policy
  std::vector<std::optional<Finished>> finished_;
  std::unique_ptr<CasePoint> cases_;  // null: the study is of jobs
  std::vector<std::optional<Answered>> answered_;
};

}  // namespace berth::study

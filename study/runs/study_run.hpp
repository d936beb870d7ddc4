#pragma once
// Runs a study: every policy at every point of a scenario, on several threads, into one
// folder.  A single run is a study of one point.
//
// Every policy of a point meets the same jobs and draws.  Where a policy fails the
// others still run; the failed one leaves no result.  What is finished in the folder is
// reused, whatever ended the process that made it.
//
//                  run                              sweep
//   --out          DIR/, or DIR/LABEL/ for several  DIR/points/NAME/LABEL/
//   finished is    a policy                         a point with all its policies
//   interrupted    simulations stop                 simulations end, none begins; a
//                                                   point that is cut short is left out
//   job outcomes   dropped                          kept until the point is compared
//
// Determinism  Results depend neither on the number of workers nor on what was finished
//              before; timing.json does.
// Memory       The workloads and job outcomes of the points that run at one time; a
//              summary for each run.

#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "study/results/outcome.hpp"
#include "study/results/result_files.hpp"
#include "study/results/study_folder.hpp"
#include "study/runs/study_plan.hpp"

namespace berth::study {

struct StudyOptions {
  Layout layout = Layout::kSweep;  // kRun: REQUIRES a scenario without a sweep
  Audit audit = Audit::kOn;
  Keep keep = Keep::kSummary;
  Log log = Log::kOff;
  bool strict = false;
  bool summaries = false;  // keep the text of every summary.json in the outcome
  std::size_t workers = 1;
  bindings::Limits limits;
  double input_seconds = 0;  // for reading or making the jobs of a point; 0: no limit
  std::optional<std::filesystem::path> out;  // nullopt: nothing is written
  Existing existing = Existing::kRefuse;     // for results of something else
  Shard shard;
  // A run adds one for each policy file, in their order; null: none is timed.
  std::deque<bindings::CallProfile>* profiles = nullptr;
  // All may be null, and are called from any thread.
  PrintSink print;
  std::function<bool()> interrupted;
  // Of a run: jobs submitted under this policy, of all.  Of a sweep, after each run:
  // points done, of all, with the label "points".
  std::function<void(std::string_view label, std::size_t done, std::size_t of)>
      progress;
};

// Throws Error for what keeps every point from running: see StudyPlan, StudyFolder; in
// a run also the workload and what keeps the folder from being written.
[[nodiscard]] StudyOutcome run_study(const Scenario& scenario,
                                     const PolicyLibrary& library,
                                     const StudyOptions& options);

// The same for a plan that is made; it can be run once.  REQUIRES: made with the
// layout, the audit, the limits and, for a run, the print sink of the options.
[[nodiscard]] StudyOutcome run_study(StudyPlan& plan, const StudyOptions& options);

}  // namespace berth::study

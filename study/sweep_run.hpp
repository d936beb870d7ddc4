#pragma once
// A whole sweep: every point under every policy, on several workers, into one folder.
//
// Every policy of a point meets the same jobs and draws.  A run that fails leaves the
// others alone.  Points that are finished in the folder are taken from there.
//
// Determinism  Results depend neither on the number of workers nor on what was finished
//              before.
// Memory       The workloads and job outcomes of the points that run at one time; a
//              summary for each run.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/compare/replicated.hpp"
#include "study/results_folder.hpp"
#include "study/single_run.hpp"
#include "study/study_run.hpp"
#include "study/sweep_plan.hpp"

namespace berth::study {

// Points number, number + of, number + 2 of, ... (from 1): one of several parts.
struct Shard {
  std::size_t number = 1;
  std::size_t of = 1;

  [[nodiscard]] bool has(std::size_t point) const { return point % of == number - 1; }
};

struct SweepOptions {
  Audit audit = Audit::kOn;
  Keep keep = Keep::kSummary;
  Log log = Log::kOff;
  bool strict = false;
  bool summaries = false;  // keep the text of every summary.json in the outcome
  std::size_t workers = 1;
  bindings::Limits limits;
  std::optional<std::filesystem::path> out;  // nullopt: nothing is written
  Existing existing = Existing::kRefuse;     // for another sweep's folder
  Shard shard;
  // All may be null, and are called from any thread.  Once interrupted is true no
  // further point begins; those that run are finished.
  PrintSink print;
  std::function<bool()> interrupted;
  std::function<void(std::size_t runs, std::size_t of)> progress;
};

enum class PointState : std::uint8_t {
  kNotBegun,  // the user stopped the sweep
  kReused,    // it was finished before
  kRan,       // now; runs may have failed
};

struct RunOutcome {
  std::string label;
  Failure failure;                    // code 0: it has a result, if the point was begun
  std::optional<ReplicatedRun> run;   // its result
  std::vector<std::string> warnings;  // about this run
  std::string summary_json;           // on request
};

struct PointOutcome {
  std::size_t number = 0;  // in the grid, from 0
  std::string name;        // of its folder
  PointSettings settings;
  PointState state = PointState::kNotBegun;
  std::vector<std::string> warnings;  // about its workload
  std::vector<RunOutcome> policies;   // in the order of the scenario
};

struct SweepOutcome {
  std::vector<std::string> labels;   // of the policies, at the first point
  std::vector<PointOutcome> points;  // of the shard, in the order of the grid

  [[nodiscard]] std::size_t count(PointState state) const;
  // Every run of these points has a result.
  [[nodiscard]] bool is_complete() const;
  // The exit status: that of the worst failure; 130 if a point was not begun.
  [[nodiscard]] int code() const;
};

// Throws Error for what keeps every point from running: see SweepPlan, SweepFolder.
// A scenario without a sweep is a sweep of one point.
[[nodiscard]] SweepOutcome run_sweep(const Scenario& scenario,
                                     const PolicyLibrary& library,
                                     const SweepOptions& options);

// The same for a plan that is made.  REQUIRES: made with the audit of the options.
[[nodiscard]] SweepOutcome run_sweep(const SweepPlan& plan,
                                     const PolicyLibrary& library,
                                     const SweepOptions& options);

// The cells of the grid with the results that there are; those of points that the
// outcome does not have are missing.  The outcome outlives them.
[[nodiscard]] std::vector<ReplicatedCell> cells_of(const SweepGrid& grid,
                                                   const SweepOutcome& outcome);

// What was measured, policy against policy.
[[nodiscard]] ReplicatedComparison comparison_of(const Scenario& scenario,
                                                 const SweepOutcome& outcome,
                                                 Rows rows);

// The summaries of the runs that have a result, as one JSON array.  REQUIRES: kept.
[[nodiscard]] std::string json_array(const SweepOutcome& outcome);

}  // namespace berth::study

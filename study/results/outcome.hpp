#pragma once
// The results of a study in memory: points, their policies, and the comparison of them.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/compare/comparison.hpp"
#include "study/common/exit_code.hpp"
#include "study/scenario/scenario.hpp"
#include "study/scenario/sweep_grid.hpp"

namespace berth::study {

// One policy at one point.
struct PolicyOutcome {
  std::string label;                 // of the policy at this point
  Failure failure{};                 // code 0: it has a result, if the point was begun
  std::optional<ComparedRun> run{};  // its result; of a run also where the audit failed
  std::vector<std::string> warnings{};  // about this run
  std::string summary_json{};           // on request
  bool is_reused = false;               // of a run: its result was in the folder
};

enum class PointState : std::uint8_t {
  kNotBegun,  // the user stopped the study
  kReused,    // its results were in the folder
  kRan,       // now; policies may have failed
};

struct PointOutcome {
  std::size_t number = 0;  // in the grid, from 0
  std::string name;        // of its folder
  PointSettings settings;
  PointState state = PointState::kNotBegun;
  // It was in the folder as an earlier version writes it, so that it ran again.
  bool was_of_old_format = false;
  std::vector<std::string> warnings;    // about its workload
  std::vector<PolicyOutcome> policies;  // in the order of the scenario
};

struct StudyOutcome {
  Layout layout = Layout::kSweep;
  std::vector<std::string> labels;   // of the policies, at the first point
  std::vector<PointOutcome> points;  // of the shard, in the order of the grid

  [[nodiscard]] std::size_t count(PointState state) const;
  // Every policy has a result at each of these points.
  [[nodiscard]] bool is_complete() const;
  // Labels of the policies of a run that have a result, which is written.
  [[nodiscard]] std::vector<std::string> kept() const;
  // The exit status: that of the worst failure; 130 if a point was not begun.
  [[nodiscard]] int code() const;
};

enum class Rows : std::uint8_t { kUsual, kAll };

// Policy against policy, in the layout of the outcome.  Policies without a result have
// no column in a run, and no value in a sweep.
[[nodiscard]] Comparison comparison_of(const Scenario& scenario,
                                       const StudyOutcome& outcome, Rows rows);

// comparison.csv, with all rows, in a folder of results.
void write_comparison(const std::filesystem::path& folder, const Scenario& scenario,
                      const StudyOutcome& outcome);

// The summaries of the runs that have a result, as one JSON array.  REQUIRES: kept.
[[nodiscard]] std::string json_array(const StudyOutcome& outcome);

}  // namespace berth::study

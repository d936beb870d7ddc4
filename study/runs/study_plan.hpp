#pragma once
// What a study will run: labels, identities and failures of its policies, known before
// anything runs.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/compare/comparison.hpp"
#include "study/policies/policy_library.hpp"
#include "study/policies/policy_set.hpp"
#include "study/results/finished_point.hpp"
#include "study/runs/policy_run.hpp"
#include "study/scenario/sweep_grid.hpp"

namespace berth::study {

class StudyPlan {
 public:
  // Loads the policies once for each set of their parameters; for a sweep it also reads
  // the traces for their checksums.  Throws Error for what no point could run with: no
  // policy, one that does not exist, equal labels; in a sweep also a trace that cannot
  // be read or is standard input, two points with one identity. REQUIRES: scenario and
  // library outlive this object.
  StudyPlan(const Scenario& scenario, const PolicyLibrary& library,
            LoadingOptions options, Layout layout, Audit audit);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const SweepGrid& grid() const { return grid_; }
  // One for each policy, in the order of the scenario.
  [[nodiscard]] const std::vector<PlannedRun>& runs(std::size_t point) const {
    return runs_[point];
  }
  // The policy of this number with its parameters at the point, ready to run once.
  // `print` gets what the script prints; in a run, the sink of the options gets it.
  // Threads: any, for different policies.  REQUIRES: called once for each in a run.
  [[nodiscard]] std::unique_ptr<LoadedPolicy> load(const Scenario& point,
                                                   std::size_t policy,
                                                   const PrintSink& print);
  // Whether the policy, and the trace of which this checksum was read, are those of the
  // plan.  Always true in a run, which reads its trace once.
  [[nodiscard]] bool is_as_planned(const Scenario& point, const LoadedPolicy& policy,
                                   const std::optional<std::string>& trace,
                                   const PlannedRun& planned) const;
  // Labels of the policies at the first point.
  [[nodiscard]] std::vector<std::string> labels() const;
  // Gives the runs of a run their identities.  `trace` is the checksum of the bytes
  // that were read; nullopt: there is no trace.  REQUIRES: a run, no policy taken yet.
  void identify(const std::optional<std::string>& trace);
  // sweep.json or run.json, which says which study this is: independent of the text of
  // the policies, without paths.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void plan_run();
  void plan_point(std::size_t number);
  [[nodiscard]] std::string inputs_of(const Scenario& point) const;
  const std::vector<PlannedRun>& policies_of(const SweepPoint& point);
  void read_inputs(const Scenario& point);
  void check_identities() const;

  const Scenario& scenario_;
  const PolicyLibrary& library_;
  LoadingOptions options_;
  Layout layout_;
  Audit audit_;
  SweepGrid grid_;
  std::vector<std::vector<PlannedRun>> runs_;
  std::map<std::string, std::vector<PlannedRun>>
      policies_;                                       // by the parameters of the point
  std::map<std::string, std::string> files_;           // to their checksums
  std::vector<std::unique_ptr<LoadedPolicy>> loaded_;  // of a run, not yet taken
  std::string text_;
};

}  // namespace berth::study

#pragma once
// Everything that a sweep is going to run, before it runs.

#include <map>
#include <string>
#include <vector>

#include "study/policy_library.hpp"
#include "study/policy_run.hpp"
#include "study/policy_set.hpp"
#include "study/sweep_grid.hpp"

namespace berth::study {

// One policy at one point.
struct PlannedRun {
  std::string label;
  std::string identity;
  Failure failure;  // code 0: the policy loads
};

class SweepPlan {
 public:
  // Loads the policies once for each set of their parameters, and reads the traces for
  // their checksums.  Throws Error for what no point could run with: no policy, one
  // that does not exist, equal labels, a trace that cannot be read or is standard
  // input, two points with one identity. REQUIRES: the scenario outlives this object.
  SweepPlan(const Scenario& scenario, const PolicyLibrary& library,
            const LoadingOptions& options, Audit audit);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const SweepGrid& grid() const { return grid_; }
  // One for each policy, in the order of the scenario.
  [[nodiscard]] const std::vector<PlannedRun>& runs(std::size_t point) const {
    return runs_[point];
  }
  // The input files of a point, by checksum, as the identity has them.
  [[nodiscard]] std::string inputs_of(const Scenario& point) const;
  // Of a file that some point reads.
  [[nodiscard]] const std::string& checksum(const std::string& file) const {
    return files_.at(file);
  }
  // What the policies are called: by their labels at the first point.
  [[nodiscard]] std::vector<std::string> labels() const;
  // sweep.json: which sweep this is, whatever its policies say; no path is in it.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  // A policy with the parameters of some points.
  struct Known {
    std::string label;
    std::string identity;
    Failure failure;
  };

  void plan_point(std::size_t number);
  const std::vector<Known>& policies_of(const SweepPoint& point);
  void read_inputs(const Scenario& point);
  void check_identities() const;

  const Scenario& scenario_;
  const PolicyLibrary& library_;
  const LoadingOptions& options_;
  Audit audit_;
  SweepGrid grid_;
  std::vector<std::vector<PlannedRun>> runs_;
  std::map<std::string, std::vector<Known>>
      policies_;                              // by the parameters of the point
  std::map<std::string, std::string> files_;  // to their checksums
  std::string text_;
};

// "sweep.json" of a scenario.
[[nodiscard]] std::string sweep_text(const Scenario& scenario, Audit audit);

}  // namespace berth::study

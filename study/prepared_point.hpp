#pragma once
// What every policy of a point meets, ready to run.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "study/policy_run.hpp"
#include "study/scenario.hpp"
#include "study/workload_source.hpp"

namespace berth::study {

// Jobs, and what is to be said about them.  Points with equal workloads share one.
struct PreparedWorkload {
  SizedWorkload loaded;
  std::vector<std::string> messages;         // files as typed
  std::vector<std::string> result_warnings;  // files by base name
  std::optional<std::string> checksum;       // of a generated workload
};

// Throws what load_workload() throws.
[[nodiscard]] std::shared_ptr<const PreparedWorkload> prepare_workload(
    const Scenario& scenario, const ReadingOptions& options);

struct PreparedPoint {
  // REQUIRES: the workload is that of the scenario, or of one whose workload is equal.
  PreparedPoint(Scenario of, std::shared_ptr<const PreparedWorkload> with);

  Scenario scenario;
  std::shared_ptr<const PreparedWorkload> workload;
  Point point;  // its jobs are those of the workload
};

// What results call the scenario: its title, else the stem of its file, else the trace.
[[nodiscard]] std::string scenario_name(const Scenario& scenario,
                                        const Workload& workload);

}  // namespace berth::study

#pragma once
// What every policy of a point meets, ready to run: the machine and the jobs.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/long_view.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/settings.hpp"
#include "study/scenario.hpp"
#include "study/workload_source.hpp"

namespace berth::study {

struct Point {
  sim::Machine machine;
  sim::Settings settings;
  RunKeys run;
  LongView<Job> jobs;  // by (submit, id)
};

// The machine that the scenario describes, of this size.
[[nodiscard]] Point make_point(const Scenario& scenario, std::int32_t processors,
                               const LongView<Job>& jobs);

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

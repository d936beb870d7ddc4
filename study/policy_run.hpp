#pragma once
// One policy on one workload: the simulation with everybody who watches it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/job_attributes.hpp"
#include "engine/base/spilling_view.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/summary.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/observer.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"
#include "study/drive.hpp"
#include "study/scenario.hpp"

namespace berth::study {

// What every policy of a run meets.
struct Point {
  sim::Machine machine;
  sim::Settings settings;
  RunKeys run;
  SpillingView<Job> jobs;  // by (submit, id)
  std::shared_ptr<const JobAttributes> attributes{};
};

// The machine that the scenario describes, of this size.
[[nodiscard]] Point make_point(const Scenario& scenario, std::int32_t processors,
                               const SpillingView<Job>& jobs);

// On: every rule, capacity by numbers.  Full: capacity by the processors themselves.
enum class Audit : std::uint8_t { kOn, kFull, kOff };

// "on", "full" or "off".
[[nodiscard]] std::string_view name(Audit audit);

struct PolicyResult {
  Summary summary;
  Outcomes outcomes;                            // read the jobs of the point
  std::map<std::string, std::int64_t> checked;  // by rule of the auditor; empty: off
  double seconds = 0;                           // of wall clock, for timing alone
};

// Runs to the end.  `more` watches too.  Throws what the policy, the auditor, a watcher
// or the watch throws.
[[nodiscard]] PolicyResult run_policy(const Point& point, sim::Policy& policy,
                                      Audit audit, std::span<sim::Observer* const> more,
                                      const Watch& watch);

}  // namespace berth::study

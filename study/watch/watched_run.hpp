#pragma once
// A run that is made again and again: its results, beside those of the run before.

#include <map>
#include <string>
#include <vector>

#include "study/common/exit_code.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/policies/policy_set.hpp"
#include "study/runs/policy_run.hpp"

namespace berth::study {

struct WatchedPolicy {
  std::string label;
  Summary summary;
  std::map<std::int64_t, Time> starts;  // by the trace's own number
  std::string fullest;  // FullestMoment::text(); empty: hosts have no parts
};

struct WatchedRun {
  std::vector<WatchedPolicy> policies;  // those that came to their end
  std::vector<Failure> failures;        // of the others
};

// Runs every policy of the scenario, audited.  Throws what keeps all from running, and
// Interrupted.
[[nodiscard]] WatchedRun run_watched(const Scenario& scenario,
                                     const PolicyLibrary& library,
                                     const LoadingOptions& loading, const Watch& watch);

// A table of the run, with the change to the run before in per cent, the jobs whose
// starts moved most, and where hosts have parts how full they got; `before` may be
// null.  Policies are matched by their labels.
[[nodiscard]] std::string watched_text(const WatchedRun& run, const WatchedRun* before);

}  // namespace berth::study

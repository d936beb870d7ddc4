#pragma once
// How close the waits of a run are to those that its trace recorded.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/json.hpp"
#include "engine/compare/text_table.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Some jobs: waits in s, as recorded and as simulated.
struct WaitsBeside {
  struct Waits {
    double mean = 0.0;
    double median = 0.0;
    double p95 = 0.0;
  };
  std::int64_t jobs = 0;
  Waits recorded;
  Waits simulated;
  // Spearman's, ties with their mean rank; nullopt where all waits are equal.
  std::optional<double> rank_correlation{};
};

struct Fidelity {
  WaitsBeside all;
  // By month of the submit, UTC: "1996-09".  Empty if the trace has no start time.
  std::vector<std::pair<std::string, WaitsBeside>> months{};
  // Of the policy that replays the trace: starts later than recorded.
  std::optional<std::int64_t> postponed{};
};

// Over the jobs of the view whose wait was recorded; nullopt if there are none.
// REQUIRES: outcomes of the workload's jobs, with its records kept.
// Memory       40 bytes a job
// Cost         O(n log n)
[[nodiscard]] std::optional<Fidelity> fidelity_of(const OutcomeView& finished,
                                                  const Workload& workload);

// {"jobs", "recorded": {"mean", "median", "p95"}, "simulated": {...},
// "rank_correlation", "months": [{"month", ...}], "postponed"}
[[nodiscard]] Json fidelity_json(const Fidelity& fidelity);

using FidelityOf = std::pair<std::string, Fidelity>;  // label of the policy

// A line for the trace and each policy, then a line for each month; policies that have
// no room in `columns` stand in further tables.  REQUIRES: at least one policy.
[[nodiscard]] std::vector<TextTable> fidelity_tables(
    const std::vector<FidelityOf>& policies, std::size_t columns);

// What the tables are about, and what must be known to read them, a line each.
[[nodiscard]] std::vector<std::string> fidelity_lines(
    const std::vector<FidelityOf>& policies);

}  // namespace berth

#pragma once
// How the users of a machine fared, and how evenly (spec: metrics.md 5).

#include <optional>
#include <span>
#include <vector>

#include "engine/metrics/outcome_view.hpp"
#include "engine/metrics/slowdown.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// One row for each user of these jobs, by number; jobs that name no user make the first
// row, user -1.  Memory: 8 bytes a finished job meanwhile, as for the jobs of a
// workload, and a page for each user.
[[nodiscard]] std::vector<UserSummary> user_table(const OutcomeView& jobs,
                                                  const SlowdownBound& bound);

// Mean waits of the users that have one, by user; jobs without a user are nobody's.
[[nodiscard]] std::vector<double> mean_waits(std::span<const UserSummary> users);

// (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if all but one are 0.  nullopt if
// there are none or all are 0.
[[nodiscard]] std::optional<double> jain_index(std::span<const double> values);

// Of the values themselves (divided by n); nullopt if there are none.
[[nodiscard]] std::optional<double> standard_deviation(std::span<const double> values);

}  // namespace berth

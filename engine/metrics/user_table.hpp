#pragma once
// Results by user, and how evenly they are spread over users.

#include <optional>
#include <span>
#include <vector>

#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// A row for each user, by number; jobs without a user form the row -1.
// Memory: 8 bytes a finished job while it runs (a spilling array) and a page a user.
[[nodiscard]] std::vector<UserSummary> user_table(const OutcomeView& jobs,
                                                  const SlowdownBound& bound);

// The mean waits of the users with finished jobs, by user, without the row -1.
[[nodiscard]] std::vector<double> mean_waits(std::span<const UserSummary> users);

// Jain's index (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if all but one are 0.
// nullopt if there are no values or all are 0.
[[nodiscard]] std::optional<double> jain_index(std::span<const double> values);

// Population standard deviation (divided by n); nullopt if there are no values.
[[nodiscard]] std::optional<double> standard_deviation(std::span<const double> values);

}  // namespace berth

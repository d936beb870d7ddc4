#pragma once
// Metrics of what users could expect (docs/model.md#expectations).

#include <span>
#include <vector>

#include "engine/expect/tardiness.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// violated_jobs (fraction); median, p75 and max of the users' violated jobs (veet, in
// percent); total, median and p75 of their weighted tardiness (processor s);
// line_ratio: the mean longest line of violated minutes of the heaviest tenth of the
// users by processor seconds (at least one), over that of the others.  Users without a
// judged job are left out; n counts the judged jobs.
[[nodiscard]] std::vector<Metric> expectation_metrics(
    std::span<const UserTardiness> users);

}  // namespace berth

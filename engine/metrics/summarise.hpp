#pragma once
// From what was seen of a run to what is said about it.

#include "engine/metrics/gathered.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// Pure.  Cost: O(m n log n) for n finished jobs and m metrics of a job.
[[nodiscard]] Summary summarise(const Gathered& gathered, const MetricOptions& options);

}  // namespace berth

#pragma once
// Batch means of every metric that is a mean over jobs, for one long run and for the
// differences of two (spec: metrics.md 7).

#include <cstddef>
#include <map>
#include <string>

#include "engine/compare/batch_means.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"

namespace berth {

struct Batched {
  Estimate estimate;  // in the unit of the metric; n is the number of batches
  double lag_1_correlation = 0.0;

  // See BatchMeans.
  [[nodiscard]] bool too_wide() const;
  [[nodiscard]] bool too_correlated() const;
};

// By name of the metric ("mean_wait").
using BatchedMetrics = std::map<std::string, Batched>;

// Over the jobs in the order in which they ended; the first batch is dropped as
// warm-up.  REQUIRES: finished jobs.  Without an entry: a metric with fewer values than
// batches.
[[nodiscard]] BatchedMetrics batched_metrics(const OutcomeView& ended,
                                             const SlowdownBound& bound,
                                             const BatchOptions& options);

// Other minus base, over the jobs in both, in the order in which they ended in the
// base.  REQUIRES: finished jobs, of one workload.  O(n).
[[nodiscard]] BatchedMetrics batched_differences(const OutcomeView& ended,
                                                 const OutcomeView& other,
                                                 const SlowdownBound& bound,
                                                 const BatchOptions& options);

}  // namespace berth

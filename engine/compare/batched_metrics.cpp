#include "engine/compare/batched_metrics.hpp"

#include <cstddef>
#include <optional>

#include "engine/base/spilling_array.hpp"
#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/outcomes.hpp"

namespace berth {

namespace {

double in_unit(const JobMetric& metric, double value) {
  return metric.in_ticks() ? value / static_cast<double>(kSecond) : value;
}

// `value` gives that of a job, or nothing.
template <class Value>
BatchedMetrics batched(const OutcomeView& ended, const BatchOptions& options,
                       const Value& value) {
  BatchedMetrics all;
  for (const auto& metric : job_metrics()) {
    SpillingArray<double> values;
    for (const auto& job : ended) {
      if (const auto own = value(metric, job)) values.push_back(in_unit(metric, *own));
    }
    const auto means = batch_means(values, options);
    if (!means) continue;
    all.emplace(metric_name("mean", metric),
                Batched{means->estimate, means->lag_1_correlation});
  }
  return all;
}

}  // namespace

bool Batched::too_wide() const { return BatchMeans{{}, estimate, 0.0}.too_wide(); }

bool Batched::too_correlated() const {
  return BatchMeans{{}, estimate, lag_1_correlation}.too_correlated();
}

BatchedMetrics batched_metrics(const OutcomeView& ended, const SlowdownBound& bound,
                               const BatchOptions& options) {
  return batched(ended, options, [&](const JobMetric& metric, const JobOutcome& job) {
    return metric.value(job, bound);
  });
}

BatchedMetrics batched_differences(const OutcomeView& ended, const OutcomeView& other,
                                   const SlowdownBound& bound,
                                   const BatchOptions& options) {
  const OutcomesByJob after_of(other);
  std::size_t finds = 0;
  const auto difference = [&](const JobMetric& metric,
                              const JobOutcome& job) -> std::optional<double> {
    after_of.visited(finds++);
    const auto changed = after_of.find(job.job);
    if (!changed) return std::nullopt;
    const auto before = metric.value(job, bound);
    const auto after = metric.value(*changed, bound);
    if (!before || !after) return std::nullopt;
    return *after - *before;
  };
  return batched(ended, options, difference);
}

}  // namespace berth

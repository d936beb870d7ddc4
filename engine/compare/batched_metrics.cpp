#include "engine/compare/batched_metrics.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/metrics/job_metric.hpp"

namespace berth {

namespace {

double in_unit(const JobMetric& metric, double value) {
  return metric.in_ticks() ? value / static_cast<double>(kSecond) : value;
}

// `value` gives that of a job, or nothing.
template <class Value>
BatchedMetrics batched(std::span<const JobOutcome> ended, const BatchOptions& options,
                       const Value& value) {
  BatchedMetrics all;
  for (const auto& metric : job_metrics()) {
    std::vector<double> values;
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

BatchedMetrics batched_metrics(std::span<const JobOutcome> ended,
                               const SlowdownBound& bound,
                               const BatchOptions& options) {
  return batched(ended, options, [&](const JobMetric& metric, const JobOutcome& job) {
    return metric.value(job, bound);
  });
}

BatchedMetrics batched_differences(std::span<const JobOutcome> ended,
                                   std::span<const JobOutcome> other,
                                   const SlowdownBound& bound,
                                   const BatchOptions& options) {
  const auto difference = [&](const JobMetric& metric,
                              const JobOutcome& job) -> std::optional<double> {
    const auto at = std::lower_bound(
        other.begin(), other.end(), job.job,
        [](const JobOutcome& it, JobId number) { return it.job < number; });
    if (at == other.end() || at->job != job.job) return std::nullopt;
    const auto before = metric.value(job, bound);
    const auto after = metric.value(*at, bound);
    if (!before || !after) return std::nullopt;
    return *after - *before;
  };
  return batched(ended, options, difference);
}

}  // namespace berth

#include "engine/compare/batch_means.hpp"

#include <cmath>
#include <cstddef>
#include <span>

#include "engine/base/error.hpp"
#include "engine/base/spilling_array.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/outcomes.hpp"

namespace berth {

namespace {

constexpr double kWidest = 0.05;  // of the mean
constexpr double kMostCorrelated = 0.2;

double mean_of(const SpillingView<double>& values) {
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value() / static_cast<double>(values.size());
}

double lag_1(std::span<const double> means, double mean) {
  CompensatedSum products;
  CompensatedSum squares;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double here = means[i] - mean;
    squares.add(here * here);
    if (i > 0) products.add(here * (means[i - 1] - mean));
  }
  return squares.value() == 0.0 ? 0.0 : products.value() / squares.value();
}

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
    all.emplace(metric_name("mean", metric), *means);
  }
  return all;
}

}  // namespace

bool Batched::too_wide() const {
  return estimate.half_width > kWidest * std::abs(estimate.mean);
}

bool Batched::too_correlated() const { return lag_1_correlation > kMostCorrelated; }

std::optional<BatchMeans> batch_means(const SpillingView<double>& values,
                                      const BatchOptions& options) {
  BERTH_ASSERT(options.batches >= 2);
  const std::size_t dropped = options.first == FirstBatch::kDrop ? 1 : 0;
  const std::size_t length = values.size() / (options.batches + dropped);
  if (length == 0) return std::nullopt;
  BatchMeans result{};
  for (std::size_t i = dropped; i < options.batches + dropped; ++i) {
    result.means.push_back(mean_of(values.part(i * length, length)));
  }
  result.estimate = *t_interval(result.means, options.confidence);
  result.lag_1_correlation = lag_1(result.means, result.estimate.mean);
  return result;
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

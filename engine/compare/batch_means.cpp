#include "engine/compare/batch_means.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/metrics/compensated_sum.hpp"
#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/sample.hpp"

namespace berth {

namespace {

constexpr double kWidest = 0.05;  // of the mean
constexpr double kMostCorrelated = 0.2;

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

// A statistic of the values of each batch, or nullopt if there is not one value for
// each.
template <class Statistic>
std::optional<BatchMeans> over_batches(std::size_t count, const BatchOptions& options,
                                       const Statistic& of_batch) {
  BERTH_ASSERT(options.batches >= 2);
  const std::size_t dropped = options.first == FirstBatch::kDrop ? 1 : 0;
  const std::size_t length = count / (options.batches + dropped);
  if (length == 0) return std::nullopt;
  BatchMeans result{};
  for (std::size_t i = dropped; i < options.batches + dropped; ++i) {
    result.means.push_back(of_batch(i * length, length));
  }
  result.estimate = *t_interval(result.means, options.confidence);
  result.lag_1_correlation = lag_1(result.means, result.estimate.mean);
  return result;
}

constexpr double kP95 = 0.95;

double p95_of(std::span<const double> values, std::size_t from, std::size_t count) {
  std::vector<double> sorted;
  sorted.reserve(count);
  for (const double value : values.subspan(from, count)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  return *quantile(sorted, kP95);
}

// The values of the jobs under the base and, for differences, under the other policy.
struct PairOfValues {
  std::vector<double> base;
  std::vector<double> other;
};

// `values` gives those of a job: one, two, or none.
template <class ValuesOf>
BatchedMetrics batched(const OutcomeView& ended, const BatchOptions& options,
                       const ValuesOf& values_of) {
  BatchedMetrics all;
  for (const auto& metric : job_metrics()) {
    PairOfValues values;
    for (const auto& job : ended) values_of(metric, job, values);
    const bool is_pair = values.other.size() == values.base.size();
    std::vector<double> of_mean;
    for (std::size_t i = 0; i < values.base.size(); ++i) {
      of_mean.push_back(is_pair ? values.other[i] - values.base[i] : values.base[i]);
    }
    const auto means = batch_means(of_mean, options);
    if (!means) continue;
    all.emplace(metric_name("mean", metric), *means);
    const auto p95 = over_batches(
        values.base.size(), options, [&](std::size_t from, std::size_t count) {
          const double before = p95_of(values.base, from, count);
          return is_pair ? p95_of(values.other, from, count) - before : before;
        });
    all.emplace(metric_name("p95", metric), *p95);
  }
  return all;
}

}  // namespace

bool Batched::too_wide() const {
  return estimate.half_width > kWidest * std::abs(estimate.mean);
}

bool Batched::too_correlated() const { return lag_1_correlation > kMostCorrelated; }

std::optional<BatchMeans> batch_means(std::span<const double> values,
                                      const BatchOptions& options) {
  return over_batches(values.size(), options, [&](std::size_t from, std::size_t count) {
    return mean_of(values.subspan(from, count));
  });
}

BatchedMetrics batched_metrics(const OutcomeView& ended, const SlowdownBound& bound,
                               const BatchOptions& options) {
  return batched(
      ended, options,
      [&](const JobMetric& metric, const JobOutcome& job, PairOfValues& values) {
        const auto own = metric.value(job, bound);
        if (own) values.base.push_back(in_unit(metric, *own));
      });
}

BatchedMetrics batched_differences(const OutcomeView& ended, const OutcomeView& other,
                                   const SlowdownBound& bound,
                                   const BatchOptions& options) {
  const OutcomesByJob after_of(other);
  const auto add = [&](const JobMetric& metric, const JobOutcome& job,
                       PairOfValues& values) {
    const auto changed = after_of.find(job.job);
    if (!changed) return;
    const auto before = metric.value(job, bound);
    const auto after = metric.value(*changed, bound);
    if (!before || !after) return;
    values.base.push_back(in_unit(metric, *before));
    values.other.push_back(in_unit(metric, *after));
  };
  return batched(ended, options, add);
}

}  // namespace berth

#include "engine/compare/batch_means.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
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

constexpr double kP95 = 0.95;

double p95_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return *quantile(values, kP95);
}

// The jobs that are in no batch at the start, and those in each batch.
struct Lengths {
  std::size_t dropped = 0;
  std::size_t batch = 0;  // 0: there are fewer jobs than batches
};

Lengths lengths_of(std::size_t jobs, const BatchOptions& options) {
  BERTH_ASSERT(options.batches >= 2);
  const std::size_t extra = options.first == FirstBatch::kDrop ? 1 : 0;
  const std::size_t length = jobs / (options.batches + extra);
  return {extra * length, length};
}

}  // namespace

bool Batched::too_wide() const {
  return estimate.half_width > kWidest * std::abs(estimate.mean);
}

bool Batched::too_correlated() const { return lag_1_correlation > kMostCorrelated; }

Batched batched(std::span<const double> means, double confidence) {
  Batched made{*t_interval(means, confidence)};
  made.lag_1_correlation = lag_1(means, made.estimate.mean);
  return made;
}

std::optional<BatchMeans> batch_means(std::span<const double> values,
                                      const BatchOptions& options) {
  const auto lengths = lengths_of(values.size(), options);
  if (lengths.batch == 0) return std::nullopt;
  std::vector<double> means;
  for (std::size_t i = 0; i < options.batches; ++i) {
    const auto from = lengths.dropped + i * lengths.batch;
    means.push_back(mean_of(values.subspan(from, lengths.batch)));
  }
  BatchMeans made{batched(means, options.confidence), {}};
  made.means = std::move(means);
  return made;
}

BatchedMetrics batched_metrics(const OutcomeView& finished, const SlowdownBound& bound,
                               const BatchOptions& options) {
  const OutcomesByJob by_job(finished);
  std::vector<JobId> jobs;
  for (std::uint32_t job = 0; job < by_job.jobs(); ++job) {
    if (finished.measures(JobId{job})) jobs.push_back(JobId{job});
  }
  const auto lengths = lengths_of(jobs.size(), options);
  if (lengths.batch == 0) return {};
  const auto values_of = [&](const JobMetric& metric, std::span<const JobId> some) {
    std::vector<double> values;
    for (const auto id : some) {
      const auto job = by_job.find(id);
      const auto value = job ? metric.value(*job, bound) : std::nullopt;
      if (value) values.push_back(in_unit(metric, *value));
    }
    return values;
  };
  BatchedMetrics all;
  for (const auto& metric : job_metrics()) {
    std::vector<double> means;
    std::vector<double> p95;
    for (std::size_t i = 0; i < options.batches; ++i) {
      const auto from = lengths.dropped + i * lengths.batch;
      auto values = values_of(metric, std::span(jobs).subspan(from, lengths.batch));
      if (values.empty()) break;
      means.push_back(mean_of(values));
      p95.push_back(p95_of(std::move(values)));
    }
    if (means.size() < options.batches) continue;
    all.emplace(metric_name("mean", metric), std::move(means));
    all.emplace(metric_name("p95", metric), std::move(p95));
  }
  return all;
}

}  // namespace berth

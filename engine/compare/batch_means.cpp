#include "engine/compare/batch_means.hpp"

#include <cmath>
#include <span>

#include "engine/base/error.hpp"
#include "engine/metrics/compensated_sum.hpp"

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

}  // namespace

bool BatchMeans::too_wide() const {
  return estimate.half_width > kWidest * std::abs(estimate.mean);
}

bool BatchMeans::too_correlated() const { return lag_1_correlation > kMostCorrelated; }

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

}  // namespace berth

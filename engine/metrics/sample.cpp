#include "engine/metrics/sample.hpp"

#include <algorithm>
#include <boost/sort/spreadsort/float_sort.hpp>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

namespace {

std::vector<double> values_of(const JobMetric& metric, const OutcomeView& finished,
                              const SlowdownBound& bound) {
  std::vector<double> values(finished.outcomes().size());
  auto next = values.begin();
  for (const auto& job : finished) {
    if (const auto value = metric.value(job, bound)) *next++ = *value;
  }
  values.erase(next, values.end());
  return values;
}

}  // namespace

Sample::Sample(const JobMetric& metric, const OutcomeView& finished,
               const SlowdownBound& bound)
    : sorted_(values_of(metric, finished, bound)), ticks_(metric.in_ticks()) {
  sort_values(sorted_);
}

std::optional<double> Sample::mean() const {
  if (sorted_.empty()) return std::nullopt;
  const double scale = ticks_ ? static_cast<double>(kSecond) : 1.0;
  return sum() / (scale * static_cast<double>(sorted_.size()));
}

std::optional<double> Sample::at(double q) const {
  const auto value = quantile(sorted_, q);
  if (!value || !ticks_) return value;
  return *value / static_cast<double>(kSecond);
}

std::int64_t Sample::above_mean(double factor) const {
  if (sorted_.empty()) return 0;
  const double limit = factor * sum() / static_cast<double>(sorted_.size());
  const auto first = std::upper_bound(sorted_.begin(), sorted_.end(), limit);
  return sorted_.end() - first;
}

double Sample::sum() const {
  if (ticks_) {
    Int128 exact = 0;
    for (const double value : sorted_) exact += static_cast<std::int64_t>(value);
    return static_cast<double>(exact);
  }
  return sum_of_sorted(sorted_);
}

std::optional<double> quantile(std::span<const double> sorted, double q) {
  BERTH_ASSERT(0.0 <= q && q <= 1.0);
  if (sorted.empty()) return std::nullopt;
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double part = at - std::floor(at);
  if (part == 0.0) return sorted[below];
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

void sort_values(std::vector<double>& values) {
  boost::sort::spreadsort::float_sort(values.begin(), values.end());
}

double sum_of_sorted(std::span<const double> values) {
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

std::optional<double> area_weighted_mean(const JobMetric& metric,
                                         const OutcomeView& finished,
                                         const SlowdownBound& bound) {
  CompensatedSum weighted;
  CompensatedSum weights;
  for (const auto& job : finished) {
    const auto value = metric.value(job, bound);
    if (!value) continue;
    const double area = job.size * to_seconds(job.length);
    weighted.add(area * *value);
    weights.add(area);
  }
  if (weights.value() == 0.0) return std::nullopt;
  const double scale = metric.in_ticks() ? static_cast<double>(kSecond) : 1.0;
  return weighted.value() / (scale * weights.value());
}

}  // namespace berth

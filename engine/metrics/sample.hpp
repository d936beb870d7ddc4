#pragma once
// The values of one metric over finished jobs: mean, quantiles, sums.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"

namespace berth {

// Memory       8 bytes a value
class Sample {
 public:
  // Omits jobs for which the metric is undefined.  O(n log n).
  Sample(const JobMetric& metric, const OutcomeView& finished,
         const SlowdownBound& bound);

  [[nodiscard]] std::int64_t n() const {
    return static_cast<std::int64_t>(sorted_.size());
  }
  // In the unit of the metric; nullopt for an empty sample.
  [[nodiscard]] std::optional<double> mean() const;
  [[nodiscard]] std::optional<double> at(double quantile) const;
  // The number of values above `factor` times the mean.
  [[nodiscard]] std::int64_t above_mean(double factor) const;

 private:
  [[nodiscard]] double sum() const;

  std::vector<double> sorted_;  // times in ticks, so that sums are exact
  bool ticks_;
};

// The value at position 1 + (n - 1) q, counted from 1, linear between neighbours (type
// 7); nullopt for an empty sample.  REQUIRES: sorted ascending, 0 <= q <= 1.  O(1).
[[nodiscard]] std::optional<double> quantile(std::span<const double> sorted, double q);

void sort_values(std::vector<double>& values);

// The sum in ascending order.  REQUIRES: sorted ascending.
[[nodiscard]] double sum_of_sorted(std::span<const double> values);

// The mean weighted by size times length; nullopt if all weights are 0.
[[nodiscard]] std::optional<double> area_weighted_mean(const JobMetric& metric,
                                                       const OutcomeView& finished,
                                                       const SlowdownBound& bound);

}  // namespace berth

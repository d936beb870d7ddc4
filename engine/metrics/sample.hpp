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
  // Omits jobs for which the metric is undefined.  O(n).
  Sample(const JobMetric& metric, const OutcomeView& finished,
         const SlowdownBound& bound);

  [[nodiscard]] std::int64_t n() const {
    return static_cast<std::int64_t>(values_.size());
  }
  // In the unit of the metric; nullopt for an empty sample.
  [[nodiscard]] std::optional<double> mean() const;
  // The quantiles, one for each of `qs`, in the unit of the metric; none for an empty
  // sample.
  [[nodiscard]] std::vector<double> at(std::span<const double> qs);
  // The number of values above `factor` times the mean.
  [[nodiscard]] std::int64_t above_mean(double factor) const;

 private:
  std::vector<double> values_;  // times in ticks, so that sums are exact
  double scale_;                // of a value, in the unit of the metric
  double sum_;
};

// The value at position 1 + (n - 1) q, counted from 1, linear between neighbours (type
// 7); nullopt for an empty sample.  REQUIRES: sorted ascending, 0 <= q <= 1.  O(1).
[[nodiscard]] std::optional<double> quantile(std::span<const double> sorted, double q);

// The same of values in any order, for each of `qs`; changes their order.  O(n + m log
// m) where m values lie near the quantiles.  REQUIRES: there are values, and none is
// NaN.
[[nodiscard]] std::vector<double> quantiles(std::span<double> values,
                                            std::span<const double> qs);

void sort_values(std::span<double> values);

// The mean weighted by size times length; nullopt if all weights are 0.
[[nodiscard]] std::optional<double> area_weighted_mean(const JobMetric& metric,
                                                       const OutcomeView& finished,
                                                       const SlowdownBound& bound);

}  // namespace berth

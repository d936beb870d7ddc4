#pragma once
// The values of one metric of the measured, finished jobs.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/metrics/job_metric.hpp"
#include "engine/metrics/outcome_view.hpp"
#include "engine/metrics/slowdown.hpp"

namespace berth {

// What a metric unit of seconds is stored in: ticks, so that sums are exact.
class Sample {
 public:
  // Jobs for which the metric is undefined are left out.  O(n log n).
  Sample(const JobMetric& metric, const OutcomeView& finished,
         const SlowdownBound& bound);
  // Of these values of the metric, in any order.
  Sample(const JobMetric& metric, std::vector<double> values);

  [[nodiscard]] std::int64_t n() const {
    return static_cast<std::int64_t>(sorted_.size());
  }
  // In the unit of the metric; nullopt without values.
  [[nodiscard]] std::optional<double> mean() const;
  [[nodiscard]] std::optional<double> at(double quantile) const;
  // How many values exceed `factor` times the mean.
  [[nodiscard]] std::int64_t above_mean(double factor) const;

 private:
  [[nodiscard]] double sum() const;

  std::vector<double> sorted_;  // ticks, or ratios
  bool ticks_;
};

// Mean weighted by size times length; nullopt if the weights add up to nothing.
[[nodiscard]] std::optional<double> area_weighted_mean(const JobMetric& metric,
                                                       const OutcomeView& finished,
                                                       const SlowdownBound& bound);

}  // namespace berth

#pragma once
// The values of one metric of the measured, finished jobs.
//
// Memory       8 bytes a value, as for the jobs of a workload; beyond what stays in
//              memory they are sorted in runs and merged, with the same result.

#include <cstdint>
#include <optional>

#include "engine/base/long_array.hpp"
#include "engine/base/long_view.hpp"
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

  LongArray<double> sorted_;  // ticks, or ratios
  bool ticks_;
};

void sort_values(LongArray<double>& values);

// Their sum, the smallest first.  REQUIRES: sorted ascending.
[[nodiscard]] double sum_of_sorted(const LongView<double>& values);

// Mean weighted by size times length; nullopt if the weights add up to nothing.
[[nodiscard]] std::optional<double> area_weighted_mean(const JobMetric& metric,
                                                       const OutcomeView& finished,
                                                       const SlowdownBound& bound);

}  // namespace berth

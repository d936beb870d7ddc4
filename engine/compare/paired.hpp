#pragma once
// Two runs of the same jobs, compared job by job (spec: metrics.md 4).

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/compare/confidence.hpp"
#include "engine/metrics/job_metric.hpp"

namespace berth {

// One job's value of a metric.
struct JobValue {
  JobId job;
  double value;  // in the unit of the metric
};

// Over the jobs that have a value in both runs.
struct PairedComparison {
  std::size_t n = 0;                // such jobs
  std::optional<double> base_mean;  // nullopt without such jobs
  std::optional<double> other_mean;
  std::size_t lower = 0;  // jobs with a smaller value than in the base
  std::size_t higher = 0;
  std::optional<Estimate> difference;  // other - base; nullopt for fewer than two jobs
  // Two-sided, of the hypothesis that the mean difference is 0; 1 if all differences
  // are 0, nullopt for fewer than two jobs.
  std::optional<double> p_value;
};

// REQUIRES: both by job, no job twice.  O(n).
// The jobs of one run depend on each other, so interval and p-value describe the jobs
// at hand; across seeds pair the means of the runs instead.
[[nodiscard]] PairedComparison paired(std::span<const JobValue> base,
                                      std::span<const JobValue> other,
                                      double confidence = 0.95);

// The same for numbers that already belong together, such as one mean for each seed.
// REQUIRES: equally many of both.
[[nodiscard]] PairedComparison paired(std::span<const double> base,
                                      std::span<const double> other,
                                      double confidence = 0.95);

// Each of the others against the base; p-values corrected by Holm's method.
[[nodiscard]] std::vector<PairedComparison> against_first(
    std::span<const std::vector<JobValue>> runs, double confidence = 0.95);

}  // namespace berth

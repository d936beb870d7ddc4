#pragma once
// Means with intervals from Student's t distribution; correction of several tests.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace berth {

// The quantile `probability` of Student's t.  REQUIRES: degrees >= 1,
// 0 < probability < 1.
[[nodiscard]] double t_quantile(double degrees, double probability);

struct Estimate {
  double mean;
  double variance;    // of the values, divided by n - 1
  double half_width;  // of the two-sided interval
  std::size_t n;
};

// t_{n-1, (1 + confidence) / 2} * sqrt(variance / n) to both sides.  nullopt for fewer
// than two values.  REQUIRES: 0 < confidence < 1.
[[nodiscard]] std::optional<Estimate> t_interval(std::span<const double> values,
                                                 double confidence);

// Of the hypothesis that the mean is 0, by Student's t; 1 for a mean of 0, 0 where all
// values are equal and not 0.
[[nodiscard]] double two_sided_p(const Estimate& difference);

// The first mean less the second one, of values that are not paired.
struct Difference {
  double mean;
  double half_width;
  double p;        // that the means are equal: 1 if they are, 0 if nothing varies
  double degrees;  // of freedom, as Welch and Satterthwaite have them
  std::size_t n;   // of both
};
// Student's t where the variances differ (Welch 1947).  nullopt for fewer than two
// values on one side.  REQUIRES: 0 < confidence < 1.
[[nodiscard]] std::optional<Difference> welch(std::span<const double> a,
                                              std::span<const double> b,
                                              double confidence);

// t_interval() over one mean for each seed.  nullopt also if all are equal: nothing was
// drawn, so the replications are one run.
[[nodiscard]] std::optional<Estimate> replication_interval(
    std::span<const double> means, double confidence);

// p-values of several tests made at once, corrected (Holm 1979), in the order given:
// the i-th smallest of m is multiplied by m - i + 1, never below a smaller one's, never
// above
// 1.  Reject where it is at most the wanted level.  REQUIRES: each in 0..1.  O(m log
// m).
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace berth

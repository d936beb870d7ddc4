#include "engine/compare/confidence.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/metrics/compensated_sum.hpp"

namespace berth {

namespace {

// In double throughout.  In long double the library computes constants before main(),
// which overflow where a checker has no such type: valgrind.
namespace policies = boost::math::policies;
using InDouble = policies::policy<policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, InDouble>;

}  // namespace

double t_quantile(double degrees, double probability) {
  BERTH_ASSERT(degrees >= 1.0 && 0.0 < probability && probability < 1.0);
  return boost::math::quantile(StudentsT(degrees), probability);
}

std::optional<Estimate> t_interval(std::span<const double> values, double confidence) {
  BERTH_ASSERT(0.0 < confidence && confidence < 1.0);
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  const double mean = sum.value() / n;
  CompensatedSum squares;
  for (const double value : values) squares.add((value - mean) * (value - mean));
  const double variance = squares.value() / (n - 1.0);
  const double t = t_quantile(n - 1.0, (1.0 + confidence) / 2.0);
  return Estimate{mean, variance, t * std::sqrt(variance / n), values.size()};
}

double two_sided_p(const Estimate& difference) {
  if (difference.mean == 0.0) return 1.0;
  if (difference.variance == 0.0) return 0.0;
  const auto n = static_cast<double>(difference.n);
  const double t = std::abs(difference.mean) / std::sqrt(difference.variance / n);
  const StudentsT distribution(n - 1.0);
  return 2.0 * boost::math::cdf(boost::math::complement(distribution, t));
}

std::optional<Difference> welch(std::span<const double> a, std::span<const double> b,
                                double confidence) {
  const auto ours = t_interval(a, confidence);
  const auto theirs = t_interval(b, confidence);
  if (!ours || !theirs) return std::nullopt;
  const double of_a = ours->variance / static_cast<double>(ours->n);
  const double of_b = theirs->variance / static_cast<double>(theirs->n);
  const double mean = ours->mean - theirs->mean;
  const std::size_t n = ours->n + theirs->n;
  const double all = of_a + of_b;
  if (all == 0.0) {
    return Difference{mean, 0.0, mean == 0.0 ? 1.0 : 0.0, static_cast<double>(n) - 2.0,
                      n};
  }
  const double degrees = all * all /
                         (of_a * of_a / static_cast<double>(ours->n - 1) +
                          of_b * of_b / static_cast<double>(theirs->n - 1));
  const double error = std::sqrt(all);
  const StudentsT distribution(degrees);
  const double above =
      boost::math::cdf(boost::math::complement(distribution, std::abs(mean) / error));
  return Difference{mean, t_quantile(degrees, (1.0 + confidence) / 2.0) * error,
                    2.0 * above, degrees, n};
}

std::optional<Estimate> replication_interval(std::span<const double> means,
                                             double confidence) {
  const bool differ = std::adjacent_find(means.begin(), means.end(),
                                         std::not_equal_to<>()) != means.end();
  if (!differ) return std::nullopt;
  return t_interval(means, confidence);
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return p_values[a] < p_values[b];
  });
  std::vector<double> adjusted(p_values.size());
  double least = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto tests_left = static_cast<double>(order.size() - i);
    least = std::min(1.0, std::max(least, tests_left * p_values[order[i]]));
    adjusted[order[i]] = least;
  }
  return adjusted;
}

}  // namespace berth

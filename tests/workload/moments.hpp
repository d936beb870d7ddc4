#pragma once
// Mean, variation and correlation of drawn values.

#include <algorithm>
#include <cmath>
#include <vector>

namespace berth::test {

struct Sample {
  std::vector<double> values;

  void add(double value) { values.push_back(value); }

  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }

  // Standard deviation.
  [[nodiscard]] double deviation() const {
    const double centre = mean();
    double sum = 0;
    for (const double value : values) sum += (value - centre) * (value - centre);
    return std::sqrt(sum / static_cast<double>(values.size()));
  }

  // Standard deviation over mean.
  [[nodiscard]] double variation() const { return deviation() / mean(); }

  [[nodiscard]] double quantile(double q) const {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
  }
};

inline double correlation(const Sample& a, const Sample& b) {
  const double mean_a = a.mean();
  const double mean_b = b.mean();
  double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    sum += (a.values[i] - mean_a) * (b.values[i] - mean_b);
  }
  return sum / static_cast<double>(a.values.size()) / (a.deviation() * b.deviation());
}

}  // namespace berth::test

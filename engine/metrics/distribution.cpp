#include "engine/metrics/distribution.hpp"

#include <algorithm>

#include "engine/metrics/sample.hpp"

namespace berth {

std::optional<Distribution> distribution_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  constexpr double kReach = 1.5;
  Distribution made;
  made.n = static_cast<std::int64_t>(values.size());
  made.min = values.front();
  made.q1 = *quantile(values, 0.25);
  made.median = *quantile(values, 0.5);
  made.q3 = *quantile(values, 0.75);
  made.max = values.back();
  const double reach = kReach * (made.q3 - made.q1);
  const auto first = std::lower_bound(values.begin(), values.end(), made.q1 - reach);
  const auto behind = std::upper_bound(first, values.end(), made.q3 + reach);
  made.low_whisker = *first;
  made.high_whisker = *(behind - 1);
  made.outliers.assign(values.begin(), first);
  made.outliers.insert(made.outliers.end(), behind, values.end());
  return made;
}

}  // namespace berth

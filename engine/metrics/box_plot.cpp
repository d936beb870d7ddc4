#include "engine/metrics/box_plot.hpp"

#include <algorithm>
#include <iterator>

#include "engine/metrics/quantile.hpp"

namespace berth {

namespace {

constexpr double kFence = 1.5;

}  // namespace

std::optional<BoxPlot> box_plot(std::span<const double> sorted) {
  if (sorted.empty()) return std::nullopt;
  BoxPlot box{};
  box.q1 = *quantile(sorted, 0.25);
  box.median = *quantile(sorted, 0.5);
  box.q3 = *quantile(sorted, 0.75);
  const double reach = kFence * (box.q3 - box.q1);
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), box.q1 - reach);
  const auto last = std::upper_bound(first, sorted.end(), box.q3 + reach);
  box.low_whisker = *first;
  box.high_whisker = *std::prev(last);
  box.outliers.assign(sorted.begin(), first);
  box.outliers.insert(box.outliers.end(), last, sorted.end());
  return box;
}

}  // namespace berth

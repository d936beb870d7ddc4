#pragma once
// The five numbers of a box plot and what lies outside (spec: metrics.md 6, A-ME-2).

#include <optional>
#include <span>
#include <vector>

namespace berth {

struct BoxPlot {
  double low_whisker;  // the smallest value not below the lower fence
  double q1;
  double median;
  double q3;
  double high_whisker;           // the largest value not above the upper fence
  std::vector<double> outliers;  // beyond the fences, ascending
};

// Fences lie 1.5 times q3 - q1 outside the box; nullopt for an empty sample.
// REQUIRES: sorted ascending.  O(log n + outliers).
[[nodiscard]] std::optional<BoxPlot> box_plot(std::span<const double> sorted);

}  // namespace berth

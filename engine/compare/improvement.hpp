#pragma once
// How much better one value is than another, in per cent (spec: metrics.md 3, 4).
//
// Positive is better, whichever direction the metric has.

#include <cstddef>
#include <optional>
#include <span>

#include "engine/metrics/metric_record.hpp"

namespace berth {

// 100 (base - changed) / base where lower is better, 100 (changed - base) / base where
// higher is.  nullopt for base 0 or a metric without a direction.
[[nodiscard]] std::optional<double> improvement_percent(double base, double changed,
                                                        Better better);

// How far a value stays behind the best one, in per cent of the best: 0 for the best
// itself.  nullopt as above.
[[nodiscard]] std::optional<double> degradation_percent(double best, double value,
                                                        Better better);

struct BeforeAfter {
  double base;
  double changed;
};

// Over the tested points, those without an improvement left out (spec: A-ME-1).
struct ImprovementRange {
  double up_to;       // largest
  double on_average;  // mean of the ratios, not ratio of the means
  std::size_t points;
};

// nullopt if no point has an improvement.
[[nodiscard]] std::optional<ImprovementRange> improvement_over(
    std::span<const BeforeAfter> points, Better better);

}  // namespace berth

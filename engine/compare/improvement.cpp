#include "engine/compare/improvement.hpp"

#include <algorithm>

#include "engine/metrics/compensated_sum.hpp"

namespace berth {

std::optional<double> improvement_percent(double base, double changed, Better better) {
  if (base == 0.0 || better == Better::kNeither) return std::nullopt;
  const double gain = better == Better::kLower ? base - changed : changed - base;
  return 100.0 * gain / base;
}

std::optional<double> degradation_percent(double best, double value, Better better) {
  if (best == 0.0 || better == Better::kNeither) return std::nullopt;
  const double loss = better == Better::kLower ? value - best : best - value;
  return 100.0 * loss / best;
}

std::optional<ImprovementRange> improvement_over(std::span<const BeforeAfter> points,
                                                 Better better) {
  std::optional<ImprovementRange> range;
  CompensatedSum sum;
  for (const auto& point : points) {
    const auto gain = improvement_percent(point.base, point.changed, better);
    if (!gain) continue;
    if (!range) range = {*gain, 0.0, 0};
    range->up_to = std::max(range->up_to, *gain);
    ++range->points;
    sum.add(*gain);
  }
  if (range) range->on_average = sum.value() / static_cast<double>(range->points);
  return range;
}

}  // namespace berth

#include "engine/metrics/quantile.hpp"

#include <cmath>
#include <cstddef>

#include "engine/base/error.hpp"

namespace berth {

std::optional<double> quantile(std::span<const double> sorted, double q) {
  BERTH_ASSERT(0.0 <= q && q <= 1.0);
  if (sorted.empty()) return std::nullopt;
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double part = place - std::floor(place);
  if (part == 0.0) return sorted[below];
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

}  // namespace berth

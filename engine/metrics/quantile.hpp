#pragma once
// Quantiles of a sample: type 7, linear between neighbours (spec: metrics.md 6).

#include <optional>
#include <span>

namespace berth {

// The value at position 1 + (n - 1) q of the sample, counted from 1; nullopt if it is
// empty.  REQUIRES: sorted ascending, 0 <= q <= 1.  O(1).
[[nodiscard]] std::optional<double> quantile(std::span<const double> sorted, double q);

}  // namespace berth

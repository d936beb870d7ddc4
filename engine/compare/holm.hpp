#pragma once
// Correction of several tests that are made at once (Holm 1979).

#include <span>
#include <vector>

namespace berth {

// The adjusted p-values, in the order given: the i-th smallest of m is multiplied by
// m - i + 1, never below a smaller one's, never above 1.  Reject where it is at most
// the wanted level.  REQUIRES: each in 0..1.  O(m log m).
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace berth

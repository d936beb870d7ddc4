#pragma once
// How two lists of numbers go together.

#include <optional>
#include <span>
#include <vector>

namespace berth {

// Ranks from 1 in the order given; equal values have the mean of theirs.  REQUIRES: no
// NaN.  O(n log n).
[[nodiscard]] std::vector<double> ranks_of(std::span<const double> values);

// Pearson's; of ranks it is Spearman's.  nullopt where one list does not vary, or is
// empty.  REQUIRES: one length.  O(n).
[[nodiscard]] std::optional<double> correlation(std::span<const double> a,
                                                std::span<const double> b);

}  // namespace berth

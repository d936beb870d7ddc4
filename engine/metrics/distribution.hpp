#pragma once
// A few values as a box plot: quartiles, whiskers and outliers (docs/model.md#metrics).

#include <cstdint>
#include <optional>
#include <vector>

namespace berth {

// Quartiles are linear between neighbours (type 7).  The whiskers are the outermost
// values within 1.5 times the distance of the quartiles from them; values beyond are
// outliers.
struct Distribution {
  std::int64_t n = 0;
  double min = 0;
  double low_whisker = 0;
  double q1 = 0;
  double median = 0;
  double q3 = 0;
  double high_whisker = 0;
  double max = 0;
  std::vector<double> outliers{};  // ascending
};

// nullopt if there are no values.  O(n log n).
[[nodiscard]] std::optional<Distribution> distribution_of(std::vector<double> values);

}  // namespace berth

#pragma once
// Amounts that are written as decimals, in whole units: the one rule for needs and
// capacities of every kind (docs/model.md#amounts).

#include <cmath>
#include <cstdint>

namespace berth {

// The most that a machine has of a kind, all hosts together: every sum of amounts that
// fits a machine is exact, also as a double.
inline constexpr std::int64_t kMostAmount = std::int64_t{1} << 52;

// The largest whole number of units that is not above `amount`, where one is `units` of
// them: 0.1 GiB is 104857 KiB.  Read as a decimal: n units out of `units` give n though
// the double is a little below, so that 0.29 of 100 is 29.  So n equal parts of a whole
// are together never more than the whole.
// REQUIRES: amount >= 0, units >= 1, amount * units <= 2^52.
[[nodiscard]] inline std::int64_t whole_units(double amount, std::int64_t units) {
  const auto of_one = static_cast<double>(units);
  const double near = std::floor(amount * of_one);
  // The product is rounded to a double and may be one unit off either way.
  if (near / of_one > amount) return static_cast<std::int64_t>(near) - 1;
  const bool has_next = (near + 1) / of_one <= amount;
  return static_cast<std::int64_t>(near) + (has_next ? 1 : 0);
}

}  // namespace berth

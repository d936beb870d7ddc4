#pragma once
// Values of metrics that are quotients.

#include <optional>

#include "engine/base/time.hpp"

namespace berth {

// nullopt if the whole is 0.
[[nodiscard]] inline std::optional<double> ratio(double part, double whole) {
  return whole == 0.0 ? std::nullopt : std::optional(part / whole);
}
[[nodiscard]] inline std::optional<double> ratio(Int128 part, Int128 whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

// nullopt for an empty set.
[[nodiscard]] inline std::optional<double> if_any(std::int64_t n, double value) {
  return n > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace berth

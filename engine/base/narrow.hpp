#pragma once
// Numbers from files, scripts and the command line, checked against the type in which
// they are kept and against the range that the reader allows.

#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace berth {

// `value` as a `To`; nullopt unless it lies from `least` to `most`.
template <std::integral To, std::integral From>
[[nodiscard]] constexpr std::optional<To> narrowed(
    From value, To least = std::numeric_limits<To>::min(),
    To most = std::numeric_limits<To>::max()) {
  if (!std::in_range<To>(value)) return std::nullopt;
  const To kept = static_cast<To>(value);
  return kept < least || kept > most ? std::nullopt : std::optional<To>(kept);
}

// As above; nullopt for fractions, infinities and NaN too.
template <std::integral To, std::floating_point From>
[[nodiscard]] std::optional<To> narrowed(From value,
                                         To least = std::numeric_limits<To>::min(),
                                         To most = std::numeric_limits<To>::max()) {
  // The first power of two above every `To`: exact, where max() need not be.
  const From above = std::ldexp(From{1}, std::numeric_limits<To>::digits);
  const From from = std::signed_integral<To> ? -above : From{0};
  if (!(value >= from && value < above) || std::floor(value) != value) {
    return std::nullopt;
  }
  return narrowed<To>(static_cast<To>(value), least, most);
}

// "a whole number from 1 to 2147483647", for the message where `narrowed` gave none.
template <std::integral To>
[[nodiscard]] std::string narrowed_range(To least = std::numeric_limits<To>::min(),
                                         To most = std::numeric_limits<To>::max()) {
  return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace berth

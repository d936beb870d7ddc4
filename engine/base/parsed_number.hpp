#pragma once
// Parses the numbers of input files, independently of the locale.
//
// The whole text must be a number: optional '-', digits, decimals, exponent.  "nan",
// "inf", "+5" and "0x10" are not numbers here.

#include <cstdint>
#include <string_view>

#include "engine/base/time.hpp"

namespace berth {

enum class NumberFault : std::uint8_t { kNone, kNotANumber, kOutOfRange, kNotWhole };

// `value` is valid only if fault is kNone.
template <class T>
struct ParsedNumber {
  T value{};
  NumberFault fault = NumberFault::kNone;
};

// A whole number; "4.0" and "1e3" are whole, "2.5" is kNotWhole.
[[nodiscard]] ParsedNumber<std::int64_t> parse_whole(std::string_view text);

// Seconds, in ticks: the nearest tick, halves away from zero; exact for decimals, so
// seconds_text() round-trips.  kOutOfRange beyond kMaxSeconds.
[[nodiscard]] ParsedNumber<Duration> parse_seconds(std::string_view text);

// Any finite number.
[[nodiscard]] ParsedNumber<double> parse_real(std::string_view text);

}  // namespace berth

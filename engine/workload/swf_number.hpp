#pragma once
// Numbers as they stand in an SWF file, whatever the locale.
//
// The whole text must be the number: digits with an optional '-', decimals, exponent.
// "nan", "inf", "+5" and "0x10" are no numbers here.

#include <cstdint>
#include <string_view>

#include "engine/base/time.hpp"

namespace berth {

enum class NumberFault : std::uint8_t { kNone, kNotANumber, kOutOfRange, kNotWhole };

// `value` means something only without a fault.
template <class T>
struct ParsedNumber {
  T value{};
  NumberFault fault = NumberFault::kNone;
};

// A whole number; "4.0" and "1e3" are whole, "2.5" is kNotWhole.
[[nodiscard]] ParsedNumber<std::int64_t> parse_whole(std::string_view text);

// Seconds, as ticks.  Plain decimals are exact: the nearest tick, halves away from
// zero, so that what seconds_text() wrote reads back as it was.  kOutOfRange beyond
// kMaxSeconds.
[[nodiscard]] ParsedNumber<Duration> parse_seconds(std::string_view text);

// Any finite number.
[[nodiscard]] ParsedNumber<double> parse_real(std::string_view text);

}  // namespace berth

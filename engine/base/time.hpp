#pragma once
// Simulated time: whole ticks of one microsecond.
//
// A Time is an instant, counted from the trace's own zero; a Duration is a span.
// Decisions compare ticks; files, messages and policies see seconds.
//
// Determinism  Integer arithmetic only; conversion rounds to the nearest tick, halves
//              away from zero.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace berth {

using Time = std::int64_t;
using Duration = std::int64_t;

// Amounts times ticks: 10^6 processors over 10^11 s are 10^23 processor ticks.
__extension__ using Int128 = __int128;

inline constexpr Duration kSecond = 1'000'000;

// Later than every event.
inline constexpr Time kNever = std::numeric_limits<Time>::max();

// Input times beyond this many seconds are refused (docs/model.md#time).
inline constexpr double kMaxSeconds = 1e11;

// `count` whole seconds.  REQUIRES: |count| <= kMaxSeconds.
[[nodiscard]] constexpr Duration seconds(std::int64_t count) { return count * kSecond; }

// The nearest tick; nullopt for NaN, infinities and magnitudes above kMaxSeconds.
[[nodiscard]] std::optional<Duration> ticks_from_seconds(double value);

// Exact up to 2^51 ticks: ticks_from_seconds() then gives the same tick again.
[[nodiscard]] constexpr double to_seconds(Duration ticks) {
  return static_cast<double>(ticks) / static_cast<double>(kSecond);
}

// Of a sum of spans, which may be more than a Duration holds.
[[nodiscard]] constexpr double total_seconds(Int128 ticks) {
  return static_cast<double>(ticks) / static_cast<double>(kSecond);
}

// Whole seconds, rounded up.  REQUIRES: ticks >= 0.
[[nodiscard]] constexpr std::int64_t seconds_up(Duration ticks) {
  return (ticks + kSecond - 1) / kSecond;
}

// t + d, or kNever on overflow.  REQUIRES: d >= 0.
[[nodiscard]] constexpr Time after(Time t, Duration d) {
  return t > kNever - d ? kNever : t + d;
}

// The shortest exact decimal number of seconds: "12", "0.5", "-3.000001"; never an
// exponent.  "never" for kNever.
[[nodiscard]] std::string seconds_text(Time ticks);
// The same into `out`, which has room for kLongestSeconds characters; the end of the
// text.
constexpr std::size_t kLongestSeconds = 32;
[[nodiscard]] char* print_seconds(char* out, Time ticks);

}  // namespace berth

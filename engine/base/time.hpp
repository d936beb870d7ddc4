#pragma once
// Simulated time: whole ticks of one microsecond.
//
// A Time is an instant, a Duration a span; both count ticks from the trace's own zero
// and nothing is ever shifted.  Everything that decides is compared on ticks; files,
// messages and policies see seconds.
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

inline constexpr Duration kSecond = 1'000'000;

// Later than everything that happens.
inline constexpr Time kNever = std::numeric_limits<Time>::max();

// Input times beyond this many seconds are refused (spec: README 1.4).
inline constexpr double kMaxSeconds = 1e11;

// `count` whole seconds.  REQUIRES: |count| <= kMaxSeconds.
[[nodiscard]] constexpr Duration seconds(std::int64_t count) { return count * kSecond; }

// The nearest tick; nullopt for NaN, infinities and magnitudes above kMaxSeconds.
[[nodiscard]] std::optional<Duration> ticks_from_seconds(double value);

// Exact up to 2^51 ticks: such a tick survives the way to seconds and back.
[[nodiscard]] constexpr double to_seconds(Duration ticks) {
  return static_cast<double>(ticks) / static_cast<double>(kSecond);
}

// t + d, kNever if that is beyond what a Time can hold.  REQUIRES: d >= 0.
[[nodiscard]] constexpr Time after(Time t, Duration d) {
  return t > kNever - d ? kNever : t + d;
}

// Seconds as short as exact: "12", "0.5", "-3.000001"; at most six decimals, never an
// exponent.  "never" for kNever.
[[nodiscard]] std::string seconds_text(Time ticks);

}  // namespace berth

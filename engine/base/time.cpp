#include "engine/base/time.hpp"

#include <fmt/format.h>

#include <cmath>

namespace berth {

std::optional<Duration> ticks_from_seconds(double value) {
  if (!(std::abs(value) <= kMaxSeconds)) return std::nullopt;
  return static_cast<Duration>(std::llround(value * static_cast<double>(kSecond)));
}

std::string seconds_text(Time ticks) {
  if (ticks == kNever) return "never";
  const auto magnitude = ticks < 0 ? 0 - static_cast<std::uint64_t>(ticks)
                                   : static_cast<std::uint64_t>(ticks);
  const auto whole = magnitude / kSecond;
  auto fraction = magnitude % kSecond;
  const char* sign = ticks < 0 ? "-" : "";
  if (fraction == 0) return fmt::format("{}{}", sign, whole);
  int digits = 6;
  while (fraction % 10 == 0) {
    fraction /= 10;
    --digits;
  }
  return fmt::format("{}{}.{:0{}}", sign, whole, fraction, digits);
}

}  // namespace berth

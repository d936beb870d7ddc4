#include "engine/base/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace berth {

std::optional<Duration> ticks_from_seconds(double value) {
  if (!(std::abs(value) <= kMaxSeconds)) return std::nullopt;
  return static_cast<Duration>(std::llround(value * static_cast<double>(kSecond)));
}

char* print_seconds(char* out, Time ticks) {
  constexpr std::uint64_t kTicks = kSecond;
  constexpr std::string_view kWord = "never";
  if (ticks == kNever) return std::copy(kWord.begin(), kWord.end(), out);
  const auto magnitude = ticks < 0 ? 0 - static_cast<std::uint64_t>(ticks)
                                   : static_cast<std::uint64_t>(ticks);
  if (ticks < 0) *out++ = '-';
  const auto whole = magnitude / kTicks;
  const auto low = static_cast<std::uint32_t>(whole);  // 32 bits are printed faster
  out = low == whole ? std::to_chars(out, out + kLongestSeconds, low).ptr
                     : std::to_chars(out, out + kLongestSeconds, whole).ptr;
  auto fraction = magnitude % kTicks;
  if (fraction > 0) *out++ = '.';
  for (; fraction > 0; fraction = fraction * 10 % kTicks) {
    *out++ = static_cast<char>('0' + fraction * 10 / kTicks);
  }
  return out;
}

std::string seconds_text(Time ticks) {
  std::array<char, kLongestSeconds> text{};
  return {text.data(), print_seconds(text.data(), ticks)};
}

}  // namespace berth

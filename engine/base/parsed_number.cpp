#include "engine/base/parsed_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "engine/base/real_chars.hpp"

// Bounded in this file: a number is a part of a line, for which the reader of lines
// charges.

namespace berth {

namespace {

constexpr double kExactWholes = 0x1.0p53;
constexpr int kDecimals = 6;  // of a tick in seconds

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number if the text is at most nine digits with an optional minus.  Most fields
// are, and this is several times as fast as the general parser.
std::optional<std::int32_t> short_whole(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  std::int32_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return is_negative ? -value : value;
}

// The digits behind the decimal point, in ticks; nullopt if there is anything else.
std::optional<Duration> fraction_ticks(std::string_view digits) {
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  Duration ticks = 0;
  for (std::size_t i = 0; i < kDecimals; ++i) {
    ticks = ticks * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  }
  const bool up = digits.size() > kDecimals && digits[kDecimals] >= '5';
  return up ? ticks + 1 : ticks;
}

ParsedNumber<Duration> within_range(Duration whole, Duration fraction) {
  constexpr auto kMaxWhole = static_cast<Duration>(kMaxSeconds);
  constexpr ParsedNumber<Duration> kFault{0, NumberFault::kOutOfRange};
  if (whole > kMaxWhole || whole < -kMaxWhole) return kFault;
  const Duration ticks = seconds(whole) + fraction;
  if (ticks > seconds(kMaxWhole) || ticks < -seconds(kMaxWhole)) return kFault;
  return {ticks};
}

ParsedNumber<Duration> seconds_from_real(std::string_view text) {
  const auto real = parse_real(text);
  if (real.fault != NumberFault::kNone) return {0, real.fault};
  const auto ticks = ticks_from_seconds(real.value);
  if (!ticks) return {0, NumberFault::kOutOfRange};
  return {*ticks};
}

}  // namespace

ParsedNumber<double> parse_real(std::string_view text) {
  if (const auto whole = short_whole(text)) return {static_cast<double>(*whole)};
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [stop, code] = real_from_chars(text.data(), end, value);
  if (code == std::errc::invalid_argument || stop != end) {
    return {0, NumberFault::kNotANumber};
  }
  if (code != std::errc{}) return {0, NumberFault::kOutOfRange};
  if (!std::isfinite(value)) return {0, NumberFault::kNotANumber};
  return {value};
}

ParsedNumber<std::int64_t> parse_whole(std::string_view text) {
  if (const auto whole = short_whole(text)) return {*whole};
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (stop == end && code == std::errc{}) return {value};
  const auto real = parse_real(text);
  if (real.fault != NumberFault::kNone) return {0, real.fault};
  if (real.value != std::trunc(real.value)) return {0, NumberFault::kNotWhole};
  if (std::abs(real.value) >= kExactWholes) return {0, NumberFault::kOutOfRange};
  return {static_cast<std::int64_t>(real.value)};
}

ParsedNumber<Duration> parse_seconds(std::string_view text) {
  if (const auto few = short_whole(text)) return within_range(*few, 0);
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, whole);
  if (code != std::errc{}) return seconds_from_real(text);
  if (stop == end) return within_range(whole, 0);
  if (*stop != '.') return seconds_from_real(text);
  const auto fraction =
      fraction_ticks({stop + 1, static_cast<std::size_t>(end - stop - 1)});
  if (!fraction) return seconds_from_real(text);
  return within_range(whole, text.front() == '-' ? -*fraction : *fraction);
}

}  // namespace berth

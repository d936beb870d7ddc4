#include "engine/base/duration_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>

#include "engine/base/real_chars.hpp"

namespace berth {

namespace {

struct Unit {
  char letter;
  double seconds;
};

constexpr std::array kUnits{Unit{'w', 604'800}, Unit{'d', 86'400}, Unit{'h', 3'600},
                            Unit{'m', 60}, Unit{'s', 1}};

void skip_spaces(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

// Takes an amount off the text; nullopt where there is none.
std::optional<double> take_amount(std::string_view& text) {
  double amount = 0;
  const auto [end, code] = real_from_chars(text.data(), text.data() + text.size(),
                                           amount, std::chars_format::fixed);
  if (code != std::errc() || !std::isfinite(amount) || amount < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return amount;
}

// Takes a number of this many digits and the mark behind it off the text.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t count,
                                    std::string_view marks) {
  unsigned number = 0;
  if (text.size() < count) return std::nullopt;
  const auto* last = text.data() + count;
  const auto [end, code] = std::from_chars(text.data(), last, number);
  if (code != std::errc() || end != last) return std::nullopt;
  text.remove_prefix(count);
  if (text.empty()) return number;
  if (marks.find(text.front()) == std::string_view::npos) return std::nullopt;
  text.remove_prefix(1);
  return text.empty() ? std::nullopt : std::optional(number);
}

// The seconds of "12:30" or "12:30:05".
std::optional<std::int64_t> time_of_day(std::string_view text) {
  const auto hour = take_digits(text, 2, ":");
  const auto minute = hour ? take_digits(text, 2, ":") : std::nullopt;
  if (!minute) return std::nullopt;
  const auto second = text.empty() ? std::optional(0U) : take_digits(text, 2, "");
  if (!second || !text.empty()) return std::nullopt;
  if (*hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return std::int64_t{*hour} * 3600 + std::int64_t{*minute} * 60 + *second;
}

}  // namespace

std::optional<std::int64_t> unix_time_from_date(std::string_view text) {
  const auto year = take_digits(text, 4, "-");
  const auto month = year && !text.empty() ? take_digits(text, 2, "-") : std::nullopt;
  const auto day = month && !text.empty() ? take_digits(text, 2, "T ") : std::nullopt;
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month),
                                         std::chrono::day(*day)};
  const auto time = text.empty() ? std::optional(std::int64_t{0}) : time_of_day(text);
  constexpr unsigned kFirstYear = 1970;
  if (!date.ok() || !time || *year < kFirstYear) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * 86'400 + *time;
}

std::string date_text(std::int64_t unix_time) {
  const std::chrono::sys_seconds at{std::chrono::seconds(unix_time)};
  const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(at)};
  auto text = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                          static_cast<unsigned>(date.month()),
                          static_cast<unsigned>(date.day()));
  const auto rest = unix_time % 86'400;
  if (rest == 0) return text;
  return fmt::format("{}T{:02}:{:02}:{:02}", text, rest / 3600, rest / 60 % 60,
                     rest % 60);
}

std::optional<double> seconds_from_text(std::string_view text) {
  double sum = 0;
  std::size_t next = 0;  // units come in their order
  skip_spaces(text);
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const auto amount = take_amount(text);
    skip_spaces(text);
    if (!amount || text.empty()) return std::nullopt;
    while (next < kUnits.size() && kUnits[next].letter != text.front()) ++next;
    if (next == kUnits.size()) return std::nullopt;
    sum += *amount * kUnits[next++].seconds;
    text.remove_prefix(1);
    skip_spaces(text);
  }
  return sum;
}

std::string human_time(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{}", seconds);
  if (seconds < 0) return "-" + human_time(-seconds);
  for (std::size_t i = 1; i + 1 < kUnits.size(); ++i) {
    const auto& [letter, unit] = kUnits[i];
    if (seconds < unit) continue;
    const double whole = std::floor(seconds / unit);
    const auto& smaller = kUnits[i + 1];
    const double rest = std::floor((seconds - whole * unit) / smaller.seconds);
    auto text = fmt::format("{:.0f} {}", whole, letter);
    return rest > 0 ? fmt::format("{} {:.0f} {}", text, rest, smaller.letter) : text;
  }
  return fmt::format("{:.3g} s", seconds);
}

std::string clock_text(Duration time) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 60 * kMinute;
  constexpr std::int64_t kDay = 24 * kHour;
  const auto whole = time / kSecond;
  auto text = whole >= kDay
                  ? fmt::format("{}-{:02}", whole / kDay, whole % kDay / kHour)
                  : fmt::format("{}", whole / kHour);
  text += fmt::format(":{:02}:{:02}", whole % kHour / kMinute, whole % kMinute);
  const auto rest = time % kSecond;
  if (rest != 0) text += seconds_text(rest).substr(1);  // "0.5" without the zero
  return text;
}

}  // namespace berth

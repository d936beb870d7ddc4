#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "engine/base/time.hpp"
#include "engine/compare/text_table.hpp"

namespace berth::report {

namespace {

struct SpanUnit {
  std::int64_t seconds;
  const char* name;
};

constexpr std::array kSpanUnits{SpanUnit{86'400, "d"}, SpanUnit{3'600, "h"},
                                SpanUnit{60, "min"}, SpanUnit{1, "s"}};
constexpr std::int64_t kManyOfUnit = 100;
constexpr const char* kMinus = "\u2212";

// Four significant digits, whole from 1,000 on.  REQUIRES: value >= 0.
std::string plain_number(double value) {
  constexpr double kFirstWhole = 999.95;
  constexpr double kMost = 1e15;
  if (value >= kFirstWhole && value < kMost) return grouped(std::llround(value));
  return fmt::format("{:.4g}", value);
}

std::string unsigned_words(double value, std::string_view unit,
                           const char* of_hundred) {
  if (unit == "s") return span_words(value);
  if (unit == "fraction") return fmt::format("{:.1f} {}", 100 * value, of_hundred);
  return plain_number(value);
}

}  // namespace

std::string span_words(double seconds) {
  if (seconds < 0) return kMinus + span_words(-seconds);
  if (seconds < 0.5) return "0";
  if (seconds > kMaxSeconds) return fmt::format("{:.4g} s", seconds);
  const auto whole = std::llround(seconds);
  std::size_t at = 0;
  // Bounded: the four units.
  while (whole < kSpanUnits.at(at).seconds) ++at;
  const auto& unit = kSpanUnits.at(at);
  if (unit.seconds == 1) return fmt::format("{} s", whole);
  const auto& below = kSpanUnits.at(at + 1);
  const auto parts =
      std::llround(static_cast<double>(whole) / static_cast<double>(below.seconds));
  const auto each = unit.seconds / below.seconds;
  const auto count = parts / each;
  const auto rest = parts % each;
  const bool is_next = at > 0 && count * unit.seconds >= kSpanUnits.at(at - 1).seconds;
  if (is_next) return fmt::format("1 {}", kSpanUnits.at(at - 1).name);
  auto text = fmt::format("{} {}", grouped(count), unit.name);
  if (rest == 0 || count >= kManyOfUnit) return text;
  return fmt::format("{} {} {}", text, rest, below.name);
}

std::string value_words(double value, std::string_view unit) {
  return (value < 0 ? kMinus : "") + unsigned_words(std::abs(value), unit, "%");
}

std::string difference_words(double value, std::string_view unit) {
  const auto* sign = value < 0 ? kMinus : value > 0 ? "+" : "";
  return sign + unsigned_words(std::abs(value), unit, "points");
}

std::string metric_words(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kShort{
      {{"p95_wait", "95 % wait"},
       {"max_wait", "longest wait"},
       {"p95_response", "95 % response"},
       {"max_response", "longest response"},
       {"mean_bounded_slowdown", "bounded slowdown"},
       {"utilisation", "in use"}}};
  const auto* found = std::find_if(kShort.begin(), kShort.end(),
                                   [&](const auto& one) { return one.first == name; });
  std::string words(found != kShort.end() ? found->second : name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string day_words(std::int64_t unix_time) {
  constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_seconds at{std::chrono::seconds(unix_time)};
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(at));
  const auto month = static_cast<unsigned>(day.month());
  return fmt::format("{} {} {}", static_cast<unsigned>(day.day()),
                     kMonths.at(month - 1), static_cast<int>(day.year()));
}

std::string count_words(std::int64_t count, std::string_view word) {
  return fmt::format("{} {}{}", grouped(count), word, count == 1 ? "" : "s");
}

}  // namespace berth::report

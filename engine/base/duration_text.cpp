#include "engine/base/duration_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

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
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(),
                                           amount, std::chars_format::fixed);
  if (code != std::errc() || !std::isfinite(amount) || amount < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return amount;
}

}  // namespace

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

}  // namespace berth

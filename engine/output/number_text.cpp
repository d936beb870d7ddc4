#include "engine/output/number_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace berth {

std::string label_text(std::int32_t label) {
  return label == kUnknown ? std::string() : fmt::to_string(label_number(label));
}

std::string ratio_text(std::optional<double> ratio) {
  return ratio ? fmt::to_string(*ratio) : std::string();
}

char* print_ratio(char* out, double ratio) {
  constexpr double kShort = 1e15;  // below it the digits of a whole number are shortest
  const bool is_whole = std::abs(ratio) < kShort && std::trunc(ratio) == ratio;
  const auto shortest = FMT_COMPILE("{}");
  if (is_whole && (ratio != 0 || !std::signbit(ratio))) {
    return fmt::format_to(out, shortest, static_cast<std::int64_t>(ratio));
  }
  return fmt::format_to(out, shortest, ratio);
}

std::string json_number(std::optional<double> ratio) {
  return ratio && std::isfinite(*ratio) ? ratio_text(ratio) : "null";
}

std::string json_seconds(std::optional<Time> ticks) {
  return ticks && *ticks != kNever ? seconds_text(*ticks) : "null";
}

}  // namespace berth

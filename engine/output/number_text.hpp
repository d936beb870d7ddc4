#pragma once
// Numbers as result files write them, in CSV and in JSON alike.

#include <fmt/compile.h>
#include <fmt/format.h>

#include <optional>
#include <string>

#include "engine/base/time.hpp"

namespace berth {

// The shortest text that reads back as the same number; empty if there is none.
[[nodiscard]] std::string ratio_text(std::optional<double> ratio);

// The same for a JSON file: null if there is none or it is not finite.
[[nodiscard]] std::string json_number(std::optional<double> ratio);

// Seconds for a JSON file: null for kNever or none.
[[nodiscard]] std::string json_seconds(std::optional<Time> ticks);

// As an argument of fmt: what seconds_text() says, written in place.
struct InSeconds {
  Time ticks;
};
// What ratio_text() says.
struct AsRatio {
  std::optional<double> ratio;
};

}  // namespace berth

template <>
struct fmt::formatter<berth::InSeconds> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const berth::InSeconds& time, Context& context) const {
    const bool is_plain = time.ticks >= 0 && time.ticks % berth::kSecond == 0;
    if (!is_plain || time.ticks == berth::kNever) {
      return fmt::format_to(context.out(), "{}", berth::seconds_text(time.ticks));
    }
    return fmt::format_to(context.out(), FMT_COMPILE("{}"),
                          time.ticks / berth::kSecond);
  }
};

template <>
struct fmt::formatter<berth::AsRatio> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const berth::AsRatio& value, Context& context) const {
    if (!value.ratio) return context.out();
    return fmt::format_to(context.out(), FMT_COMPILE("{}"), *value.ratio);
  }
};

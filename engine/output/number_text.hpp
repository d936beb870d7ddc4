#pragma once
// Numbers as result files hold them, in CSV and in JSON.

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/label.hpp"

namespace berth {

// The number of a user, group, partition or the like; empty for kUnknown.
[[nodiscard]] std::string label_text(std::int32_t label);

// The shortest text that reads back as the same number; empty for nullopt.
[[nodiscard]] std::string ratio_text(std::optional<double> ratio);
// The same into `out`, which has room for 32 characters; the end of the text.
[[nodiscard]] char* print_ratio(char* out, double ratio);

// For a JSON file: null for nullopt or what is not finite.
[[nodiscard]] std::string json_number(std::optional<double> ratio);

// Seconds for a JSON file: null for nullopt or kNever.
[[nodiscard]] std::string json_seconds(std::optional<Time> ticks);

// As an argument of fmt: what seconds_text() returns, without a string.  Where the
// output is a plain buffer, it has room for kLongestSeconds characters.
struct InSeconds {
  Time ticks;
};
// As an argument of fmt: what ratio_text() returns, without a string.
struct AsRatio {
  std::optional<double> ratio;
};
// As an argument of fmt: what label_text() returns, without a string.
struct AsLabel {
  std::int32_t label;
};

}  // namespace berth

template <>
struct fmt::formatter<berth::InSeconds> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const berth::InSeconds& time, Context& context) const {
    if constexpr (std::is_same_v<decltype(context.out()), char*>) {
      return berth::print_seconds(context.out(), time.ticks);
    }
    std::array<char, berth::kLongestSeconds> digits{};
    return std::copy(digits.data(), berth::print_seconds(digits.data(), time.ticks),
                     context.out());
  }
};

template <>
struct fmt::formatter<berth::AsRatio> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const berth::AsRatio& value, Context& context) const {
    if (!value.ratio) return context.out();
    std::array<char, 32> digits{};
    return std::copy(digits.data(), berth::print_ratio(digits.data(), *value.ratio),
                     context.out());
  }
};

template <>
struct fmt::formatter<berth::AsLabel> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const berth::AsLabel& value, Context& context) const {
    if (value.label == berth::kUnknown) return context.out();
    return fmt::format_to(context.out(), FMT_COMPILE("{}"),
                          berth::label_number(value.label));
  }
};

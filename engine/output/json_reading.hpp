#pragma once
// Reads JSON that this program wrote, from files that may hold anything else by now.

#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <utility>

namespace berth {

// Throws nlohmann::json::exception for text that is no JSON, or nests deeper than 32
// levels: every level takes stack where the value is copied or dropped.
[[nodiscard]] nlohmann::ordered_json parse_json(std::string_view text);

// The whole number from `least` to `most`.  Throws nlohmann::json::exception for
// anything else.
[[nodiscard]] std::int64_t whole_between(const nlohmann::ordered_json& json,
                                         std::int64_t least, std::int64_t most);

// The same, of a type that holds it; from 0 unless told.
template <std::integral To>
[[nodiscard]] To whole_of(const nlohmann::ordered_json& json, std::int64_t least = 0) {
  constexpr auto kMost = std::numeric_limits<To>::max();
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::in_range<std::int64_t>(kMost)) {
    return static_cast<To>(whole_between(json, least, kMost));
  } else {
    return static_cast<To>(whole_between(json, least, kLargest));
  }
}

}  // namespace berth

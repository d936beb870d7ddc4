#include "engine/output/json_reading.hpp"

#include <nlohmann/json.hpp>

namespace berth {

namespace {

using nlohmann::ordered_json;

constexpr int kDeepest = 32;

[[noreturn]] void refuse(const char* what) {
  constexpr int kOther = 599;  // of no error of the library
  throw ordered_json::other_error::create(kOther, what,
                                          static_cast<const ordered_json*>(nullptr));
}

}  // namespace

ordered_json parse_json(std::string_view text) {
  const auto look = [](int depth, ordered_json::parse_event_t, ordered_json&) {
    if (depth > kDeepest) refuse("nested deeper than 32 levels");
    return true;
  };
  return ordered_json::parse(text, look);
}

std::int64_t whole_between(const ordered_json& json, std::int64_t least,
                           std::int64_t most) {
  const bool whole = json.is_number_unsigned()
                         ? std::in_range<std::int64_t>(json.get<std::uint64_t>())
                         : json.is_number_integer();
  if (!whole) refuse("not a whole number");
  const auto value = json.get<std::int64_t>();
  if (value < least || value > most) refuse("a number is out of range");
  return value;
}

}  // namespace berth

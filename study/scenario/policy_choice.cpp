#include "study/scenario/policy_choice.hpp"

#include <fmt/format.h>

#include <optional>

#include "engine/base/printable.hpp"

namespace berth::study {

namespace {

// What is wrong with it, or nullopt once it is among the parameters.
std::optional<std::string> add_parameter(PolicyChoice& choice, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return fmt::format("'{}' is no parameter: write {}:name=value", printable(text),
                       printable(choice.name));
  }
  const std::string name(text.substr(0, equals));
  if (!choice.parameters.emplace(name, text.substr(equals + 1)).second) {
    return fmt::format("parameter '{}' is given twice", printable(name));
  }
  return std::nullopt;
}

}  // namespace

bool PolicyChoice::is_file() const {
  return name.find('/') != std::string::npos ||
         (name.size() > 4 && name.compare(name.size() - 4, 4, ".lua") == 0);
}

std::string PolicyChoice::stem() const {
  auto base = name.substr(name.find_last_of('/') + 1);
  const bool dotted = base.size() > 4 && base.compare(base.size() - 4, 4, ".lua") == 0;
  return dotted ? base.substr(0, base.size() - 4) : base;
}

Result<PolicyChoice, std::string> parse_policy_choice(std::string_view text) {
  PolicyChoice choice;
  const auto colon = text.find(':');
  choice.name = std::string(text.substr(0, colon));
  if (choice.name.empty()) {
    return fmt::format(
        "'{}' names no policy: write easy, ./mine.lua or sjf:block=false",
        printable(text));
  }
  while (colon != std::string_view::npos) {
    text.remove_prefix(std::min(text.size(), text.find_first_of(":,") + 1));
    const auto comma = text.find(',');
    if (auto problem = add_parameter(choice, text.substr(0, comma))) return *problem;
    if (comma == std::string_view::npos) break;
  }
  return choice;
}

}  // namespace berth::study

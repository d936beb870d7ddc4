#pragma once
// Every key of a scenario as one record: from this table come the reader of scenario
// files, --set, the list of keys in the help, suggestions and the manifest.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "study/scenario.hpp"

namespace berth::study {

using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

enum class SettingKind : std::uint8_t {
  kFlag,
  kWhole,
  kReal,
  kSeconds,
  kText,
  kChoice,    // a word out of `choices`
  kSpread,    // a number, or two of them: "0.005..0.04"
  kCpuUse,    // "drawn", a number, or a file
  kPolicies,  // a list of policies; read by whoever reads the file
};

struct Range {
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
  bool least_is_outside = false;  // above `least`, not at it
};

struct Setting {
  std::string_view section;  // "machine"; empty: the top of the file
  std::string_view name;
  SettingKind kind;
  Range range;                       // of numbers
  std::vector<std::string> choices;  // of words
  std::string_view help;
  // REQUIRES: wrong_with(*this, value) is empty.
  void (*set)(Scenario& scenario, const SettingValue& value);
  // The value in force; nullopt: left open.
  std::optional<SettingValue> (*value)(const Scenario& scenario);

  // "machine.processors", "seed".
  [[nodiscard]] std::string key() const;
};

// All of them, section by section in the order of the file.
[[nodiscard]] std::span<const Setting> settings();

// nullptr if there is no such key.
[[nodiscard]] const Setting* find_setting(std::string_view key);

// Why the value cannot be that setting: "nan is not a whole number"; empty: it can.
[[nodiscard]] std::string wrong_with(const Setting& setting, const SettingValue& value);

// A value as typed behind `--set key=`; wrong_with() tells whether it is one.
[[nodiscard]] SettingValue value_from_text(const Setting& setting,
                                           std::string_view text);

// "0.5", "true", "lublin": for messages, help and the manifest.
[[nodiscard]] std::string text_of(const SettingValue& value);

// "whole number, 1 to 1000000", "instant | event": what may stand there.
[[nodiscard]] std::string range_text(const Setting& setting);

// " (did you mean 'machine.processors'?)", or nothing.
[[nodiscard]] std::string suggestion(std::string_view section, std::string_view name);

}  // namespace berth::study

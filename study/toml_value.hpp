#pragma once
// TOML nodes in the words of the settings table; places as this project counts them.
// For the implementation files of this folder only.

#include <toml++/toml.h>

#include <optional>
#include <string_view>
#include <vector>

#include "study/problems.hpp"
#include "study/settings_table.hpp"

namespace berth::study {

// The lines of a text, to turn the parser's columns (characters) into bytes.
class TomlLines {
 public:
  // REQUIRES: `text` outlives this object.
  explicit TomlLines(std::string_view text);
  [[nodiscard]] Place place(const toml::source_position& at) const;

 private:
  std::vector<std::string_view> lines_;
};

// nullopt: a table, a list, a date.
[[nodiscard]] std::optional<SettingValue> value_of(const toml::node& node);

// "a table", "a list", "a date", "a number", ...
[[nodiscard]] std::string_view kind_of(const toml::node& node);

}  // namespace berth::study

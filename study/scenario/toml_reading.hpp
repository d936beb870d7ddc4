#pragma once
// Reading TOML for scenarios and claims: places as this project counts them, nodes as
// values of settings, and all problems of a file in one message.
// For the readers of study/ only.

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/setting.hpp"

namespace berth::study {

struct TextPosition {
  std::int64_t line = 0;    // from 1; 0: no place
  std::int64_t column = 0;  // byte, from 1; 0: no column
  friend auto operator<=>(const TextPosition&, const TextPosition&) = default;
};

class Problems {
 public:
  // `file` as the user typed it.
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(TextPosition place, std::string what);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

  // Throws Error{kInput} with one line each, "file:line:column: what", in the order of
  // the file, the first 40 and how many more there are; returns if there are none.
  void throw_if_any() const;

 private:
  struct Problem {
    TextPosition place;
    std::string what;
  };
  std::string file_;
  std::vector<Problem> all_;
};

// The lines of a text, to turn the parser's columns (characters) into bytes.
class TomlLines {
 public:
  // REQUIRES: `text` outlives this object.
  explicit TomlLines(std::string_view text);
  [[nodiscard]] TextPosition place(const toml::source_position& at) const;

 private:
  std::vector<std::string_view> lines_;
};

// The table that the text describes.  Throws Error{kInput} with file, line and column
// for text that is no TOML, and for tables, lists and dotted keys that are more than 16
// deep: what reads and drops them takes stack at each level.
[[nodiscard]] toml::table parse_toml(const std::string& file, std::string_view text);

// nullopt: a table, a list, a date.
[[nodiscard]] std::optional<SettingValue> value_of(const toml::node& node);

// The same; of a kInstant setting also a date, as text and in UTC.
[[nodiscard]] std::optional<SettingValue> value_of(const toml::node& node,
                                                   SettingKind kind);

// "a date cannot stand here; write it as text, in quotes: "2001-09-09"": what is wrong
// with a node that is no value, and how to write what is meant.  `setting`: whose value
// it should be; null: a parameter of a policy.
[[nodiscard]] std::string no_value(const toml::node& node, const SettingShape* setting);

// A list of words, or one, as text with commas between; nullopt: anything else.
[[nodiscard]] std::optional<SettingValue> names_of(const toml::node& node);

// "a table", "a list", "a date", "a time of day", "a number", ...
[[nodiscard]] std::string_view kind_of(const toml::node& node);

}  // namespace berth::study

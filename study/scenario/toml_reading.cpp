#include "study/scenario/toml_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/interrupt.hpp"
#include "engine/base/printable.hpp"

namespace berth::study {

namespace {

constexpr std::size_t kMostTold = 40;  // problems of one file

std::string place_text(const TextPosition& place) {
  if (place.line == 0) return {};
  if (place.column == 0) return fmt::format("{}:", place.line);
  return fmt::format("{}:{}:", place.line, place.column);
}

// "Error while parsing array: expected ..." of the TOML library, in one clause and
// without escapes.
std::string syntax_problem(std::string_view description) {
  std::string text(description);
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"'\\n'", "the end of the line"},
      {"'\\r'", "the end of the line"},
      {"'\\t'", "a tab"}};
  for (const auto& [escape, word] : kWords) {
    const auto at = text.find(escape);
    if (at != std::string::npos) text.replace(at, escape.size(), word);
  }
  text = escaped(text);
  constexpr std::string_view kPrefix = "Error while parsing ";
  const auto colon = text.find(": ");
  if (!text.starts_with(kPrefix) || colon == std::string::npos) return text;
  return fmt::format("{} (while reading: {})", text.substr(colon + 2),
                     text.substr(kPrefix.size(), colon - kPrefix.size()));
}

// How deep a text nests, found before it is parsed.  Where the text is no TOML the
// parser stops, at the latest, where this goes wrong.
class Depth {
 public:
  static constexpr int kMost = 16;

  explicit Depth(std::string_view text) : text_(text) {}

  // The byte at which the text is too deep; nullopt if it never is.
  std::optional<std::size_t> exceeded() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      count(text_[at_]);
      if (brackets_ > kMost || dots_ >= kMost) return at_;
      ++at_;
    }
    return std::nullopt;
  }

 private:
  void count(char c) {
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
    if (c == '.') ++dots_;
    // Between these stands one key or one value.
    if (std::string_view("[]{}=,\n").find(c) != std::string_view::npos) dots_ = 0;
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_, 3) == three;
    const std::string_view end =
        is_long ? std::string_view(three) : std::string_view(three).substr(0, 1);
    at_ += end.size();
    while (at_ < text_.size() && text_.substr(at_, end.size()) != end) {
      if (!is_long && text_[at_] == '\n') return;
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + end.size(), text_.size());
    // """ a quote at the end""""
    for (int more = 0; is_long && more < 2 && text_.substr(at_, 1) == end.substr(0, 1);
         ++more) {
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int brackets_ = 0;
  int dots_ = 0;  // of the key or value so far
};

TextPosition place_of_byte(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, byte);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {line, static_cast<std::int64_t>(byte - start) + 1};
}

std::string text_of_date(const toml::date& date) {
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

// In UTC, without parts of a second.
std::string text_of(const toml::date_time& moment) {
  const std::chrono::sys_days day{std::chrono::year_month_day{
      std::chrono::year(moment.date.year), std::chrono::month(moment.date.month),
      std::chrono::day(moment.date.day)}};
  const std::int64_t of_day =
      moment.time.hour * 3600 + moment.time.minute * 60 + moment.time.second;
  const std::int64_t ahead = moment.offset ? moment.offset->minutes * 60 : 0;
  return date_text(day.time_since_epoch().count() * std::int64_t{86'400} + of_day -
                   ahead);
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

void Problems::add(TextPosition place, std::string what) {
  all_.push_back({place, std::move(what)});
}

void Problems::throw_if_any() const {
  if (all_.empty()) return;
  auto sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.place < b.place; });
  std::string text;
  const auto told = std::min(sorted.size(), kMostTold);
  for (const auto& problem : std::span(sorted).first(told)) {
    text += fmt::format("{}{}:{} {}", text.empty() ? "" : "\n", printable_name(file_),
                        place_text(problem.place), problem.what);
  }
  if (told < sorted.size()) {
    text +=
        fmt::format("\n{}: and {} more", printable_name(file_), sorted.size() - told);
  }
  throw Error(ErrorCode::kInput, text);
}

TomlLines::TomlLines(std::string_view text) {
  while (true) {
    const auto end = text.find('\n');
    lines_.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

TextPosition TomlLines::place(const toml::source_position& at) const {
  throw_if_interrupted();  // it may be asked for each of many places in a long line
  const auto line = static_cast<std::size_t>(at.line);
  if (line == 0 || line > lines_.size()) return {at.line, at.column};
  const auto text = lines_[line - 1];
  std::size_t byte = 0;
  for (auto left = at.column; left > 1 && byte < text.size(); --left) {
    ++byte;
    while (byte < text.size() && continues_character(text[byte])) ++byte;
  }
  return {at.line, static_cast<std::int64_t>(byte) + 1};
}

toml::table parse_toml(const std::string& file, std::string_view text) {
  Problems problems(file);
  if (const auto byte = Depth(text).exceeded()) {
    problems.add(place_of_byte(text, *byte),
                 fmt::format("more than {} levels of tables, lists or parts of a key",
                             Depth::kMost));
    problems.throw_if_any();
  }
  try {
    return toml::parse(text, std::string_view(file));
  } catch (const toml::parse_error& error) {
    problems.add(TomlLines(text).place(error.source().begin),
                 syntax_problem(error.description()));
    problems.throw_if_any();
    throw;
  }
}

std::optional<SettingValue> value_of(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return SettingValue(flag->get());
  if (const auto* whole = node.as_integer()) return SettingValue(whole->get());
  if (const auto* real = node.as_floating_point()) return SettingValue(real->get());
  if (const auto* text = node.as_string()) return SettingValue(text->get());
  return std::nullopt;
}

std::optional<SettingValue> value_of(const toml::node& node, SettingKind kind) {
  if (kind == SettingKind::kInstant) {
    if (const auto* date = node.as_date())
      return SettingValue(text_of_date(date->get()));
    if (const auto* moment = node.as_date_time()) {
      if (moment->get().time.nanosecond == 0)
        return SettingValue(text_of(moment->get()));
    }
  }
  return value_of(node);
}

std::string no_value(const toml::node& node, const SettingShape* setting) {
  auto what = fmt::format("{} cannot stand here", kind_of(node));
  const bool is_text = setting == nullptr || setting->kind == SettingKind::kText ||
                       setting->kind == SettingKind::kInputFile ||
                       setting->kind == SettingKind::kInstant;
  if (const auto* date = node.as_date(); date != nullptr && is_text) {
    return fmt::format("{}; write it as text, in quotes: \"{}\"", what,
                       text_of_date(date->get()));
  }
  if (const auto* moment = node.as_date_time(); moment != nullptr && is_text) {
    return fmt::format("{}; write it as text, in quotes and to the second: \"{}\"",
                       what, text_of(moment->get()));
  }
  const bool is_span = setting != nullptr && (setting->kind == SettingKind::kSeconds ||
                                              setting->kind == SettingKind::kInstant);
  if (const auto* time = node.as_time(); time != nullptr && is_span) {
    return fmt::format("{}; write a span of time as text, in quotes: \"{}h{}m{}s\"",
                       what, time->get().hour, time->get().minute, time->get().second);
  }
  if (setting == nullptr) return what;
  if (node.is_array() && setting->kind == SettingKind::kSpread) {
    return what + "; write two numbers as text, in quotes: \"0.1..0.5\"";
  }
  auto takes = fmt::format("{}; write {}", what, kind_text(setting->kind));
  return node.is_array() ? takes + " (values to try go under [sweep])" : takes;
}

std::optional<SettingValue> names_of(const toml::node& node) {
  const auto* list = node.as_array();
  if (list == nullptr) return value_of(node);
  std::string names;
  for (const auto& entry : *list) {
    if (const auto* part = entry.as_table()) {  // of a mix
      const auto trace = (*part)["trace"].value<std::string>();
      const auto share = (*part)["share"].value<double>();
      if (!trace || !share || part->size() != 2) return std::nullopt;
      names += fmt::format("{}{} {}", names.empty() ? "" : "; ", *share, *trace);
      continue;
    }
    const auto* word = entry.as_string();
    const auto* number = entry.as_integer();
    if (word == nullptr && number == nullptr) return std::nullopt;
    names += (names.empty() ? "" : ",") +
             (word != nullptr ? word->get() : fmt::format("{}", number->get()));
  }
  return SettingValue(names);
}

std::string_view kind_of(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  if (node.is_number()) return "a number";
  if (node.is_boolean()) return "a truth value";
  if (node.is_string()) return "text";
  return node.is_time() ? "a time of day" : "a date";
}

}  // namespace berth::study

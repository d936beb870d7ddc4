#include "engine/base/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/base/duration_text.hpp"
#include "engine/base/error.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/real_chars.hpp"
#include "engine/base/spelling.hpp"
#include "engine/base/spread.hpp"

namespace berth {

namespace {

constexpr double kLargestShown = 1e18;  // in full, with all digits

std::string number_text(double value) {
  const bool is_whole = value == std::floor(value) && std::abs(value) <= kLargestShown;
  return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

std::string quoted(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return fmt::format("'{}'", printable(*text));
  }
  if (const auto* real = std::get_if<double>(&value)) {
    const bool is_whole =
        *real == std::floor(*real) && std::abs(*real) <= kLargestShown;
    return is_whole ? fmt::format("{:.1f}", *real) : fmt::format("{:#}", *real);
  }
  return text_of(value);
}

bool is_date(const SettingValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && unix_time_from_date(*text).has_value();
}

bool is_of_kind(SettingKind kind, const SettingValue& value) {
  const bool is_whole = std::holds_alternative<std::int64_t>(value);
  switch (kind) {
    case SettingKind::kFlag: return std::holds_alternative<bool>(value);
    case SettingKind::kWhole: return is_whole;
    case SettingKind::kReal: return is_whole || std::holds_alternative<double>(value);
    case SettingKind::kInstant:
      if (is_date(value)) return true;
      [[fallthrough]];
    case SettingKind::kSeconds:
      if (const auto* text = std::get_if<std::string>(&value)) {
        return seconds_from_text(*text).has_value();
      }
      return is_whole || std::holds_alternative<double>(value);
    case SettingKind::kText:
    case SettingKind::kNames:
    case SettingKind::kInputFile:
    case SettingKind::kChoice: return std::holds_alternative<std::string>(value);
    case SettingKind::kSpread:
    case SettingKind::kJobValues: return !std::holds_alternative<bool>(value);
    case SettingKind::kPolicies: return false;
  }
  BERTH_ASSERT(false);
}

// How to write the value that is meant where one of another type stands:
// "; write 320", or nothing.
std::string form_text(const SettingShape& setting, const SettingValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  const auto* const real = std::get_if<double>(&value);
  switch (setting.kind) {
    case SettingKind::kFlag:
      if (text != nullptr && (*text == "true" || *text == "false")) {
        return fmt::format("; write {}, without quotes", *text);
      }
      if (text != nullptr) return {};
      return real_of(value) == 0 ? "; write false" : "; write true";
    case SettingKind::kWhole:
      if (real != nullptr && *real == std::floor(*real) &&
          std::abs(*real) <= kLargestShown) {
        return fmt::format("; write {:.0f}", *real);
      }
      [[fallthrough]];
    case SettingKind::kReal:
    case SettingKind::kSeconds:
    case SettingKind::kInstant: {
      if (text == nullptr) return {};
      const auto meant = value_from_text(setting, *text);
      if (meant == value || !is_of_kind(setting.kind, meant)) return {};
      return fmt::format("; write {}, without quotes", text_of(meant));
    }
    case SettingKind::kText:
    case SettingKind::kInputFile:
      return fmt::format("; write \"{}\", in quotes", text_of(value));
    case SettingKind::kChoice:
      return fmt::format("; write \"{}\"", fmt::join(setting.choices, "\" or \""));
    case SettingKind::kNames: return fmt::format("; write [{}]", text_of(value));
    default: return {};
  }
}

std::string out_of_range(const Range& range, const SettingValue& value) {
  const double number = real_of(value);
  if (!std::isfinite(number)) return quoted(value) + " is not a finite number";
  if (range.least_is_outside && number <= range.least) {
    return fmt::format("{} is not above {}", text_of(value), number_text(range.least));
  }
  if (number < range.least) {
    return fmt::format("{} is below {}", text_of(value), number_text(range.least));
  }
  // A whole number is compared as one: above 2^53 doubles are too coarse.
  const auto* whole = std::get_if<std::int64_t>(&value);
  const bool is_above = whole != nullptr && range.most <= kLargestShown
                            ? *whole > static_cast<std::int64_t>(range.most)
                            : number > range.most;
  if (is_above) {
    return fmt::format("{} is above {}", text_of(value), number_text(range.most));
  }
  if (whole != nullptr && *whole % range.multiple_of != 0) {
    return fmt::format("{} is not a multiple of {}", *whole, range.multiple_of);
  }
  return {};
}

std::string wrong_spread(const SettingShape& setting, const SettingValue& value) {
  const auto spread = spread_from_text(text_of(value));
  if (!spread) {
    return fmt::format("{} is not {}", quoted(value), kind_text(setting.kind));
  }
  const auto least = out_of_range(setting.range, spread->least);
  return least.empty() ? out_of_range(setting.range, spread->most) : least;
}

// Text that is no number names a file; whether it exists shows when it is read.
std::string wrong_job_values(const SettingShape& setting, const SettingValue& value) {
  if (!std::holds_alternative<std::string>(value)) {
    return out_of_range(setting.range, value);
  }
  const auto spread = spread_from_text(std::get<std::string>(value));
  return spread ? out_of_range(setting.range, spread->least) : std::string();
}

std::string no_choice(const SettingShape& setting, const std::string& word) {
  const auto& choices = setting.choices;
  if (std::find(choices.begin(), choices.end(), word) != choices.end()) return {};
  const std::vector<std::string_view> known(choices.begin(), choices.end());
  return fmt::format("'{}' is not {}{}{}", printable(word),
                     choices.size() > 1 ? "one of " : "", fmt::join(choices, ", "),
                     did_you_mean(word, known));
}

// The words that a kJobValues setting may be.
std::vector<std::string> words_of(const SettingShape& setting) {
  return setting.choices.empty() ? std::vector<std::string>{"drawn"} : setting.choices;
}

std::from_chars_result read(const char* first, const char* last, std::int64_t& value) {
  return std::from_chars(first, last, value);
}
std::from_chars_result read(const char* first, const char* last, double& value) {
  return real_from_chars(first, last, value);
}

template <class T>
std::optional<T> whole_text_as(std::string_view text) {
  T value{};
  const auto* end = text.data() + text.size();
  const auto [at, code] = read(text.data(), end, value);
  return code == std::errc() && at == end && !text.empty() ? std::optional(value)
                                                           : std::nullopt;
}

// "1e4" is a whole number.
SettingValue whole_if_exact(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const bool is_exact = value == std::floor(value) && std::abs(value) <= kExact;
  return is_exact ? SettingValue(static_cast<std::int64_t>(value))
                  : SettingValue(value);
}

bool is_word(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  const auto is_right = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kLongest &&
         std::all_of(name.begin(), name.end(), is_right);
}

bool is_name(std::string_view name, NameKind kind) {
  if (kind == NameKind::kWord) return is_word(name);
  if (kind == NameKind::kNumberOrAll && name == "*") return true;
  const auto number = whole_text_as<std::int64_t>(name);
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  return number && *number >= -1 && *number <= kMost &&
         fmt::to_string(*number) == name;  // "07" would be 7 twice
}

}  // namespace

std::string_view kind_text(SettingKind kind) {
  switch (kind) {
    case SettingKind::kFlag: return "true or false";
    case SettingKind::kWhole: return "a whole number";
    case SettingKind::kReal: return "a number";
    case SettingKind::kSeconds: return "a number of seconds or a time such as 2h30m";
    case SettingKind::kInstant:
      return "a number of seconds, a time such as 5d or a date such as 1996-10-01";
    case SettingKind::kText:
    case SettingKind::kInputFile:
    case SettingKind::kChoice: return "text";
    case SettingKind::kNames: return "a list of words";
    case SettingKind::kSpread: return "a number or a range such as \"0.1..0.5\"";
    case SettingKind::kJobValues: return "a word, a number or a file";
    case SettingKind::kPolicies: return "a list of policies";
  }
  BERTH_ASSERT(false);
}

std::string SettingShape::key() const {
  return section.empty() ? std::string(name)
                         : std::string(section) + "." + std::string(name);
}

std::optional<std::string> names_in(std::string_view pattern, std::string_view key,
                                    NameKind kind) {
  std::string names;
  while (true) {
    const auto part = pattern.substr(0, pattern.find('.'));
    const auto given = key.substr(0, key.find('.'));
    if (part == "*" ? !is_name(given, kind) : part != given) return std::nullopt;
    if (part == "*") names += (names.empty() ? "" : ".") + std::string(given);
    const bool is_last = part.size() == pattern.size();
    if (is_last != (given.size() == key.size())) return std::nullopt;
    if (is_last) return names;
    pattern.remove_prefix(part.size() + 1);
    key.remove_prefix(given.size() + 1);
  }
}

std::string key_with(std::string pattern, std::string_view names) {
  std::size_t at = 0;
  while ((at = pattern.find('*', at)) != std::string::npos) {
    const auto name = names.substr(0, names.find('.'));
    pattern.replace(at, 1, name);
    at += name.size();
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  return pattern;
}

bool is_changed(const OwnSettings& own, const std::any& given) {
  return std::any_of(own.records.begin(), own.records.end(), [&](const auto& record) {
    return record.value(given) != record.value(own.defaults);
  });
}

std::string wrong_with(const SettingShape& setting, const SettingValue& value) {
  if (!is_of_kind(setting.kind, value)) {
    return fmt::format("{} is not {}{}", quoted(value), kind_text(setting.kind),
                       form_text(setting, value));
  }
  switch (setting.kind) {
    case SettingKind::kWhole:
    case SettingKind::kReal:
    case SettingKind::kSeconds: return out_of_range(setting.range, value);
    case SettingKind::kInstant:
      return is_date(value) ? std::string() : out_of_range(setting.range, value);
    case SettingKind::kChoice: return no_choice(setting, std::get<std::string>(value));
    case SettingKind::kSpread: return wrong_spread(setting, value);
    case SettingKind::kJobValues: return wrong_job_values(setting, value);
    default: return {};
  }
}

SettingValue value_from_text(const SettingShape& setting, std::string_view text) {
  switch (setting.kind) {
    case SettingKind::kFlag:
      if (text == "true" || text == "false") return text == "true";
      break;
    case SettingKind::kWhole:
    case SettingKind::kReal:
    case SettingKind::kSeconds:
    case SettingKind::kInstant:
      if (const auto whole = whole_text_as<std::int64_t>(text)) return *whole;
      if (const auto real = whole_text_as<double>(text)) {
        return setting.kind == SettingKind::kWhole ? whole_if_exact(*real)
                                                   : SettingValue(*real);
      }
      break;
    default: break;
  }
  return std::string(text);
}

std::string text_of(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* is = std::get_if<bool>(&value)) return *is ? "true" : "false";
  if (const auto* real = std::get_if<double>(&value)) return number_text(*real);
  return fmt::format("{}", std::get<std::int64_t>(value));
}

std::string range_text(const SettingShape& setting) {
  const auto& range = setting.range;
  switch (setting.kind) {
    case SettingKind::kFlag: return "true | false";
    case SettingKind::kChoice:
      return fmt::format("{}", fmt::join(setting.choices, " | "));
    case SettingKind::kText: return "text";
    case SettingKind::kNames: return "list of words";
    case SettingKind::kInputFile:
      return fmt::format("{}{}file", fmt::join(setting.choices, " | "),
                         setting.choices.empty() ? "" : " | ");
    case SettingKind::kSpread: return "number or \"least..most\"";
    case SettingKind::kJobValues:
      return fmt::format("{} | number | file", fmt::join(words_of(setting), " | "));
    case SettingKind::kPolicies: return "list";
    default: break;
  }
  return fmt::format("{}, {}{} to {}", kind_text(setting.kind).substr(2),
                     range.least_is_outside ? "above " : "", number_text(range.least),
                     number_text(range.most));
}

bool names_file(const SettingShape& setting, const SettingValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return false;
  const bool is_path = setting.kind == SettingKind::kInputFile;
  if (is_path && text->empty()) return false;
  if (!is_path &&
      (setting.kind != SettingKind::kJobValues || spread_from_text(*text))) {
    return false;
  }
  const auto words = is_path ? setting.choices : words_of(setting);
  return std::find(words.begin(), words.end(), *text) == words.end();
}

double real_of(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    const auto seconds = seconds_from_text(*text);
    BERTH_ASSERT(seconds.has_value());
    return *seconds;
  }
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

}  // namespace berth

#pragma once
// A key of a scenario as one record: name, kind, range, help, and how to set and show
// it.  Readers of files, --set, help, suggestions and manifests work on these records.

#include <any>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace berth {

using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

enum class SettingKind : std::uint8_t {
  kFlag,
  kWhole,
  kReal,
  kSeconds,  // a number, or text such as "2h30m"
  kInstant,  // a number, such text, or a date such as "1996-10-01"
  kText,
  kNames,      // several words: a list in a file, "a,b" as text
  kInputFile,  // the path of a file to be read, or a word out of `choices`, if any
  kChoice,     // a word out of `choices`
  kSpread,     // a number, or two of them: "0.005..0.04"
  kJobValues,  // a word out of `choices` (none: "drawn"), a number for all jobs, or a
               // file with values by job
  kPolicies,   // a list of policies; read by the reader of the file
};

struct Range {
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
  bool least_is_outside = false;  // above `least`, not at it
  std::int64_t multiple_of = 1;   // of whole numbers
};

// What a setting is, without where its value is kept.
struct SettingShape {
  std::string_view section;  // "machine"; empty: the top of the file
  std::string_view name;
  SettingKind kind = SettingKind::kText;
  Range range{};                       // of numbers
  std::vector<std::string> choices{};  // of words
  std::string_view help{};
  // Names by which a case of a policy may give it, as of a key: "hosts.*.count".
  std::vector<std::string_view> aliases{};

  // "machine.processors", "seed".
  [[nodiscard]] std::string key() const;
};

// What may stand for a "*" in a key: a word of letters, digits, "_" and "-", or a whole
// number from -1 to 2^53, as this program writes it, or such a number or "*" itself,
// which stands for all of them.
enum class NameKind : std::uint8_t { kWord, kWholeNumber, kNumberOrAll };

// What stands in `key` for each "*" of `pattern`, with dots between; nullopt: it is no
// such key.
[[nodiscard]] std::optional<std::string> names_in(std::string_view pattern,
                                                  std::string_view key, NameKind kind);

// The key with those names: the inverse of names_in().
[[nodiscard]] std::string key_with(std::string pattern, std::string_view names);

// A setting whose value is kept in an Owner.
template <class Owner>
struct SettingOf : SettingShape {
  // Throws Error for a text that is wrong in itself.
  // REQUIRES: wrong_with(*this, value) is empty.
  std::function<void(Owner& owner, const SettingValue& value)> set;
  // The value in force; nullopt: left open.
  std::function<std::optional<SettingValue>(const Owner& owner)> value;
};

// A setting of each of the names that a scenario makes up: its section and name have a
// "*" for each of them, as in "machine.hosts.*.count".
template <class Owner>
struct NamedSettingOf : SettingShape {
  NameKind kind_of_name = NameKind::kWord;
  // As those of a SettingOf; `name` is as names_in() gives it.
  std::function<void(Owner& owner, std::string_view name, const SettingValue& value)>
      set;
  std::function<std::optional<SettingValue>(const Owner& owner, std::string_view name)>
      value;
  // Those that the owner knows, in its order; the value of some may be left open.
  std::function<std::vector<std::string>(const Owner& owner)> names;
};

// Settings kept in a type that only their owner knows, such as those of a sharing
// model.
struct OwnSettings {
  std::any defaults;
  std::vector<SettingOf<std::any>> records;       // of an any of the type of `defaults`
  std::vector<NamedSettingOf<std::any>> named{};  // likewise
};

// Hides the type of the owner.
template <class Owner>
[[nodiscard]] NamedSettingOf<std::any> own_named(NamedSettingOf<Owner> of) {
  const SettingShape& shape = of;
  return {shape, of.kind_of_name,
          [set = std::move(of.set)](std::any& owner, std::string_view name,
                                    const SettingValue& value) {
            set(std::any_cast<Owner&>(owner), name, value);
          },
          [value = std::move(of.value)](const std::any& owner, std::string_view name) {
            return value(std::any_cast<const Owner&>(owner), name);
          },
          [names = std::move(of.names)](const std::any& owner) {
            return names(std::any_cast<const Owner&>(owner));
          }};
}
template <class Owner>
[[nodiscard]] OwnSettings own_settings(Owner defaults,
                                       std::vector<SettingOf<Owner>> records,
                                       std::vector<NamedSettingOf<Owner>> named = {}) {
  OwnSettings own{std::move(defaults), {}, {}};
  for (auto& each : named) own.named.push_back(own_named(std::move(each)));
  for (auto& record : records) {
    const SettingShape& shape = record;
    own.records.push_back(
        {shape,
         [set = std::move(record.set)](std::any& owner, const SettingValue& value) {
           set(std::any_cast<Owner&>(owner), value);
         },
         [value = std::move(record.value)](const std::any& owner) {
           return value(std::any_cast<const Owner&>(owner));
         }});
  }
  return own;
}

// Whether a setting of `given`, of the type of the defaults, differs from them.
[[nodiscard]] bool is_changed(const OwnSettings& own, const std::any& given);

// Why the value cannot be that setting: "nan is not a whole number"; empty: it can.
[[nodiscard]] std::string wrong_with(const SettingShape& setting,
                                     const SettingValue& value);

// A value as typed behind `--set key=`; wrong_with() tells whether it is one.
[[nodiscard]] SettingValue value_from_text(const SettingShape& setting,
                                           std::string_view text);

// "a whole number", "text": what a setting of this kind takes.
[[nodiscard]] std::string_view kind_text(SettingKind kind);

// "0.5", "true", "lublin": for messages, help and the manifest.
[[nodiscard]] std::string text_of(const SettingValue& value);

// "whole number, 1 to 1000000", "instant | event": the values that are allowed.
[[nodiscard]] std::string range_text(const SettingShape& setting);

// Whether this value is the path of a file to be read: of a kInputFile setting no word,
// and of a kJobValues setting neither a word nor a number.
[[nodiscard]] bool names_file(const SettingShape& setting, const SettingValue& value);

// REQUIRES: `value` is a number, or text of a kSeconds setting; no date.
[[nodiscard]] double real_of(const SettingValue& value);

}  // namespace berth

#pragma once
// Builds the records of a table of settings, one call a key.
//
// `member` is where the owner keeps the value: a pointer to a member, or a function
// object from Owner& (const or not) to a reference.  An empty optional is left open.

#include <algorithm>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/setting.hpp"
#include "engine/base/spread.hpp"
#include "engine/base/time.hpp"

namespace berth {

template <class Owner>
class SettingList {
 public:
  using Record = SettingOf<Owner>;
  using Words = std::vector<std::string>;

  // The section of the records that follow; the top of the file before the first call.
  void section(std::string_view name) { section_ = name; }

  template <class Member>
  Record& flag(std::string_view name, std::string_view help, Member member) {
    return add(
        {section_, name, SettingKind::kFlag, {}, {}, help}, member,
        [](const SettingValue& v) { return std::get<bool>(v); },
        [](bool v) { return SettingValue(v); });
  }

  template <class Member>
  Record& whole(std::string_view name, Range range, std::string_view help,
                Member member) {
    using T = Held<Member>;
    return add(
        {section_, name, SettingKind::kWhole, range, {}, help}, member,
        [](const SettingValue& v) { return static_cast<T>(std::get<std::int64_t>(v)); },
        [](T v) { return SettingValue(static_cast<std::int64_t>(v)); });
  }

  template <class Member>
  Record& real(std::string_view name, Range range, std::string_view help,
               Member member) {
    return add({section_, name, SettingKind::kReal, range, {}, help}, member, real_of,
               [](double v) { return SettingValue(v); });
  }

  // A Time or Duration, given in seconds.
  template <class Member>
  Record& time(std::string_view name, Range range, std::string_view help,
               Member member) {
    return add(
        {section_, name, SettingKind::kSeconds, range, {}, help}, member,
        [](const SettingValue& v) { return ticks_from_seconds(real_of(v)).value(); },
        [](Duration v) { return SettingValue(to_seconds(v)); });
  }

  // Empty text is left open.
  template <class Member>
  Record& text(std::string_view name, std::string_view help, Member member) {
    auto& made = add(
        {section_, name, SettingKind::kText, {}, {}, help}, member,
        [](const SettingValue& v) { return std::get<std::string>(v); },
        [](const std::string& v) { return SettingValue(v); });
    made.value = [shown = std::move(made.value)](const Owner& owner) {
      auto value = shown(owner);
      if (value && std::get<std::string>(*value).empty()) value.reset();
      return value;
    };
    return made;
  }

  // Words with commas between; none is left open.
  template <class Member>
  Record& names(std::string_view name, std::string_view help, Member member) {
    auto& made = text(name, help, member);
    made.kind = SettingKind::kNames;
    return made;
  }

  // An enumeration whose words are `words`, in its order; or a text that is one of
  // them.
  template <class Member>
  Record& choice(std::string_view name, Words words, std::string_view help,
                 Member member) {
    using T = Held<Member>;
    if constexpr (std::same_as<T, std::string>) {
      auto& made = text(name, help, member);
      made.kind = SettingKind::kChoice;
      made.choices = std::move(words);
      return made;
    } else {
      return add(
          {section_, name, SettingKind::kChoice, {}, words, help}, member,
          [words](const SettingValue& v) {
            return static_cast<T>(number_of(words, v));
          },
          [words](T v) { return SettingValue(words[static_cast<std::size_t>(v)]); });
    }
  }

  template <class Member>
  Record& spread(std::string_view name, Range range, std::string_view help,
                 Member member) {
    return add(
        {section_, name, SettingKind::kSpread, range, {}, help}, member,
        [](const SettingValue& v) { return spread_from_text(text_of(v)).value(); },
        [](const Spread& v) { return SettingValue(text_of(v)); });
  }

  // A record made by hand.
  Record& add(Record made) { return records_.emplace_back(std::move(made)); }

  // In the order of the calls; the list is empty then.
  [[nodiscard]] std::vector<Record> take() { return std::move(records_); }

 private:
  // REQUIRES: the value is one of the words.
  static std::ptrdiff_t number_of(const Words& words, const SettingValue& value) {
    const auto at = std::find(words.begin(), words.end(), std::get<std::string>(value));
    BERTH_ASSERT(at != words.end());
    return at - words.begin();
  }

  template <class T>
  struct Plain {
    using Type = T;
    static constexpr bool kIsOptional = false;
  };
  template <class T>
  struct Plain<std::optional<T>> {
    using Type = T;
    static constexpr bool kIsOptional = true;
  };
  template <class Member>
  using Kept = Plain<std::remove_cvref_t<std::invoke_result_t<Member, Owner&>>>;
  template <class Member>
  using Held = typename Kept<Member>::Type;

  template <class Member, class FromValue, class ToValue>
  Record& add(SettingShape shape, Member member, FromValue from_value,
              ToValue to_value) {
    return add(Record{std::move(shape),
                      [member, from_value](Owner& owner, const SettingValue& value) {
                        std::invoke(member, owner) = from_value(value);
                      },
                      [member, to_value](const Owner& owner) {
                        std::optional<SettingValue> shown;
                        const auto& held = std::invoke(member, owner);
                        if constexpr (!Kept<Member>::kIsOptional) {
                          shown = to_value(held);
                        } else if (held) {
                          shown = to_value(*held);
                        }
                        return shown;
                      }});
  }

  std::string_view section_;
  std::vector<Record> records_;
};

}  // namespace berth

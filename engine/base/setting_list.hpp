#pragma once
// Builds the records of a table of settings, one call a key.
//
// `member` is where the owner keeps the value: a pointer to a member, or a function
// object without state from Owner& (const or not) to a reference.  An empty optional is
// left open.

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
#include "engine/base/memory.hpp"
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
    return add({section_, name, SettingKind::kFlag, {}, {}, help}, kept(member),
               same_of<bool>, value_of<bool>);
  }

  template <class Member>
  Record& whole(std::string_view name, Range range, std::string_view help,
                Member member) {
    using T = Held<Member>;
    return add({section_, name, SettingKind::kWhole, range, {}, help}, kept(member),
               whole_of<T>, value_of_whole<T>);
  }

  template <class Member>
  Record& real(std::string_view name, Range range, std::string_view help,
               Member member) {
    return add({section_, name, SettingKind::kReal, range, {}, help}, kept(member),
               real_of, value_of<double>);
  }

  // A Time or Duration, given in seconds.
  template <class Member>
  Record& time(std::string_view name, Range range, std::string_view help,
               Member member) {
    return add({section_, name, SettingKind::kSeconds, range, {}, help}, kept(member),
               ticks_of, value_of_ticks);
  }

  // KiB, given in GiB.
  template <class Member>
  Record& gib(std::string_view name, Range range, std::string_view help,
              Member member) {
    return add({section_, name, SettingKind::kReal, range, {}, help}, kept(member),
               kib_of_value, value_of_kib);
  }

  // Empty text is left open.
  template <class Member>
  Record& text(std::string_view name, std::string_view help, Member member) {
    return left_open_if_empty(add({section_, name, SettingKind::kText, {}, {}, help},
                                  kept(member), same_of<std::string>,
                                  value_of<std::string>));
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
      return add({section_, name, SettingKind::kChoice, {}, words, help}, kept(member),
                 OfWord<T>{words}, WordOf<T>{words});
    }
  }

  template <class Member>
  Record& spread(std::string_view name, Range range, std::string_view help,
                 Member member) {
    return add({section_, name, SettingKind::kSpread, range, {}, help}, kept(member),
               spread_of, value_of_spread);
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
  using Kept = std::remove_cvref_t<std::invoke_result_t<Member, Owner&>>;
  template <class Member>
  using Held = typename Plain<Kept<Member>>::Type;

  // Where a value is kept, as plain functions: a record is compiled once for each type
  // of value, not for each function object.
  template <class T>
  struct Access {
    T& (*of)(Owner& owner);
    const T& (*of_const)(const Owner& owner);

    T& operator()(Owner& owner) const { return of(owner); }
    const T& operator()(const Owner& owner) const { return of_const(owner); }
  };

  // REQUIRES: a function object has no state.
  template <class Member>
  static auto kept(Member member) {
    if constexpr (std::is_member_pointer_v<Member>) {
      return member;
    } else {
      using T = Kept<Member>;
      return Access<T>{[](Owner& owner) -> T& { return Member()(owner); },
                       [](const Owner& owner) -> const T& { return Member()(owner); }};
    }
  }

  template <class T>
  static T same_of(const SettingValue& value) {
    return std::get<T>(value);
  }
  template <class T>
  static SettingValue value_of(const T& held) {
    return held;
  }
  template <class T>
  static T whole_of(const SettingValue& value) {
    return static_cast<T>(std::get<std::int64_t>(value));
  }
  template <class T>
  static SettingValue value_of_whole(const T& held) {
    return static_cast<std::int64_t>(held);
  }
  static Duration ticks_of(const SettingValue& value) {
    return ticks_from_seconds(real_of(value)).value();
  }
  static SettingValue value_of_ticks(const Duration& held) { return to_seconds(held); }
  static std::int64_t kib_of_value(const SettingValue& value) {
    return kib_of(real_of(value));
  }
  static SettingValue value_of_kib(const std::int64_t& held) { return gib_of(held); }
  static Spread spread_of(const SettingValue& value) {
    return spread_from_text(text_of(value)).value();
  }
  static SettingValue value_of_spread(const Spread& held) { return text_of(held); }

  template <class T>
  struct OfWord {
    Words words;
    T operator()(const SettingValue& value) const {
      return static_cast<T>(number_of(words, value));
    }
  };
  template <class T>
  struct WordOf {
    Words words;
    SettingValue operator()(T held) const {
      return words[static_cast<std::size_t>(held)];
    }
  };

  static Record& left_open_if_empty(Record& made) {
    made.value = [shown = std::move(made.value)](const Owner& owner) {
      auto value = shown(owner);
      if (value && std::get<std::string>(*value).empty()) value.reset();
      return value;
    };
    return made;
  }

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
                        if constexpr (!Plain<Kept<Member>>::kIsOptional) {
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

#pragma once
// A value, or the reason why there is none: for expected refusals.

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/base/error.hpp"

namespace berth {

// REQUIRES: a value can be made from nothing.
template <class Value, class Reason>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `return value;` is the point
  Result(Value value) : value_(std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): `return reason;` likewise
  Result(Reason reason) : reason_(static_cast<Kept>(std::move(reason))) {}

  explicit operator bool() const { return reason_ == kNone; }

  // REQUIRES: there is a value.
  [[nodiscard]] const Value& value() const {
    BERTH_ASSERT(reason_ == kNone);
    return value_;
  }
  [[nodiscard]] Value& value() {
    BERTH_ASSERT(reason_ == kNone);
    return value_;
  }
  // REQUIRES: there is none.
  [[nodiscard]] Reason reason() const {
    BERTH_ASSERT(reason_ != kNone);
    if constexpr (kIsEnum) {
      return static_cast<Reason>(reason_);
    } else {
      return *reason_;
    }
  }

 private:
  // An enumeration fills a word: a result that is written byte by byte stalls the load
  // that returns it in a register.
  static constexpr bool kIsEnum = std::is_enum_v<Reason>;
  using Kept = std::conditional_t<kIsEnum, std::int64_t, std::optional<Reason>>;
  static constexpr auto kNone = [] {
    if constexpr (kIsEnum) {
      return std::int64_t{-1};
    } else {
      return std::nullopt;
    }
  }();

  [[no_unique_address]] Value value_{};
  Kept reason_ = kNone;
};

// The value of an action that returns nothing else.
struct Done {};

}  // namespace berth

#pragma once
// A value, or the reason why there is none: for expected refusals.

#include <optional>
#include <type_traits>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/refusal.hpp"

namespace berth {

// REQUIRES: a value can be made from nothing.
template <class Value, class Reason>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `return value;` is the point
  Result(Value value) : value_(std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): `return reason;` likewise
  Result(Reason reason) : reason_(std::move(reason)) {}

  explicit operator bool() const { return !is_refused(); }

  // REQUIRES: there is a value.
  [[nodiscard]] const Value& value() const {
    BERTH_ASSERT(!is_refused());
    return value_;
  }
  [[nodiscard]] Value& value() {
    BERTH_ASSERT(!is_refused());
    return value_;
  }
  // REQUIRES: there is none.
  [[nodiscard]] Reason reason() const {
    BERTH_ASSERT(is_refused());
    if constexpr (kIsRefusal) {
      return reason_;
    } else {
      return *reason_;
    }
  }

 private:
  // A refusal fills a word: a result that is written byte by byte stalls the load that
  // returns it in a register.
  static constexpr bool kIsRefusal = std::is_same_v<Reason, Refusal>;
  using Kept = std::conditional_t<kIsRefusal, Refusal, std::optional<Reason>>;

  [[nodiscard]] bool is_refused() const {
    if constexpr (kIsRefusal) {
      return reason_.word_ != nullptr;
    } else {
      return reason_.has_value();
    }
  }
  static constexpr Kept none() {
    if constexpr (kIsRefusal) {
      return Refusal();
    } else {
      return std::nullopt;
    }
  }

  [[no_unique_address]] Value value_{};
  Kept reason_ = none();
};

// The value of an action that returns nothing else.
struct Done {};

}  // namespace berth

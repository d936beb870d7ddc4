#pragma once
// A value, or the reason why there is none: for expected refusals.

#include <utility>
#include <variant>

namespace berth {

template <class Value, class Reason>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `return value;` is the point
  Result(Value value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): `return reason;` likewise
  Result(Reason reason) : state_(std::in_place_index<1>, std::move(reason)) {}

  explicit operator bool() const { return state_.index() == 0; }

  // REQUIRES: there is a value.
  [[nodiscard]] const Value& value() const { return std::get<0>(state_); }
  [[nodiscard]] Value& value() { return std::get<0>(state_); }
  // REQUIRES: there is none.
  [[nodiscard]] const Reason& reason() const { return std::get<1>(state_); }

 private:
  std::variant<Value, Reason> state_;
};

// The value of an action that returns nothing else.
struct Done {};

}  // namespace berth

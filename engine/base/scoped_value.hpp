#pragma once
// A variable that has another value until the end of a scope, however that is left.

#include <utility>

namespace berth {

template <class Value>
class ScopedValue {
 public:
  template <class Other>
  ScopedValue(Value& variable, Other&& value)
      : variable_(variable),
        before_(std::exchange(variable, std::forward<Other>(value))) {}
  ~ScopedValue() { variable_ = std::move(before_); }
  ScopedValue(const ScopedValue&) = delete;
  ScopedValue& operator=(const ScopedValue&) = delete;

 private:
  Value& variable_;
  Value before_;
};

}  // namespace berth

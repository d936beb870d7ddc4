#pragma once
// A sum of doubles with compensation of rounding errors (Neumaier 1974).
//
// The error is about one unit in the last place.  ExactSum does not depend on the order
// of the terms.

#include <cmath>

namespace berth {

class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    const bool keeps = std::abs(sum_) >= std::abs(term);
    lost_ += keeps ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;
};

// Of a range of doubles.  REQUIRES: there are some.
template <class Values>
[[nodiscard]] double mean_of(const Values& values) {
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  return sum.value() / static_cast<double>(values.size());
}

}  // namespace berth

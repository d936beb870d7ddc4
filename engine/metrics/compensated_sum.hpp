#pragma once
// A sum of doubles with compensation of rounding errors (Neumaier 1974).
//
// The error is about one unit in the last place.  For a sum that does not depend on the
// order of the terms at all, sort them first.

namespace berth {

class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    const double larger = magnitude(sum_) >= magnitude(term) ? sum_ : term;
    const double smaller = magnitude(sum_) >= magnitude(term) ? term : sum_;
    lost_ += (larger - next) + smaller;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  static double magnitude(double x) { return x < 0 ? -x : x; }
  double sum_ = 0.0;
  double lost_ = 0.0;
};

}  // namespace berth

#pragma once
// What one user has been charged, decayed with a half-life (docs/model.md#usage).
//
// A charge at a constant rate over some span is the integral of
// rate 2^(-(now - t) / half_life); the sum over spans is kept up to date step by step,
// by sums of positive terms alone, so that its relative error stays that of rounding
// however much has faded.  Below kLeastUsage it is 0.  Without decay it is exact.
//
// Cost         O(1) a call, at most two exponentials.
// Source       Toth and Klusacek 2014, section 4.

#include <cmath>
#include <cstdint>

#include "engine/base/error.hpp"
#include "engine/base/time.hpp"
#include "engine/share/share_settings.hpp"

namespace berth {

class DecayedUsage {
 public:
  // In millionths of a processor, so that every rate is a whole number.
  static constexpr std::int64_t kProcessor = 1'000'000;

  // From `now` on the user is charged so much more, or less.
  // REQUIRES: not before the last change; the same half-life at every call.
  void change_rate(std::int64_t by, Time now, Duration half_life) {
    settle(now, half_life);
    rate_ += by;
    BERTH_ASSERT(rate_ >= 0);
  }
  // What the user has been charged up to `now` is this much, whatever it was; the rate
  // goes on.  REQUIRES: as of change_rate; usage >= 0.
  void set(double usage, Time now, Duration half_life) {
    settle(now, half_life);
    whole_ = static_cast<Int128>(usage * kProcessor) * kSecond;
    decayed_ = usage < kLeastUsage ? 0 : usage;
  }
  // What a charge at this rate from `from` to `to` has brought by `now` is added.
  // REQUIRES: as of change_rate; from <= to <= now.
  void add_span(std::int64_t rate, Time from, Time to, Time now, Duration half_life) {
    settle(now, half_life);
    if (half_life == 0) {
      whole_ += Int128{rate} * (to - from);
      return;
    }
    // Not cut: many such parts may be a usage.
    decayed_ += charged(rate, halves(to - from, half_life), half_life) *
                std::exp2(-halves(now - to, half_life));
  }
  // What another one has been charged, and is from now on, is charged here, too.
  // REQUIRES: as of change_rate, for both.
  void add(DecayedUsage other, Time now, Duration half_life) {
    settle(now, half_life);
    other.settle(now, half_life);
    rate_ += other.rate_;
    whole_ += other.whole_;
    decayed_ += other.decayed_;
  }
  // In processor seconds.  REQUIRES: not before the last change.
  [[nodiscard]] double at(Time now, Duration half_life) const {
    auto then = *this;
    then.settle(now, half_life);
    if (half_life == 0) {
      return static_cast<double>(then.whole_) /
             (static_cast<double>(kProcessor) * kSecond);
    }
    return then.decayed_ < kLeastUsage ? 0 : then.decayed_;
  }
  // Of the last change of the rate.
  [[nodiscard]] Time since() const { return since_; }

 private:
  void settle(Time now, Duration half_life) {
    BERTH_ASSERT(now >= since_);
    const Duration span = now - since_;
    if (span == 0) return;
    since_ = now;
    if (half_life == 0) {
      whole_ += Int128{rate_} * span;
      return;
    }
    const double past = halves(span, half_life);
    double sum = decayed_ == 0 ? 0 : decayed_ * std::exp2(-past);
    if (rate_ != 0) sum += charged(rate_, past, half_life);
    decayed_ = sum < kLeastUsage ? 0 : sum;
  }

  [[nodiscard]] static double halves(Duration span, Duration half_life) {
    return static_cast<double>(span) / static_cast<double>(half_life);
  }
  // By the end of a span of so many half-lives.
  [[nodiscard]] static double charged(std::int64_t rate, double halves,
                                      Duration half_life) {
    // At a constant rate the usage tends to that of an endless charge.
    const double endless =
        static_cast<double>(rate) / kProcessor * to_seconds(half_life) / kNaturalOfTwo;
    return endless * -std::expm1(-halves * kNaturalOfTwo);
  }

  static constexpr double kNaturalOfTwo = 0.693147180559945309417;

  std::int64_t rate_ = 0;
  Time since_ = 0;
  Int128 whole_ = 0;    // without decay: millionths of a processor tick
  double decayed_ = 0;  // with it: processor seconds
};

}  // namespace berth

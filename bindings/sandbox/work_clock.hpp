#pragma once
// The wall clock of work that looks at it often.
//
// Where the process is stopped or waits, at most kMostBetween of that time counts, as
// it does with the watchdog.

#include <algorithm>
#include <chrono>
#include <optional>

namespace berth::bindings {

class WorkClock {
 public:
  static constexpr double kMostBetween = 0.2;  // s, between two looks

  // Seconds since the first look.
  double look() {
    const auto now = Clock::now();
    if (last_) {
      const std::chrono::duration<double> span = now - *last_;
      seconds_ += std::min(span.count(), kMostBetween);
    }
    last_ = now;
    return seconds_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<Clock::time_point> last_;
  double seconds_ = 0;
};

}  // namespace berth::bindings

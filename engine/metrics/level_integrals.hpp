#pragma once
// Integrals over time of what is constant between two events, inside a window.
//
// Units        Amounts times ticks; all but `work` and `busy` are exact, and `work` is
// exact while
//              every rate is 0 or 1.
// Maximum      Over states that last: what comes and goes within one instant does not
//              count.

#include <cstdint>
#include <optional>

#include "engine/base/time.hpp"
#include "engine/metrics/wide_integer.hpp"
#include "engine/metrics/window.hpp"

namespace berth {

// The state between two events.
struct Levels {
  std::int64_t capacity = 0;  // processors of the machine
  std::int64_t held = 0;      // processors that jobs hold
  std::int64_t queue = 0;     // jobs waiting or suspended
  std::int64_t lost = 0;      // idle processors while a queued job needs no more
  double speed = 0.0;         // sum of size * rate over the running jobs
  // With two tiers.
  std::int64_t foreground = 0;  // slots that jobs hold
  std::int64_t background = 0;
  double busy = 0.0;  // sum of use * rate over the running processes
};

struct LevelTotals {
  Duration span = 0;  // of the window, as far as the run has come
  Int128 capacity = 0;
  Int128 held = 0;
  Int128 queue = 0;
  Int128 lost = 0;
  double work = 0.0;  // processor ticks of dedicated work
  Int128 foreground = 0;
  Int128 background = 0;
  double busy = 0.0;  // processor ticks that processes kept busy
  std::int64_t longest_queue = 0;
};

class LevelIntegrals {
 public:
  explicit LevelIntegrals(const Window& window) : window_(window) {}

  // `levels` held from the last call until `to`; the first call only sets the time.
  // REQUIRES: `to` is not before that of the last call.  O(1).
  void advance(Time to, const Levels& levels);

  // The part of [from, to) that lies in the window, in ticks.
  [[nodiscard]] Duration inside(Time from, Time to) const;

  [[nodiscard]] const LevelTotals& totals() const { return totals_; }

 private:
  Window window_;
  std::optional<Time> last_;
  LevelTotals totals_;
};

}  // namespace berth

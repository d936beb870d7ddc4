#pragma once
// Quantities that are constant between two events (processors held, queue length, ...)
// and their integrals over the measured window.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/job_pages.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/time.hpp"
#include "engine/metrics/metric_options.hpp"

namespace berth {

// The processors that jobs hold.  One that several jobs share counts once.
// Cost         O(1) a change; where they are shared O(processors of the job)
class HeldProcessors {
 public:
  // REQUIRES: the job holds nothing.
  void take(JobId job, const Placement& placement);
  // REQUIRES: the job holds something.
  void release(JobId job);

  [[nodiscard]] std::int64_t used() const { return used_; }

 private:
  struct Allocation {
    std::int64_t count = 0;  // of processors that are not shared
    IntervalSet processors;  // that are
  };

  JobPages<Allocation> jobs_;
  std::vector<std::int32_t> jobs_on_;  // by processor that may be shared
  std::int64_t used_ = 0;
};

// The state between two events.
struct Levels {
  std::int64_t capacity = 0;  // processors of the machine
  std::int64_t held = 0;      // processors that jobs hold
  std::int64_t queue = 0;     // jobs waiting or suspended
  std::int64_t lost = 0;      // idle processors while a queued job needs no more
  double speed = 0.0;         // sum of weight * rate over the running jobs
};

// Integrals, in amounts times ticks.  All but `work` are exact; that is exact while
// every rate is 0 or 1.
struct LevelTotals {
  Duration span = 0;  // of the window so far
  Int128 capacity = 0;
  Int128 held = 0;
  Int128 queue = 0;
  Int128 lost = 0;
  double work = 0.0;               // processor ticks of dedicated work
  std::int64_t longest_queue = 0;  // of states that lasted at least one tick
};

// The part of a run that is measured, as time goes on.
class MeasuredTime {
 public:
  explicit MeasuredTime(const Window& window) : window_(window) {}

  // The part of [from, to) that lies in the window, in ticks.
  [[nodiscard]] Duration inside(Time from, Time to) const;
  // Of the time since the last call; 0 at the first one.
  // REQUIRES: `to` is not before that of the last call.
  Duration come_to(Time to) {
    const Duration span = inside(last_.value_or(to), to);
    last_ = to;
    return span;
  }

 private:
  Window window_;
  std::optional<Time> last_;
};

class LevelIntegrals {
 public:
  explicit LevelIntegrals(const Window& window) : time_(window) {}

  // `levels` held from the last call until `to`; the first call only sets the time.
  // REQUIRES: `to` is not before that of the last call.  O(1).
  void advance(Time to, const Levels& levels);

  // The part of [from, to) that lies in the window, in ticks.
  [[nodiscard]] Duration inside(Time from, Time to) const {
    return time_.inside(from, to);
  }

  [[nodiscard]] const LevelTotals& totals() const { return totals_; }

 private:
  MeasuredTime time_;
  LevelTotals totals_;
};

}  // namespace berth

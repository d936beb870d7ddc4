#pragma once
// Quantities that are constant between two events (processors held, queue length, ...)
// and their integrals over the measured window.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/job_pages.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/time.hpp"
#include "engine/machines/network/tree/topology.hpp"
#include "engine/machines/two_tier/tier_slots.hpp"
#include "engine/metrics/metric_options.hpp"

namespace berth {

// The processors that jobs hold, and with two tiers the slots of each tier.  A
// processor counts once, whichever of its tiers are used, and so does a host, however
// many jobs have fractions of it.
// Cost         O(1) a change; with tiers or fractions O(processors of the job)
class HeldProcessors {
 public:
  // REQUIRES: the job holds nothing.
  void take(JobId job, const Placement& placement);
  // REQUIRES: the job holds something.
  void release(JobId job);

  [[nodiscard]] std::int64_t used() const { return used_; }
  // Slots held in this tier; 0 on a machine without tiers.
  [[nodiscard]] std::int64_t in(Tier tier) const {
    return slots_[static_cast<std::size_t>(tier)];
  }

 private:
  struct Allocation {
    std::int64_t count = 0;    // of processors that are not shared
    std::optional<Tier> tier;  // with tiers
    IntervalSet processors;    // with tiers or fractions
  };

  JobPages<Allocation> jobs_;
  std::vector<std::int32_t> jobs_on_;  // by processor that may be shared
  std::array<std::int64_t, 2> slots_{};
  std::int64_t used_ = 0;
};

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
  // Bandwidth reserved by layer of links, in kbit/s; on networks.
  std::array<std::int64_t, kLinkLayers> reserved{};
};

// Integrals, in amounts times ticks.  All but `work` and `busy` are exact; `work` is
// exact while every rate is 0 or 1.
struct LevelTotals {
  Duration span = 0;  // of the window so far
  Int128 capacity = 0;
  Int128 held = 0;
  Int128 queue = 0;
  Int128 lost = 0;
  double work = 0.0;  // processor ticks of dedicated work
  Int128 foreground = 0;
  Int128 background = 0;
  double busy = 0.0;  // processor ticks that processes kept busy
  std::array<Int128, kLinkLayers> reserved{};
  std::int64_t longest_queue = 0;  // of states that lasted at least one tick
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

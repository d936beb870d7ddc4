#pragma once
// How many processors are free at every instant from now on, as one sorted array.
// Frozen: part of the yardstick of conservative backfilling.
//
// Units        Time and Duration in ticks, counts in processors.
// Invariant    0 <= free(t) <= capacity() at every t from start() on.
// Determinism  No randomness, no clock: same calls, same answers.
//
//   operation           time, n = number of breakpoints
//   free_at, least      O(log n), O(log n + steps in the span)
//   earliest            O(n)
//   claim, release      O(n), a memmove
//   advance             O(steps passed)

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"

namespace berth::bench {

class VectorProfile {
 public:
  // Every processor free from `now` on.  REQUIRES: capacity > 0.
  VectorProfile(Time now, std::int64_t capacity);

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] Time start() const { return steps_.front().from; }
  [[nodiscard]] std::size_t breakpoints() const { return steps_.size(); }

  // Processors free at `t`.  REQUIRES: t >= start().
  [[nodiscard]] std::int64_t free_at(Time t) const;
  // The smallest number free anywhere in [from, to).  REQUIRES: start() <= from < to.
  [[nodiscard]] std::int64_t least(Time from, Time to) const;

  // Earliest start >= `not_before` at which `amount` stay free for `length`.
  // The answer is `not_before` itself or a breakpoint, never a point between.
  // nullopt means "never": amount > capacity(), or claims without an end are in the
  // way. REQUIRES: amount > 0, length > 0, not_before >= start().
  [[nodiscard]] std::optional<Time> earliest(std::int64_t amount, Duration length,
                                             Time not_before) const;

  // Takes `amount` out of [from, to).  REQUIRES: least(from, to) >= amount.
  void claim(std::int64_t amount, Time from, Time to);
  // Puts `amount` back into [from, to).  REQUIRES: claimed before.
  void release(std::int64_t amount, Time from, Time to);

  // Forgets what lies before `now`.  REQUIRES: now >= start().
  void advance(Time now);

 private:
  struct Step {
    Time from;
    std::int64_t free;  // until the next step
  };
  [[nodiscard]] std::size_t step_at(Time t) const;
  std::size_t split(Time t);
  void add(std::int64_t amount, Time from, Time to);
  void join(std::size_t step);

  std::int64_t capacity_;
  std::vector<Step> steps_;  // by `from`, neighbours differ in `free`
};

}  // namespace berth::bench

#pragma once
// How many processors are free for how long from now: a falling staircase.
//
// A request (size, length) lies under it if `size` processors stay free for `length`
// from now on.  This is the one question `fitting` and `backfillable` ask of a queue:
// "fits now" is one step of unlimited length, a plan adds a step.
//
// Invariant    Steps by strictly growing reach and strictly falling free.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/time.hpp"

namespace berth {

class Staircase {
 public:
  struct Step {
    Duration reach;     // requests up to this length, inclusive ...
    std::int64_t free;  // ... may have this many
  };

  // `free` processors without end.
  explicit Staircase(std::int64_t free) { steps_.push_back({kNever, free}); }

  // From now on also: whoever is longer than `reach` may have at most `free`.
  // REQUIRES: reach >= 0.  Cost O(steps).
  void limit_beyond(Duration reach, std::int64_t free) {
    std::vector<Step> lowered;
    const auto put = [&lowered](Step step) {
      if (!lowered.empty() && lowered.back().free == step.free) lowered.pop_back();
      lowered.push_back(step);
    };
    Duration covered = -1;
    for (const auto& step : steps_) {
      if (step.reach <= reach) {
        put(step);
      } else {
        if (covered < reach) put({reach, step.free});
        put({step.reach, std::min(step.free, free)});
      }
      covered = step.reach;
    }
    steps_ = std::move(lowered);
  }

  [[nodiscard]] bool covers(std::int64_t size, Duration length) const {
    for (const auto& step : steps_) {
      if (length <= step.reach) return size <= step.free;
    }
    return false;
  }

  // The most that anybody may have.
  [[nodiscard]] std::int64_t widest() const { return steps_.front().free; }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

 private:
  std::vector<Step> steps_;
};

}  // namespace berth

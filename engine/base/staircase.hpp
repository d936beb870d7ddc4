#pragma once
// The number of processors free from now until now + length, as a function of length: a
// descending step function.
//
// A request (size, length) is covered if `size` processors stay free for `length`.  The
// selections `fitting` and `backfillable` filter a queue by it: "fits now" is one
// unlimited step, every plan adds one.
//
// Invariant    steps ascend strictly by reach and descend strictly by free

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "engine/base/time.hpp"

namespace berth {

class Staircase {
 public:
  struct Step {
    Duration reach;     // for requests up to this length, inclusive
    std::int64_t free;  // processors
  };

  // `free` processors for any length.
  explicit Staircase(std::int64_t free) { steps_.push_back({kNever, free}); }

  // Limits requests longer than `reach` to `free` processors.
  // REQUIRES: reach >= 0.  Cost O(steps).
  void limit_beyond(Duration reach, std::int64_t free) {
    if (steps_.size() != 1 || reach == kNever) return limit_further(reach, free);
    if (free >= steps_.front().free) return;
    steps_.front().reach = reach;
    steps_.push_back({kNever, free});
  }

  [[nodiscard]] bool covers(std::int64_t size, Duration length) const {
    for (const auto& step : steps_) {
      if (length <= step.reach) return size <= step.free;
    }
    return false;
  }

  // The largest size covered at any length.
  [[nodiscard]] std::int64_t widest() const { return steps_.front().free; }
  [[nodiscard]] std::span<const Step> steps() const {
    return {steps_.data(), steps_.size()};
  }

 private:
  // This is for several steps.  It stands apart so that callers hold the usual case
  // alone.
  void limit_further(Duration reach, std::int64_t free) {
    const auto first = std::find_if(steps_.begin(), steps_.end(),
                                    [&](const Step& it) { return it.reach > reach; });
    if (first == steps_.end() || first->free <= free) return;
    const auto kept = std::find_if(first, steps_.end(),
                                   [&](const Step& it) { return it.free <= free; });
    const bool is_new = first == steps_.begin() || std::prev(first)->reach < reach;
    const Step before{reach, first->free};
    const bool joins = kept != steps_.end() && kept->free == free;
    *first = {std::prev(kept)->reach, free};
    const auto end = steps_.erase(joins ? first : std::next(first), kept);
    if (is_new) steps_.insert(joins ? end : std::prev(end), before);
  }

  using Steps = boost::container::small_vector<Step, 4>;  // one plan needs two
  Steps steps_;
};

}  // namespace berth

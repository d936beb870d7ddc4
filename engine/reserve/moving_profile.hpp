#pragma once
// How many processors are free at every instant from now on, while a job has overrun:
// its expected end moves along with the clock, and so does whatever is placed by it.
//
// Answers the question of AvailabilityProfile::earliest and says for how long the
// answers so far stay the same, but for the instants that move.  That is so until an
// instant that moves has come up to one that does not, or until it no longer is in the
// way of a start that does not.
//
// Source       certificates of kinetic data structures: Basch, Guibas and Hershberger
//              1999; overruns: spec, A-BF-3.
// Determinism  No randomness, no clock: same calls, same answers.
//
//   operation           time, n = breakpoints
//   every one           O(n)

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"

namespace berth {

class MovingProfile {
 public:
  // An instant, as it is now.
  struct Point {
    Time at;
    bool moves;  // it stays as far from now as it is
  };

  // Every processor free from `now` on, which moves.
  void reset(Time now, std::int64_t capacity);

  // Takes `amount` out of [from, to).  REQUIRES: from lies before to, neither before
  // now; so much is free.
  void claim(std::int64_t amount, Point from, Point to);
  // Earliest start from now on at which `amount` stay free for `length`: now or a
  // breakpoint.  nullopt: never.
  [[nodiscard]] std::optional<Point> earliest(std::int64_t amount, Duration length);
  // The smallest number free anywhere in [from, to).
  [[nodiscard]] std::int64_t least(Point from, Point to);

  // Whether there may be any such shift; O(1).
  [[nodiscard]] bool may_be_steady() const { return steady_ > 0; }
  // Every answer is the same but for moving at any shift of now below this; 0: at none.
  [[nodiscard]] Duration steady() const;

 private:
  struct Step {
    Point from;
    std::int64_t free;  // until the next step
  };
  std::size_t split(Point point);
  [[nodiscard]] std::size_t blocked_from(std::size_t step, std::int64_t amount) const;

  std::vector<Step> steps_;   // by instant; level neighbours are kept, they bound moves
  Duration steady_ = kNever;  // as far as the answers alone say
};

}  // namespace berth

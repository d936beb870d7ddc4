#pragma once
// The part of a machine that one user could expect for oneself alone, and when each of
// the user's jobs would end on it (docs/model.md#expectations).
//
// The jobs are poured, one after the other, into what is left of the share second by
// second; a job takes at most its size in a second and may be stretched, never
// squeezed.
//
// Structure    what is left, as steps over time; seconds before the last arrival are
//              dropped, equal neighbours are one step
// Cost         O(log s + steps that the job crosses), s = steps
// Source       Toth and Klusacek 2014, algorithm 1.

#include <cstdint>
#include <map>

namespace berth {

// Whether a job may take more than the rest of its work in its last second (as the
// paper's algorithm does), which the user's later jobs then lack.
enum class Overshoot : std::uint8_t { kLiteral, kExact };

class VirtualShare {
 public:
  // REQUIRES: capacity > 0.
  VirtualShare(std::int64_t capacity, Overshoot overshoot)
      : left_{{0, capacity}}, overshoot_(overshoot) {}

  // The second in which `size` times `length` units of work are done; the arrival if
  // there are none.  REQUIRES: arrivals never decrease; nothing is negative.
  [[nodiscard]] std::int64_t pour(std::int64_t arrival, std::int64_t size,
                                  std::int64_t length);

 private:
  using Steps = std::map<std::int64_t, std::int64_t>;  // from this second on

  [[nodiscard]] Steps::iterator begin_at(std::int64_t arrival);
  Steps::iterator joined(Steps::iterator step);

  Steps left_;
  Overshoot overshoot_;
};

}  // namespace berth

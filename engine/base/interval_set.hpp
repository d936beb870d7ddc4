#pragma once
// A set of processor numbers, stored as ascending, disjoint, non-adjacent intervals.
//
//   operation        cost, k = number of intervals
//   insert, erase    O(k) for one interval
//   append           O(1) for one interval
//   overlaps         O(k log m), m = intervals of the other set
//   take_lowest      O(intervals taken)
//   text             O(k)

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace berth {

struct Interval {
  std::int32_t first;
  std::int32_t last;  // inclusive
  friend bool operator==(const Interval&, const Interval&) = default;
};

class IntervalSet {
 public:
  IntervalSet() = default;
  // first..last, empty if last < first.
  IntervalSet(std::int32_t first, std::int32_t last);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] bool empty() const { return parts_.empty(); }
  [[nodiscard]] const std::vector<Interval>& intervals() const { return parts_; }
  [[nodiscard]] bool contains(std::int32_t number) const;
  [[nodiscard]] bool contains(const IntervalSet& other) const;
  // Whether a number is in both.
  [[nodiscard]] bool overlaps(const IntervalSet& other) const;

  // REQUIRES: none of the numbers is in the set.
  void insert(Interval part);
  void insert(const IntervalSet& other);
  // As insert, of ascending intervals that may be adjacent.
  // REQUIRES: they lie behind all numbers of the set.
  void append(std::span<const Interval> parts);
  // REQUIRES: all of the numbers are in the set.
  void erase(Interval part);
  void erase(const IntervalSet& other);

  // Removes and returns the n lowest (highest) numbers.  REQUIRES: 0 <= n <= count().
  [[nodiscard]] IntervalSet take_lowest(std::int64_t n);
  [[nodiscard]] IntervalSet take_highest(std::int64_t n);

  // "0-3 8", as Batsim's allocated_resources; "" for the empty set.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

 private:
  std::vector<Interval> parts_;
  std::int64_t count_ = 0;
};

}  // namespace berth

#pragma once
// The numbers of VMs of one request that may be below a node of a network.
//
// Method       They are sums of those of its children, each as far as its link lets
//              pass.  A link keeps out the middle of 0..N alone, so such a set is one
//              range from 0 and some ranges above N/2, of which a sum takes one at
//              most.

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "engine/base/budget.hpp"

namespace berth {

// NOLINTNEXTLINE(bugprone-exception-escape): a move allocates nothing
class VmRanges {
 public:
  // 0 to `last`.
  explicit VmRanges(std::int64_t last) : ranges_{{0, last}} {}

  [[nodiscard]] std::int64_t most() const { return ranges_.back().last; }
  // Every number from 0 to this one is in the set.
  [[nodiscard]] std::int64_t without_gap() const { return ranges_.front().last; }
  // O(ranges).
  [[nodiscard]] bool has(std::int64_t vms) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [vms](const VmRange& range) {
      return range.first <= vms && vms <= range.last;
    });
  }

  // Those that pass a link which carries up to `carried` VMs, of `all` VMs in sum: m of
  // them load it like min(m, all - m).  O(ranges).
  [[nodiscard]] VmRanges passing(std::int64_t carried, std::int64_t all) const;

  // Puts in the place of each number its sums with those of `other`, up to `most`.
  // Charges a unit for each pair of ranges; their number is the cost.
  void add(const VmRanges& other, std::int64_t most, Budget& budget);

 private:
  struct VmRange {
    std::int64_t first;
    std::int64_t last;  // is in it, too
  };
  VmRanges() = default;
  void append(const VmRange& range);

  // Ascending, with a gap between each two; never empty, since 0 is always possible.
  boost::container::small_vector<VmRange, 2> ranges_;
};

}  // namespace berth

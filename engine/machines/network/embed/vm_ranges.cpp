#include "engine/machines/network/embed/vm_ranges.hpp"

#include <utility>

namespace berth {

// REQUIRES: no range begins behind it.
void VmRanges::append(const VmRange& range) {
  if (!ranges_.empty() && range.first <= ranges_.back().last + 1) {
    ranges_.back().last = std::max(ranges_.back().last, range.last);
  } else {
    ranges_.push_back(range);
  }
}

VmRanges VmRanges::passing(std::int64_t carried, std::int64_t all) const {
  VmRanges passed;
  // Bounded: the ranges of one node, which add() charges.
  for (const auto& [first, last] : ranges_) {
    if (first <= carried) passed.append({first, std::min(last, carried)});
    const auto from = std::max(first, all - carried);
    if (from <= last) passed.append({from, last});
  }
  return passed;
}

void VmRanges::add(const VmRanges& other, std::int64_t most, Budget& budget) {
  if (ranges_.size() == 1 && other.ranges_.size() == 1) {
    budget.charge();
    ranges_[0].last = std::min(most, ranges_[0].last + other.ranges_[0].last);
    return;
  }
  boost::container::small_vector<VmRange, 8> sums;
  for (const auto& one : ranges_) {
    budget.charge_each(other.ranges_.size());
    for (const auto& each : other.ranges_) {
      const auto first = one.first + each.first;
      if (first > most) break;
      sums.push_back({first, std::min(most, one.last + each.last)});
    }
  }
  std::sort(sums.begin(), sums.end(),
            [](const VmRange& x, const VmRange& y) { return x.first < y.first; });
  budget.charge_sort(sums.size());
  ranges_.clear();
  for (const auto& range : sums) append(range);
}

}  // namespace berth

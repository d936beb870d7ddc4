#pragma once
// Branch-free lower bound for short sorted rows with unpredictable search values: one
// mispredicted branch costs more than the whole search.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace berth {

// The number of elements with of(element) < value.  O(log n).
// REQUIRES: the row is sorted by `of`.
template <class Element, class Value, class Of>
[[nodiscard]] std::size_t count_before(const std::vector<Element>& row,
                                       const Value& value, const Of& of) {
  // Each halving depends on the one before; the last comparisons do not.
  constexpr std::size_t kAtOnce = 8;
  const std::size_t last = row.size() < kAtOnce ? 0 : kAtOnce;
  const Element* const begin = row.data();
  const Element* first = begin;
  auto left = row.size();
  while (left > last) {
    const auto half = (left + 1) / 2;
    const bool is_less = of(first[half - 1]) < value;
    first += half & (std::size_t{0} - std::size_t{is_less});
    left -= half;
  }
  if (last == 0) return static_cast<std::size_t>(first - begin);
  // Elements before `first` are less than value, those from `first + left` on are not.
  first = std::min(first, begin + row.size() - last);
  auto count = static_cast<std::size_t>(first - begin);
  for (std::size_t i = 0; i < kAtOnce; ++i) count += std::size_t{of(first[i]) < value};
  return count;
}

}  // namespace berth

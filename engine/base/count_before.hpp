#pragma once
// A binary search without branches, for rows in which nobody can foresee where the
// value stands: a branch that is guessed wrong costs more than the whole search.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace berth {

// How many of the row, sorted by `of`, are less than the value.  O(log n).
template <class Element, class Value, class Of>
[[nodiscard]] std::size_t count_before(const std::vector<Element>& row,
                                       const Value& value, const Of& of) {
  // Halving waits for each answer; the last few are asked at once.
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
  // Whoever lies before `first` is less, whoever lies behind what is left is not.
  first = std::min(first, begin + row.size() - last);
  auto count = static_cast<std::size_t>(first - begin);
  for (std::size_t i = 0; i < kAtOnce; ++i) count += std::size_t{of(first[i]) < value};
  return count;
}

}  // namespace berth

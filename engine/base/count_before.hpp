#pragma once
// A binary search without branches, for rows in which nobody can foresee where the
// value stands: a branch that is guessed wrong costs more than the whole search.

#include <cstddef>
#include <vector>

namespace berth {

// How many of the row, sorted by `of`, are less than the value.  O(log n).
template <class Element, class Value, class Of>
[[nodiscard]] std::size_t count_before(const std::vector<Element>& row,
                                       const Value& value, const Of& of) {
  const Element* first = row.data();
  for (auto left = row.size(); left > 0;) {
    const auto half = (left + 1) / 2;
    const bool is_less = of(first[half - 1]) < value;
    first += half & (std::size_t{0} - std::size_t{is_less});
    left -= half;
  }
  return static_cast<std::size_t>(first - row.data());
}

}  // namespace berth

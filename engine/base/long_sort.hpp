#pragma once
// Sorts an array of any length in the memory of a short one.
//
// What lies in a file is sorted in runs of entries_in_memory() values, which are then
// merged into another file.
//
// Cost         O(n log n).
// Memory       One run.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/base/long_array.hpp"

namespace berth {

namespace long_sort_detail {

// What is left of a sorted run.
struct Run {
  std::size_t next;
  std::size_t end;
};

template <class T, class Less>
LongArray<T> merged(const LongArray<T>& values, std::vector<Run> runs,
                    const Less& less) {
  // Of equal values those of the earlier run come first.
  const auto is_later = [&](const Run& a, const Run& b) {
    if (less(values[b.next], values[a.next])) return true;
    return a.next > b.next && !less(values[a.next], values[b.next]);
  };
  LongArray<T> result;
  result.reserve(values.size());
  std::make_heap(runs.begin(), runs.end(), is_later);
  while (!runs.empty()) {
    std::pop_heap(runs.begin(), runs.end(), is_later);
    auto& run = runs.back();
    values.passed(result.size());
    result.push_back(values[run.next]);
    if (++run.next == run.end) {
      runs.pop_back();
    } else {
      std::push_heap(runs.begin(), runs.end(), is_later);
    }
  }
  return result;
}

}  // namespace long_sort_detail

// `sort` sorts a row of values given by two pointers, by the order `less`.
template <class T, class Sort, class Less>
void long_sort(LongArray<T>& values, const Sort& sort, const Less& less) {
  if (values.file() == nullptr)
    return sort(values.data(), values.data() + values.size());
  const auto longest = std::max(entries_in_memory(), std::size_t{1});
  std::vector<long_sort_detail::Run> runs;
  for (std::size_t from = 0; from < values.size(); from += longest) {
    const auto to = std::min(from + longest, values.size());
    sort(values.data() + from, values.data() + to);
    values.let_go();
    runs.push_back({from, to});
  }
  values = long_sort_detail::merged(values, std::move(runs), less);
}

}  // namespace berth

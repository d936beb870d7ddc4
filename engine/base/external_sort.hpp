#pragma once
// Sorts a SpillingArray: in place if it lies in memory, else by an external merge sort
// of sorted runs of entries_in_memory() values.
//
// Cost         O(n log n)
// Memory       one run
// Order        the merge is stable across runs

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/base/spilling_array.hpp"

namespace berth {

namespace external_sort_detail {

// The rest of a sorted run, by index.
struct Run {
  std::size_t next;
  std::size_t end;
};

template <class T, class Less>
SpillingArray<T> merged(const SpillingArray<T>& values, std::vector<Run> runs,
                        const Less& less) {
  // Equal values: the earlier run first.
  const auto is_later = [&](const Run& a, const Run& b) {
    if (less(values[b.next], values[a.next])) return true;
    return a.next > b.next && !less(values[a.next], values[b.next]);
  };
  SpillingArray<T> result;
  result.reserve(values.size());
  std::make_heap(runs.begin(), runs.end(), is_later);
  while (!runs.empty()) {
    std::pop_heap(runs.begin(), runs.end(), is_later);
    auto& run = runs.back();
    values.visited(result.size());
    result.push_back(values[run.next]);
    if (++run.next == run.end) {
      runs.pop_back();
    } else {
      std::push_heap(runs.begin(), runs.end(), is_later);
    }
  }
  return result;
}

}  // namespace external_sort_detail

// `sort(first, last)` sorts values in memory by `less`.
template <class T, class Sort, class Less>
void external_sort(SpillingArray<T>& values, const Sort& sort, const Less& less) {
  if (values.file() == nullptr)
    return sort(values.data(), values.data() + values.size());
  const auto longest = std::max(entries_in_memory(), std::size_t{1});
  std::vector<external_sort_detail::Run> runs;
  for (std::size_t from = 0; from < values.size(); from += longest) {
    const auto to = std::min(from + longest, values.size());
    sort(values.data() + from, values.data() + to);
    values.drop_pages();
    runs.push_back({from, to});
  }
  values = external_sort_detail::merged(values, std::move(runs), less);
}

}  // namespace berth

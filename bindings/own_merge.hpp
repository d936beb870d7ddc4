#pragma once
// A stable merge sort whose comparison may raise.

#include <algorithm>
#include <cstdint>

namespace berth::bindings {

// Sorts order[0 .. count) by `less(a, b)`, which is given two of its elements; equal
// ones keep their order.  Any `less` gives some permutation, an inconsistent one too.
// `spare` has room for as many.  No memory of its own; at most count * log2(count)
// calls.
template <class Less>
void merge_sort(std::int32_t* order, std::int32_t* spare, std::int32_t count,
                Less& less) {
  if (count < 2) return;
  const std::int32_t half = count / 2;
  merge_sort(order, spare, half, less);
  merge_sort(order + half, spare, count - half, less);
  if (!less(order[half], order[half - 1])) return;  // in order already
  std::copy(order, order + half, spare);
  const std::int32_t* left = spare;
  const std::int32_t* const left_end = spare + half;
  const std::int32_t* right = order + half;
  const std::int32_t* const right_end = order + count;
  std::int32_t* out = order;
  while (left != left_end && right != right_end) {
    *out++ = less(*right, *left) ? *right++ : *left++;
  }
  std::copy(left, left_end, out);
}

}  // namespace berth::bindings

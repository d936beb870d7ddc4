#pragma once
// The rows of columns by equal values of keys.

#include <cstdint>
#include <span>
#include <vector>

#include "bindings/tools/column.hpp"

namespace berth::bindings {

// Groups are in ascending order of the first key, then of the second one, and so on;
// none is last.
struct Groups {
  std::vector<std::uint32_t> of_row;  // the group of each row
  std::vector<std::uint32_t> rows;    // by group, ascending within each
  std::vector<std::uint32_t> begins;  // group i: rows[begins[i]] to rows[begins[i + 1]]

  [[nodiscard]] std::size_t count() const { return begins.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> rows_of(std::size_t group) const {
    return std::span(rows).subspan(begins[group], begins[group + 1] - begins[group]);
  }
  [[nodiscard]] std::size_t bytes() const;
};

// REQUIRES: at least one key, of one length each.  O(n) where whole keys are dense,
// else O(n log n).
[[nodiscard]] Groups group_rows(std::span<const Column* const> keys, Budget& budget);

// For each group a value; those of a time stay times, but for means and quantiles,
// which are numbers of seconds.
// The key of each group, from one of the columns by which it was made.
[[nodiscard]] ColumnPtr group_keys(const Groups& groups, const Column& key,
                                   Budget& budget);
[[nodiscard]] ColumnPtr group_counts(const Groups& groups);
// Of whole numbers and masks whole; a sum beyond 2^63 - 1 is none, or -1.
[[nodiscard]] ColumnPtr group_sums(const Groups& groups, const Column& column,
                                   Budget& budget);
[[nodiscard]] ColumnPtr group_means(const Groups& groups, const Column& column,
                                    Budget& budget);
[[nodiscard]] ColumnPtr group_maxima(const Groups& groups, const Column& column,
                                     Budget& budget);
[[nodiscard]] ColumnPtr group_quantiles(const Groups& groups, const Column& column,
                                        double q, Budget& budget);

}  // namespace berth::bindings

#include "bindings/tools/groups.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace berth::bindings {

namespace {

// The distinct keys numbered from 0, ascending.
struct Numbered {
  std::vector<std::uint32_t> of_row;
  std::uint64_t count = 0;
};

// By a table of all keys from the least one to the largest.
Numbered number_dense(const std::vector<std::uint64_t>& keys, std::uint64_t least,
                      std::uint64_t range) {
  std::vector<std::uint32_t> numbers(range + 1);
  for (const auto key : keys) numbers[key - least] = 1;
  Numbered numbered{std::vector<std::uint32_t>(keys.size())};
  for (auto& number : numbers) {
    if (number != 0) number = static_cast<std::uint32_t>(numbered.count++);
  }
  for (std::size_t row = 0; row < keys.size(); ++row)
    numbered.of_row[row] = numbers[keys[row] - least];
  return numbered;
}

Numbered number_sparse(const std::vector<std::uint64_t>& keys, Budget& budget) {
  budget.charge_sort(keys.size());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(keys.size());
  for (std::size_t row = 0; row < keys.size(); ++row)
    order[row] = {keys[row], static_cast<std::uint32_t>(row)};
  std::sort(order.begin(), order.end());
  Numbered numbered{std::vector<std::uint32_t>(keys.size())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || order[i].first != order[i - 1].first) ++numbered.count;
    numbered.of_row[order[i].second] = static_cast<std::uint32_t>(numbered.count - 1);
  }
  return numbered;
}

Numbered number_keys(const std::vector<std::uint64_t>& keys, Budget& budget) {
  if (keys.empty()) return {};
  const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
  const std::uint64_t range = *most - *least;
  constexpr std::uint64_t kDense = 4;  // places of the table for each row
  budget.charge_each(keys.size());
  if (range / kDense <= keys.size()) return number_dense(keys, *least, range);
  return number_sparse(keys, budget);
}

ColumnPtr numbers_of_groups(const Groups& groups, Budget& budget,
                            const auto& value_of) {
  std::vector<double> values(groups.count());
  for (std::size_t group = 0; group < values.size(); ++group) {
    budget.charge();
    values[group] = value_of(groups.rows_of(group)).value_or(std::nan(""));
  }
  return Column::of_numbers(std::move(values));
}

std::int64_t held_whole(Int128 sum, Values kind) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  if (-kMost <= sum && sum < kMost) return static_cast<std::int64_t>(sum);
  return kind == Values::kTime ? kNever : -1;
}

}  // namespace

std::size_t Groups::bytes() const {
  return (of_row.size() + rows.size() + begins.size()) * sizeof(std::uint32_t);
}

Groups group_rows(std::span<const Column* const> keys, Budget& budget) {
  auto numbered = number_keys(ordered_keys(*keys.front(), budget), budget);
  for (const auto* key : keys.subspan(1)) {
    const auto next = number_keys(ordered_keys(*key, budget), budget);
    std::vector<std::uint64_t> pairs(next.of_row.size());
    for (std::size_t row = 0; row < pairs.size(); ++row)
      pairs[row] = numbered.of_row[row] * next.count + next.of_row[row];
    numbered = number_keys(pairs, budget);
  }
  Groups groups{std::move(numbered.of_row), {}, {}};
  groups.begins.resize(numbered.count + 1);
  for (const auto group : groups.of_row) ++groups.begins[group + 1];
  for (std::size_t i = 1; i < groups.begins.size(); ++i)
    groups.begins[i] += groups.begins[i - 1];
  groups.rows.resize(groups.of_row.size());
  auto next = groups.begins;
  for (std::uint32_t row = 0; row < groups.rows.size(); ++row)
    groups.rows[next[groups.of_row[row]]++] = row;
  return groups;
}

ColumnPtr group_keys(const Groups& groups, const Column& key, Budget& budget) {
  std::vector<std::uint32_t> firsts(groups.count());
  for (std::size_t group = 0; group < firsts.size(); ++group)
    firsts[group] = groups.rows[groups.begins[group]];
  return gather(key, firsts, budget);
}

ColumnPtr group_counts(const Groups& groups) {
  std::vector<std::int64_t> counts(groups.count());
  for (std::size_t group = 0; group < counts.size(); ++group)
    counts[group] = static_cast<std::int64_t>(groups.rows_of(group).size());
  return Column::of_whole(std::move(counts));
}

ColumnPtr group_sums(const Groups& groups, const Column& column, Budget& budget) {
  if (column.kind() == Values::kNumber) {
    return numbers_of_groups(groups, budget, [&](auto rows) {
      return std::optional(total_of(column, budget, rows).number);
    });
  }
  std::vector<std::int64_t> sums(groups.count());
  for (std::size_t group = 0; group < sums.size(); ++group) {
    const auto total = total_of(column, budget, groups.rows_of(group));
    sums[group] = held_whole(total.whole, column.kind());
  }
  return column.kind() == Values::kTime ? Column::of_times(std::move(sums))
                                        : Column::of_whole(std::move(sums));
}

ColumnPtr group_means(const Groups& groups, const Column& column, Budget& budget) {
  return numbers_of_groups(groups, budget,
                           [&](auto rows) { return mean_of(column, budget, rows); });
}

ColumnPtr group_maxima(const Groups& groups, const Column& column, Budget& budget) {
  const auto keys = ordered_keys(column, budget);
  std::vector<std::uint32_t> best(groups.count(), kNoRow);
  budget.charge_each(keys.size());
  for (std::uint32_t row = 0; row < keys.size(); ++row) {
    auto& most = best[groups.of_row[row]];
    if (column.is_there(row) && (most == kNoRow || keys[row] > keys[most])) most = row;
  }
  return gather(column, best, budget);
}

ColumnPtr group_quantiles(const Groups& groups, const Column& column, double q,
                          Budget& budget) {
  return numbers_of_groups(
      groups, budget, [&](auto rows) { return quantile_of(column, q, budget, rows); });
}

}  // namespace berth::bindings

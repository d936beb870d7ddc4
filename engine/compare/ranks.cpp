#include "engine/compare/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "engine/metrics/compensated_sum.hpp"

namespace berth {

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    const double rank = static_cast<double>(from + to + 1) / 2;
    for (; from < to; ++from) ranks[order[from]] = rank;
  }
  return ranks;
}

std::optional<double> correlation(std::span<const double> a,
                                  std::span<const double> b) {
  if (a.empty()) return std::nullopt;
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  CompensatedSum both;
  CompensatedSum of_a;
  CompensatedSum of_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both.add((a[i] - mean_a) * (b[i] - mean_b));
    of_a.add((a[i] - mean_a) * (a[i] - mean_a));
    of_b.add((b[i] - mean_b) * (b[i] - mean_b));
  }
  if (of_a.value() == 0 || of_b.value() == 0) return std::nullopt;
  return both.value() / std::sqrt(of_a.value() * of_b.value());
}

}  // namespace berth

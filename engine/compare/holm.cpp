#include "engine/compare/holm.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace berth {

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return p_values[a] < p_values[b];
  });
  std::vector<double> adjusted(p_values.size());
  double least = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto tests_left = static_cast<double>(order.size() - i);
    least = std::min(1.0, std::max(least, tests_left * p_values[order[i]]));
    adjusted[order[i]] = least;
  }
  return adjusted;
}

}  // namespace berth

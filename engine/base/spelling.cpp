#include "engine/base/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace berth {

namespace {

// Optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                             std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      auto& here = cost[i][j];
      here = std::min(
          {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      const bool swapped =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) here = std::min(here, cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

constexpr std::size_t kLongestWord = 64;

}  // namespace

std::string_view nearest(std::string_view word,
                         std::span<const std::string_view> known) {
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto candidate : known) {
    const auto far = distance(word, candidate);
    if (far >= least) continue;
    least = far;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word,
                         std::span<const std::string_view> known) {
  const auto found = nearest(word, known);
  if (found.empty() || found == word) return {};
  return fmt::format(" (did you mean '{}'?)", found);
}

}  // namespace berth

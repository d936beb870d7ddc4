#include "engine/base/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/base/printable.hpp"

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

// ", with the character U+0430" for the first character beyond ASCII that `other` has
// not, or a blank at an end; such words may look alike.
std::string odd_character(std::string_view word, std::string_view other) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto lead = static_cast<unsigned char>(word[i]);
    if (lead < 0xC0 || other.find(word[i]) != std::string_view::npos) continue;
    const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    std::uint32_t code = lead & (0x3FU >> more);
    for (std::size_t j = 1; j <= more && i + j < word.size(); ++j) {
      code = code << 6U | (static_cast<unsigned char>(word[i + j]) & 0x3FU);
    }
    return fmt::format(", with the character U+{:04X}", code);
  }
  if (!word.empty() && (word.front() == ' ' || word.back() == ' ')) {
    return ", with a blank at its end";
  }
  return {};
}

}  // namespace

std::string_view nearest(std::string_view word,
                         std::span<const std::string_view> known) {
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto candidate : known) {
    // At least so many letters differ.
    const auto apart = std::max(word.size(), candidate.size()) -
                       std::min(word.size(), candidate.size());
    if (apart >= least) continue;
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
  return fmt::format(" (did you mean '{}'?{})", printable(found),
                     odd_character(word, found));
}

std::string look_alike(std::span<const std::string_view> wanted,
                       std::span<const std::string_view> there) {
  for (const auto word : there) {
    const auto found = nearest(word, wanted);
    if (found.empty() || found == word) continue;
    const auto odd = odd_character(word, found);
    return fmt::format("; it has '{}'{}", printable(word), odd);
  }
  return {};
}

}  // namespace berth

#pragma once
// Suggestions for misspelt words.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// The word of `known` with the least edit distance to `word` (insertions, deletions,
// substitutions, swapped neighbours), if that is at most a third of its letters, and at
// least 1.  Empty if none is so close.  Ties: the first in `known`.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

// " (did you mean 'start'?)", or ""; never with `word` itself.  Where the words look
// alike the character that makes the difference is told by its number.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

// For words that are missing among `there`: "; 'jоb' here has the character U+043E" if
// one of them looks like one of `wanted`; else nothing.
[[nodiscard]] std::string look_alike(std::span<const std::string_view> wanted,
                                     std::span<const std::string_view> there);
// The same for a first line of CSV, or for names.
template <class Words>
[[nodiscard]] std::string look_alike(std::span<const std::string_view> wanted,
                                     const Words& there) {
  std::vector<std::string_view> words;
  for (const auto& each : there) {
    if constexpr (requires { each.text; }) {
      words.emplace_back(each.text);
    } else {
      words.emplace_back(each);
    }
  }
  return look_alike(wanted, std::span<const std::string_view>(words));
}

}  // namespace berth

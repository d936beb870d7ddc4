#pragma once
// Suggestions for misspelt words.

#include <span>
#include <string>
#include <string_view>

namespace berth {

// The word of `known` with the least edit distance to `word` (insertions, deletions,
// substitutions, swapped neighbours), if that is at most a third of its letters, and at
// least 1.  Empty if none is so close.  Ties: the first in `known`.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

// " (did you mean 'start'?)", or ""; never with `word` itself.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace berth

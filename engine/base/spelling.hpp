#pragma once
// Which known word was probably meant.

#include <span>
#include <string>
#include <string_view>

namespace berth {

// The known word nearest to `word` (insertions, deletions, changes, swapped
// neighbours), if it is near enough to be meant: at most a third of its letters, at
// least one, differ. Empty if none is.  Ties: the first in `known`.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

// " (did you mean 'start'?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace berth

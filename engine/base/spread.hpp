#pragma once
// A range of numbers to draw from, as scenarios write it: 0.02, or "0.005..0.04".

#include <optional>
#include <string>
#include <string_view>

namespace berth {

// A number drawn uniformly from least to most; fixed where they are equal.
struct Spread {
  double least;
  double most;
};

// nullopt: neither a finite number nor two with `..` between them, least first.
[[nodiscard]] std::optional<Spread> spread_from_text(std::string_view text);

// "0.02" where both ends are equal, else "0.005..0.04"; spread_from_text() reads it.
[[nodiscard]] std::string text_of(const Spread& spread);

}  // namespace berth

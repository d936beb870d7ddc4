#pragma once
// A spread of numbers as scenarios write it: 0.02, or "0.005..0.04".

#include <optional>
#include <string>
#include <string_view>

#include "engine/hosts/two_tier_settings.hpp"

namespace berth::study {

// nullopt: neither a finite number nor two with `..` between them, least first.
[[nodiscard]] std::optional<Spread> spread_from_text(std::string_view text);

// "0.02" where both ends are equal, else "0.005..0.04"; reads back as it is.
[[nodiscard]] std::string text_of(const Spread& spread);

}  // namespace berth::study

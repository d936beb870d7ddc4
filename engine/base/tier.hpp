#pragma once
// CPU priority on one processor: the background runs on what the foreground leaves
// idle.

#include <cstdint>
#include <string_view>

namespace berth {

enum class Tier : std::uint8_t { kForeground, kBackground };

// "foreground", "background".
[[nodiscard]] constexpr std::string_view name(Tier tier) {
  return tier == Tier::kForeground ? "foreground" : "background";
}

}  // namespace berth

#pragma once
// Memory: whole KiB inside the engine, GiB in files, messages and policies.

#include <cstdint>

#include "engine/base/amount.hpp"

namespace berth {

inline constexpr double kKibPerGib = 1024.0 * 1024.0;

// Rounded down (docs/model.md#amounts).  REQUIRES: 0 <= gib <= 2^32.
[[nodiscard]] inline std::int64_t kib_of(double gib) {
  return whole_units(gib, static_cast<std::int64_t>(kKibPerGib));
}

[[nodiscard]] constexpr double gib_of(std::int64_t kib) {
  return static_cast<double>(kib) / kKibPerGib;
}

}  // namespace berth

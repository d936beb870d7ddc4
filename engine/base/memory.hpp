#pragma once
// Memory: whole KiB inside the engine, GiB in files, messages and policies.

#include <cmath>
#include <cstdint>

namespace berth {

inline constexpr double kKibPerGib = 1024.0 * 1024.0;

// To the nearest KiB.  REQUIRES: |gib| < 2^43.
[[nodiscard]] inline std::int64_t kib_of(double gib) {
  return std::llround(gib * kKibPerGib);
}

[[nodiscard]] constexpr double gib_of(std::int64_t kib) {
  return static_cast<double>(kib) / kKibPerGib;
}

}  // namespace berth

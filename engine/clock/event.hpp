#pragma once
// What happens next, and in which order at one instant.

#include <cstdint>

#include "engine/base/time.hpp"

namespace berth {

enum class EventKind : std::uint8_t {
  kJobEnd,
  kUnfreeze,
  kCapacity,
  kJobSubmit,
  kWake
};

// Whether arrivals of an instant are handled behind its completions (the default) or
// before them (to compare with simulators that do so).
enum class Ties : std::uint8_t { kEndsFirst, kSubmitsFirst };

// Versions count modulo 2^29.
inline constexpr unsigned kVersionBits = 29;
[[nodiscard]] constexpr std::uint32_t next_version(std::uint32_t version) {
  return (version + 1) & ((std::uint32_t{1} << kVersionBits) - 1);
}

struct Event {
  Time at;
  EventKind kind;
  std::uint32_t subject;  // job number where there is one, else 0
  std::uint32_t version;  // events whose version is no longer current are void
};

}  // namespace berth

#pragma once
// What can happen, and when.

#include <cstdint>

#include "engine/base/time.hpp"

namespace berth {

// In the order of events at one instant (docs/model.md#events).
enum class EventKind : std::uint8_t {
  kJobEnd,
  kUnfreeze,
  kOfJob,      // of a running job, as its machine has it
  kOfMachine,  // of the machine alone
  kJobSubmit,
  kWake
};

// Whether arrivals of an instant come behind its other events but wake-ups (the
// default) or before all of them (for comparison with simulators that do so).
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
  std::uint32_t version;  // an event with an older version than its subject is void
};

}  // namespace berth

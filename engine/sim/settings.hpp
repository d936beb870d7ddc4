#pragma once
// How a run decides, apart from its machine and its jobs.

#include <cstdint>

#include "engine/clock/event.hpp"

namespace berth::sim {

// All events of an instant, then one pass; or hooks and one pass after each event.  The
// second exists to compare with simulators that decide per event (spec: README 1.5).
enum class PassMode : std::uint8_t { kInstant, kEvent };

struct Settings {
  PassMode pass = PassMode::kInstant;
  Ties ties = Ties::kEndsFirst;
  std::uint64_t seed = 0;
  // Bounds of a run that stands still (design rule 12).
  std::int64_t passes_at_one_instant = 10'000;
  std::int64_t idle_passes_in_a_row = 1'000'000;
};

}  // namespace berth::sim

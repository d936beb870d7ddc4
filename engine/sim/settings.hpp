#pragma once
// How a run decides, apart from its machine and its jobs.

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/clock/event.hpp"
#include "engine/share/share_settings.hpp"

namespace berth {
struct LimitSettings;
}  // namespace berth

namespace berth::sim {

// All events of an instant, then one pass; or hooks and one pass after each event, as
// simulators do that decide per event (docs/model.md#events).
enum class PassMode : std::uint8_t { kInstant, kEvent };

struct Settings {
  PassMode pass = PassMode::kInstant;
  Ties ties = Ties::kEndsFirst;
  // Passes at multiples of it only, while jobs wait; 0: when something happened.
  Duration cycle = 0;
  std::uint64_t seed = 0;
  // Whether jobs leave; else the run ends with the last arrival.
  bool departures = true;
  // nullopt: usage is not kept, and there is no fair order.
  std::optional<ShareSettings> shares{};
  // Whether usage is kept where the policy does not ask for users, too.
  bool keeps_usage = true;
  std::shared_ptr<const LimitSettings> limits{};  // null: no job has a limit
  // A run that stands still ends at this bound (docs/model.md#events).
  std::int64_t idle_passes_in_a_row = 1'000'000;
};

}  // namespace berth::sim

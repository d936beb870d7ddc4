#pragma once
// A promise of one decision: when a job could start by what is expected now, and what
// is left over at that instant.
//
// A plan changes nothing and forbids nothing.  It filters selections, and every start
// made after it in the same decision is charged to it.
//
// Source       shadow time and extra processors: Mu'alem and Feitelson 2001; spec:
//              backfilling 5.1, README 1.6.

#include <cstdint>
#include <optional>

#include "engine/base/ids.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/running_set.hpp"

namespace berth {

enum class Admission : std::uint8_t { kInTime, kSpare };

struct Plan {
  JobId job;
  Time start;          // the shadow time; the instant of the plan if the job fits then
  std::int64_t spare;  // processors left over at `start`; negative once overdrawn
  // Which processors the spare ones are, where the job is pinned to its own; nullopt:
  // any.
  std::optional<Placement> room{};  // holds an IntervalSet

  // Whether a start now may pass: because it ends by `start`, or out of the spare.
  [[nodiscard]] std::optional<Admission> admits(std::int64_t size, Time ends) const {
    if (ends <= start) return Admission::kInTime;
    if (size <= spare) return Admission::kSpare;
    return std::nullopt;
  }
  [[nodiscard]] bool broken() const { return spare < 0; }
  // Takes a start into account that was made after this plan.
  void charge(std::int64_t size, Time ends) {
    if (ends > start) spare -= size;
  }
  // Takes these processors out of the room.  REQUIRES: the plan has a room.
  void give_up(const Placement& placement);
};

struct Shadow {
  Time start;
  std::int64_t spare;
};

// Whether all releases at the shadow instant count (then the order of equal ends does
// not matter), or only as many as are needed.
enum class ShadowTies : std::uint8_t { kInclusive, kLiteral };

// First instant from `now` on at which `idle` and the expected releases make room for
// `size`.  nullopt: no release ever does.  Cost O(releases needed).
[[nodiscard]] std::optional<Shadow> shadow_of(std::int64_t size, std::int64_t idle,
                                              const RunningSet& running, Time now,
                                              ShadowTies ties);

}  // namespace berth

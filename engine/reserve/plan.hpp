#pragma once
// The reservation of one decision: when a job is expected to be able to start, and what
// is spare at that instant.
//
// A plan changes nothing and forbids nothing.  Selections filter by it, and every start
// made after it in the same decision is charged to it.
//
// Source       shadow time and extra processors: Mu'alem and Feitelson 2001; see
//              docs/model.md#shadow.

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/base/demand.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/outlook.hpp"
#include "engine/jobs/running_set.hpp"

namespace berth {

enum class Admission : std::uint8_t { kInTime, kSpare };

struct Plan {
  // Not constexpr: a constant object is first cleared, with its room for a placement.
  Plan(JobId who, Time shadow_time, std::int64_t left_over)
      : job(who), start(shadow_time), spare(left_over) {}

  JobId job;
  Time start;  // the shadow time; the instant of the plan if the job fits then
  // Processors left over from `start` on for as long as the job is planned; negative
  // once overdrawn.
  std::int64_t spare;
  // So many more may be left over at `start` itself, where a window of the machine
  // takes some later: then the outlook decides.
  std::int64_t slack = 0;
  // Which processors the spare ones are, where the job is pinned to its own; nullopt:
  // any.
  std::optional<Placement> room{};
  // The machine at `start`; null where processors in one pool tell all.
  std::unique_ptr<Outlook> outlook{};

  // Whether a start now may pass: because it ends by `start`, or out of the spare.
  [[nodiscard]] std::optional<Admission> admits(const Demand& demand, Time ends) const {
    if (ends <= start) return Admission::kInTime;
    if (demand.processors() <= most()) return Admission::kSpare;
    return std::nullopt;
  }
  // No start of more processors passes but in time.
  [[nodiscard]] std::int64_t most() const { return spare + slack; }
  [[nodiscard]] bool broken() const {
    return most() < 0 || (outlook != nullptr && !outlook->fits());
  }
  // Charges a start that was made after this plan.
  void charge(const Demand& demand, Time ends) {
    if (ends > start) spare -= demand.processors();
  }
  // Takes these processors out of the room.  REQUIRES: the plan has a room.
  void give_up(const Placement& placement);
};

struct Shadow {
  Time start;
  std::int64_t spare;
};

// Whether all jobs expected to end at the shadow time count (then the order of equal
// ends does not matter), or only as many as are needed.
enum class ShadowTies : std::uint8_t { kInclusive, kLiteral };

// First instant from `now` on at which the idle processors and those of jobs expected
// to end by then are enough for the demand; nullopt: they never are.  A step for each
// row of RunningSet up to it, and one for each job of the last.
[[nodiscard]] std::optional<Shadow> shadow_of(const Demand& demand, std::int64_t idle,
                                              const RunningSet& running, Time now,
                                              ShadowTies ties);

}  // namespace berth

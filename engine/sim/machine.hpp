#pragma once
// The machine of a run, as the scenario describes it.  The values hold for every policy
// of the run; what belongs to one policy is a parameter of that policy.

#include <any>
#include <cstdint>
#include <string>

#include "engine/base/time.hpp"
#include "engine/hosts/host_events.hpp"
#include "engine/hosts/kinds.hpp"
#include "engine/hosts/pick.hpp"
#include "engine/reserve/plan.hpp"

namespace berth::sim {

// What happens to a job that exceeds its walltime (docs/model.md#kill).
enum class Overrun : std::uint8_t { kRunOn, kKill };

struct Machine {
  std::int32_t processors = 1;        // of all hosts together
  Resources resources{};              // what it has besides
  std::string sharing = "exclusive";  // name of a record in models/
  std::any model_settings{};          // of that model, of its own type; empty: defaults
  Pick pick = Pick::kLowest;
  bool preemption = false;         // whether running jobs may be suspended
  Duration migration_cost = 0;     // migration delay of a resumed or migrated job
  Duration min_planned = kSecond;  // docs/model.md#estimates
  Overrun overrun = Overrun::kRunOn;
  Duration overrun_grace = 60 * kSecond;  // docs/model.md#overruns
  std::int64_t overrun_growth = 2;        // >= 1
  ShadowTies shadow_ties = ShadowTies::kInclusive;
  HostLife life{};
};

}  // namespace berth::sim

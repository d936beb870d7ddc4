#pragma once
// The machine of a run, as the scenario describes it.  All values hold for every policy
// of the run; what belongs to one policy is a parameter of that policy.

#include <cstdint>
#include <string>

#include "engine/base/time.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/reserve/plan.hpp"

namespace berth::sim {

// What happens to a job that outlives its walltime (spec: A-BF-4).
enum class Overrun : std::uint8_t { kRunOn, kKill };

struct Machine {
  std::int32_t processors = 1;
  std::string sharing = "exclusive";
  Pick pick = Pick::kLowest;
  bool preemption = false;         // may running jobs be suspended
  Duration migration_cost = 0;     // a resumed job stands still for this long
  Duration min_planned = kSecond;  // A-BF-1
  Overrun overrun = Overrun::kRunOn;
  Duration overrun_grace = kSecond;  // A-BF-3
  ShadowTies shadow_ties = ShadowTies::kInclusive;
};

}  // namespace berth::sim

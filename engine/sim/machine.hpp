#pragma once
// The machine of a run, as the scenario describes it.  All values hold for every policy
// of the run; what belongs to one policy is a parameter of that policy.

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/hosts/two_tier_settings.hpp"
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
  Duration overrun_grace = seconds(60);  // see OverrunRule
  std::int64_t overrun_growth = 2;
  ShadowTies shadow_ties = ShadowTies::kInclusive;
  TwoTierSettings two_tier;  // of sharing = "two_tier"
};

// A machine of this size as its sharing model likes it.
// REQUIRES: `sharing` names a sharing model.
[[nodiscard]] Machine usual_machine(std::string_view sharing, std::int32_t processors);

}  // namespace berth::sim

#pragma once
// The allocation of a job: which parts of the machine it has.
//
// One alternative for each form of allocation.  Sharing models read and make them;
// other code passes them on by reference and asks the two functions below.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/interval_set.hpp"

namespace berth {

// CPU priority on one processor: the background runs on what the foreground leaves
// idle.
enum class Tier : std::uint8_t { kForeground, kBackground };

// "foreground", "background".
[[nodiscard]] std::string_view name(Tier tier);

// One slot of this tier on each of the processors, in the order of the processes.
struct TierSlots {
  Tier tier;
  std::vector<std::int32_t> processors;
  friend bool operator==(const TierSlots&, const TierSlots&) = default;
};

// A set of processors that the job has to itself, or slots of a tier.
using Placement = std::variant<IntervalSet, TierSlots>;

// The processors of the allocation, in whatever tier.
[[nodiscard]] IntervalSet processors_of(const Placement& placement);

// nullopt for a form without tiers.
[[nodiscard]] std::optional<Tier> tier_of(const Placement& placement);

}  // namespace berth

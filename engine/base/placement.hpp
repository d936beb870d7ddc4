#pragma once
// Where a job sits.  One form per sharing model; only that model looks inside, everyone
// else passes it on by reference.  Amounts held (memory, bandwidth, yield) are kept
// beside it.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/interval_set.hpp"

namespace berth {

// Processor priority on one processor: the background runs on what the foreground
// leaves idle.
enum class Tier : std::uint8_t { kForeground, kBackground };

// "foreground", "background".
[[nodiscard]] std::string_view name(Tier tier);

// `two_tier`: one slot of this tier on each of the processors, in process order.
struct TierSlots {
  Tier tier;
  std::vector<std::int32_t> processors;
  friend bool operator==(const TierSlots&, const TierSlots&) = default;
};

// `exclusive`: the processors it has for itself.
using Placement = std::variant<IntervalSet, TierSlots>;

// The processors on which the job sits, in either tier.
[[nodiscard]] IntervalSet processors_of(const Placement& placement);

// nullopt on a machine without tiers.
[[nodiscard]] std::optional<Tier> tier_of(const Placement& placement);

}  // namespace berth

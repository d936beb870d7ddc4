#pragma once
// The placement of a job on processors with two tiers.

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/field_writer.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/tier.hpp"

namespace berth {

// One slot of this tier on each of the processors, in the order of the processes.
struct TierSlots final : Placement::FormOf<TierSlots> {
  TierSlots() = default;
  TierSlots(Tier of, std::vector<std::int32_t> numbers)
      : tier(of), processors(std::move(numbers)) {}

  [[nodiscard]] std::int64_t parts(const IntervalSet&) const override {
    return std::ssize(processors);
  }
  void columns(FieldWriter& to) const override { to.text("tier", name(tier)); }
  friend bool operator==(const TierSlots&, const TierSlots&) = default;

  Tier tier = Tier::kForeground;
  std::vector<std::int32_t> processors;
};

[[nodiscard]] inline Placement placement_of(TierSlots slots) {
  auto processors = set_of_numbers(slots.processors);
  return {std::move(processors), std::move(slots), Placement::Use::kShared};
}

}  // namespace berth

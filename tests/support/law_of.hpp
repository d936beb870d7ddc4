#pragma once
// The audit law of a machine of this sharing model.

#include <memory>
#include <span>

#include "engine/audit/laws/exclusive_law.hpp"
#include "engine/audit/laws/tier_law.hpp"

namespace berth::test {

[[nodiscard]] inline std::unique_ptr<audit::Law> law_of(const sim::Machine& machine,
                                                        std::span<const Job> jobs) {
  if (machine.sharing == "two_tier") {
    return std::make_unique<audit::TierLaw>(machine, jobs);
  }
  return std::make_unique<audit::ExclusiveLaw>(machine, jobs);
}

}  // namespace berth::test

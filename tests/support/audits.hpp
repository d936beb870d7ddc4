#pragma once
// What tests of the audit share.

#include <memory>
#include <span>
#include <string>

#include "engine/audit/audit_failure.hpp"
#include "engine/audit/laws/exclusive_law.hpp"
#include "engine/audit/laws/tier_law.hpp"

namespace berth::test {

// The law of a machine of this sharing model.
[[nodiscard]] inline std::unique_ptr<audit::Law> law_of(const sim::Machine& machine,
                                                        std::span<const Job> jobs) {
  if (machine.sharing == "two_tier") {
    return std::make_unique<audit::TierLaw>(machine, jobs);
  }
  return std::make_unique<audit::ExclusiveLaw>(machine, jobs);
}

// "C1 at t=3, job 7: ...": the violation with the code of its rule alone.
[[nodiscard]] inline std::string in_short(const audit::Violation& violation) {
  const auto text = violation.text();
  return std::string(violation.rule.code) + text.substr(text.find(" at t="));
}

}  // namespace berth::test

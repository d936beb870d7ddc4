#pragma once
// What tests of the audit share.

#include <string>

#include "engine/audit/audit_failure.hpp"

namespace berth::test {

// "C1 at t=3, job 7: ...": the violation with the code of its rule alone.
[[nodiscard]] inline std::string in_short(const audit::Violation& violation) {
  const auto text = violation.text();
  return std::string(violation.rule.code) + text.substr(text.find(" at t="));
}

}  // namespace berth::test

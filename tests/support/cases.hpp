#pragma once
// Cases of a policy, run as `berth test` runs them.

#include <string>

#include "study/tests/case_run.hpp"
#include "study/tests/case_settings.hpp"

namespace berth::test {

// What is not as the case of this number expects; empty: nothing.  The policy has the
// libraries of the built-in ones.
[[nodiscard]] inline std::string case_verdict(const bindings::PolicyFile& cases,
                                              std::size_t number,
                                              const bindings::PolicyFile& policy,
                                              const bindings::Limits& limits = {}) {
  const auto library = study::PolicyLibrary::standard();
  const study::CaseSubject subject{{policy.stem, {}, {}}, policy, library, limits, {}};
  bindings::CaseFile file(cases, limits, study::fields_of_cases());
  return study::run_case(file, number, subject);
}

}  // namespace berth::test

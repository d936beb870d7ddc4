#pragma once
// The fields of a case that are settings of a scenario: they come through the same door
// as those of a file.

#include "bindings/policy_cases.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// Which fields they are, and what takes them.
[[nodiscard]] const bindings::CaseSettings& fields_of_cases();

// The scenario that the settings of a case make.  REQUIRES: it was read.
[[nodiscard]] const Scenario& scenario_of(const bindings::PolicyCase& of);

}  // namespace berth::study

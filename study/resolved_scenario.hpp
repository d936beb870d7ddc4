#pragma once
// A scenario with every default filled in, as text that is a scenario again.

#include <string>
#include <string_view>

#include "bindings/lua_policy.hpp"
#include "study/policy_run.hpp"
#include "study/policy_set.hpp"
#include "study/scenario.hpp"

namespace berth::study {

// "{ name = "sjf", block = false }": the policy with all its parameters.  REQUIRES: it
// is loaded.
[[nodiscard]] std::string policy_text(const LoadedPolicy& policy);

// Every key that has a value, with these policies; files stand by base name.
[[nodiscard]] std::string settings_text(const Scenario& scenario,
                                        std::string_view policies);

// Every key with the value in force, the one policy with all its parameters.  Files
// stand by base name.
[[nodiscard]] std::string resolved_text(const Scenario& scenario, const Point& point,
                                        const LoadedPolicy& policy);

}  // namespace berth::study

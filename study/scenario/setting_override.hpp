#pragma once
// Settings given on the command line, over those of the scenario.

#include <string_view>

#include "study/scenario/scenario.hpp"

namespace berth::study {

// One "key=value".  Keys are those of the table, "run.policies" (one policy, or a TOML
// list) and "policies.NAME.PARAMETER" of a policy that runs.  A key that [sweep] varies
// no longer varies.  Paths are taken from the
// current folder.  Throws Error{kUsage} with the reason and the values that are
// allowed; `option` is what the user typed instead of --set KEY, such as --processors.
void override_setting(Scenario& scenario, std::string_view assignment,
                      std::string_view option = {});

// One "key=a,b,c": an axis of the sweep, in place of one with that key, behind the
// others and before the seed.  Throws Error{kUsage} for a key that cannot vary, a value
// that it cannot have, a value twice, and more than 100,000 points.
void vary_setting(Scenario& scenario, std::string_view assignment);

}  // namespace berth::study

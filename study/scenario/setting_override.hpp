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

}  // namespace berth::study

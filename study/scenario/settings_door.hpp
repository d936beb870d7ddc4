#pragma once
// The one way by which settings come into a scenario: from files, the command line, the
// points of a sweep, and the cases of a policy.

#include <string>
#include <string_view>

#include "engine/base/setting.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

// Sets a key of the table.  Returns what is wrong with the value; empty: it is set.
// Later messages about the key begin with `place` ("file:line:column: "); empty: it
// comes from no file.  REQUIRES: there is the key.
[[nodiscard]] std::string set_setting(Scenario& scenario, std::string_view key,
                                      const SettingValue& value,
                                      std::string_view place = {});

// The same without setting it.
[[nodiscard]] std::string wrong_setting(std::string_view key,
                                        const SettingValue& value);

// The value of an option that stands for a key, such as --processors; empty: it is not
// given.  Throws as override_setting(), and names the option.
void set_option(Scenario& scenario, std::string_view key, std::string_view value,
                std::string_view option);

// One "key=value" of --set, over the scenario.  Keys are those of the table,
// "run.policies" (one policy, or a TOML list), "policies.NAME.PARAMETER" of a policy
// that runs, and "classes.NAME".  A key that [sweep] varies no longer varies.  Paths
// are taken from the current folder.  Throws Error{kUsage} with the reason and the
// values that are allowed.
void override_setting(Scenario& scenario, std::string_view assignment);

// One "key=a,b,c": an axis of the sweep, in place of one with that key, behind the
// others and before the seed.  Throws Error{kUsage} for a key that cannot vary, a value
// that it cannot have, a value twice, and more than 100,000 points.
void vary_setting(Scenario& scenario, std::string_view assignment);

}  // namespace berth::study

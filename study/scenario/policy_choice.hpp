#pragma once
// One policy of a run, as the scenario or the command line gives it: a name or a file,
// and parameters.

#include <map>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace berth::study {

struct PolicyChoice {
  std::string name;                               // "easy", "./mine.lua"
  std::map<std::string, std::string> parameters;  // values as typed
  std::string place;  // "file:line:column: " of the scenario; empty: the command line
  friend bool operator==(const PolicyChoice&, const PolicyChoice&) = default;

  // A file rather than a built-in policy: it ends in ".lua" or has a "/".
  [[nodiscard]] bool is_file() const;
  // "easy" of "policies/easy.lua": what labels and [policies.NAME] call it.
  [[nodiscard]] std::string stem() const;
};

// Reads "sjf", "./mine.lua" or "sjf:block=false,limit=3"; else the reason why it is
// none.
[[nodiscard]] Result<PolicyChoice, std::string> parse_policy_choice(
    std::string_view text);

}  // namespace berth::study

#pragma once
// The table that a policy file returns, checked field by field.

#include <lua.hpp>
#include <map>
#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "engine/sim/policy.hpp"

namespace berth::bindings {

struct PolicyTable {
  sim::PolicyTraits traits;
  std::string name;
  std::string paper;
  std::vector<Parameter> parameters;
  // References in the Lua registry; LUA_NOREF where the policy has none.
  int schedule = LUA_NOREF;  // absent only where there is `pack`
  int pack = LUA_NOREF;
  int on_submit = LUA_NOREF;
  int on_end = LUA_NOREF;
  std::vector<int> keys;  // by order
};

// Reads the table on top of the stack; see TableReader for errors.
void read_policy_table(lua_State* lua, const std::string& file, PolicyTable& table);

// The parameters' values: defaults, overridden by what was typed.  Throws Error{kUsage}
// for an unknown parameter or a value out of range.
[[nodiscard]] std::map<std::string, ParameterValue> parameter_values(
    const std::string& stem, const std::vector<Parameter>& parameters,
    const std::map<std::string, std::string>& typed);

// "100", "false", "least_left_over".
[[nodiscard]] std::string parameter_text(const ParameterValue& value);

}  // namespace berth::bindings

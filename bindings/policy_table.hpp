#pragma once
// The table that a policy file returns, checked field by field.

#include <any>
#include <lua.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/key_formula.hpp"
#include "bindings/lua_policy.hpp"
#include "bindings/table_reader.hpp"
#include "engine/sim/policy.hpp"

namespace berth::bindings {

struct PolicyTable {
  sim::PolicyTraits traits;
  std::string name;
  std::string paper;
  // Fields that only some machines read, by name, where they are there.
  std::map<std::string_view, std::any> of_machines;
  std::vector<Parameter> parameters;
  // References in the Lua registry; LUA_NOREF where the policy has none.
  int schedule = LUA_NOREF;  // absent only where a hook stands for it
  int on_submit = LUA_NOREF;
  int on_end = LUA_NOREF;
  int on_host = LUA_NOREF;
  int on_hit = LUA_NOREF;
  int estimate = LUA_NOREF;
  int promises = LUA_NOREF;   // a function of the parameters
  std::vector<int> keys;      // by order
  std::vector<int> formulas;  // by order: a text, or a function of the parameters
};

// A function field as a reference in the registry; LUA_NOREF: it is not there. Refuses,
// by the reader, what is no function, and where it is needed, nothing.
[[nodiscard]] int read_function(TableReader& reader, int table, const char* key,
                                bool required);

// Reads the table on top of the stack; see TableReader for errors.
void read_policy_table(lua_State* lua, const std::string& file, PolicyTable& table);

// The promise of this name.  Refuses, by the reader, one that is none.
[[nodiscard]] sim::Promise promise_of(const TableReader& reader,
                                      const std::string& name);

// The formula of an order from the text at stack index `at`.  Where it reads nothing
// that changes, the order loses its refresh.  Refuses, by the reader, what is no
// formula, and one that reads what changes in an order without refresh.
[[nodiscard]] KeyFormula read_formula(
    TableReader& reader, int at, const std::map<std::string, ParameterValue>& values,
    sim::OrderTraits& order);

// Whether a text names what users are asked by, "shares" or "fair_share", or a formula
// asks.  A script that puts the name together is refused where it asks; a parameter is
// one of the values that its text lists.
[[nodiscard]] bool names_users(const PolicyTable& table,
                               const std::vector<LoadedSource>& texts,
                               const std::vector<std::optional<KeyFormula>>& formulas);

// The parameters' values: defaults, overridden by what was typed.  Throws Error{kUsage}
// for an unknown parameter or a value out of range.
[[nodiscard]] std::map<std::string, ParameterValue> parameter_values(
    const std::string& stem, const std::vector<Parameter>& parameters,
    const std::map<std::string, std::string>& typed);

// "100", "false", "least_left_over".
[[nodiscard]] std::string parameter_text(const ParameterValue& value);

}  // namespace berth::bindings

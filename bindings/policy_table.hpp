#pragma once
// The table that a policy file returns, checked field by field.

#include <lua.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bindings/lua_policy.hpp"
#include "bindings/table_reader.hpp"
#include "engine/machines/network/embed/frame.hpp"
#include "engine/sim/policy.hpp"

namespace berth::bindings {

// An embedding of the policy's own: an order of servers within the frame.
struct OwnEmbedding {
  int weight = LUA_NOREF;         // references in the Lua registry: one of the two
  int server_weight = LUA_NOREF;  // is there
  FrameSettings frame{};          // without the order
};

struct PolicyTable {
  sim::PolicyTraits traits;
  std::string name;
  std::string paper;
  // The embedding that the file asks for, by name; empty: it leaves it open.
  std::string embedding;
  std::optional<OwnEmbedding> own_embedding;
  std::vector<Parameter> parameters;
  // References in the Lua registry; LUA_NOREF where the policy has none.
  int schedule = LUA_NOREF;  // absent only where there is `pack`
  int pack = LUA_NOREF;
  int on_submit = LUA_NOREF;
  int on_end = LUA_NOREF;
  int promises = LUA_NOREF;  // a function of the parameters
  std::vector<int> keys;     // by order
};

// Reads the table on top of the stack; see TableReader for errors.
void read_policy_table(lua_State* lua, const std::string& file, PolicyTable& table);

// The promise of this name.  Refuses, by the reader, one that is none.
[[nodiscard]] sim::Promise promise_of(const TableReader& reader,
                                      const std::string& name);

// The parameters' values: defaults, overridden by what was typed.  Throws Error{kUsage}
// for an unknown parameter or a value out of range.
[[nodiscard]] std::map<std::string, ParameterValue> parameter_values(
    const std::string& stem, const std::vector<Parameter>& parameters,
    const std::map<std::string, std::string>& typed);

// "100", "false", "least_left_over".
[[nodiscard]] std::string parameter_text(const ParameterValue& value);

}  // namespace berth::bindings

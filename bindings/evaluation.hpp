#pragma once
// Expressions of Lua, and local variables, of a script that is looked into.

#include <string>
#include <string_view>
#include <vector>

#include "bindings/lua_policy.hpp"

namespace berth::bindings {

// REQUIRES: called from a line hook of this sandbox.
void list_locals(Sandbox& sandbox, std::vector<LuaPolicy::Local>& all);

struct Expression {
  std::string_view text;
  int queue;  // references of the registry
  int cluster;
  bool has_locals;  // a line hook is running
};
// The text of its value, or of its values.  Throws Error{kPolicy}, and what a limit
// throws.
[[nodiscard]] std::string text_of_expression(Sandbox& sandbox,
                                             const Expression& expression);

}  // namespace berth::bindings

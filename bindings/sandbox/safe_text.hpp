#pragma once
// Text of Lua values, source lines and hints for messages.  Never shows an address.

#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string>
#include <string_view>

#include "engine/base/printable.hpp"

namespace berth::bindings {

// 50000000 as "50,000,000".
[[nodiscard]] std::string grouped(std::int64_t number);

// "policy.lua:12" of the innermost Lua function at `level` or above that is no tool's
// beside the script; empty: none.
[[nodiscard]] std::string place_of(lua_State* lua, int level);

// At most 12 levels from `level` on, one indented line each.
[[nodiscard]] std::string traceback(lua_State* lua, int level);

// Pushes the text of the value at `index`: the result of __tostring, a number or string
// as it is, "job 17" for a handle, else the type name.  Raises if __tostring raises or
// returns no string.
const char* push_text(lua_State* lua, int index, std::size_t* length);

// For an error of Lua that ends with "a nil value (global 'requir')", a field or a
// method: " (did you mean 'require'?)"; for a function used as a number, how it is
// called. Empty for other errors and if no name is near.
[[nodiscard]] std::string name_hint(std::string_view message);

}  // namespace berth::bindings

#pragma once
// Text of Lua values and of places in scripts, without addresses.

#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string>
#include <string_view>

namespace berth::bindings {

constexpr std::size_t kMessageBytes = std::size_t{16} << 10U;

// Control bytes and bytes that are not UTF-8 as \xNN; tabs stay, and newlines if asked.
enum class Newlines { kKeep, kEscape };
[[nodiscard]] std::string escaped(std::string_view text, Newlines newlines);

// At most `limit` bytes of it, the last three being dots where something was cut.
[[nodiscard]] std::string shortened(std::string text, std::size_t limit);

// 50000000 as "50,000,000".
[[nodiscard]] std::string grouped(std::int64_t number);

// "policy.lua:12" of the innermost Lua function at `level` or above; empty: there is
// none.
[[nodiscard]] std::string place_of(lua_State* lua, int level);

// At most 12 levels from `level` on, one line each, indented.
[[nodiscard]] std::string traceback(lua_State* lua, int level);

// Pushes the text of the value at `index`: what __tostring answers, a number, a string
// as it is, "job 17" for a handle, else the name of its type. Raises where __tostring
// does, or answers no string.
const char* push_text(lua_State* lua, int index, std::size_t* length);

}  // namespace berth::bindings

#pragma once
// Arguments of primitives: values of Lua that know nothing of a simulation.
//
// Every function may raise; sandbox.hpp says what that requires of the caller.  Readers
// raise naming the primitive, the argument and the value.

#include <cstdint>
#include <lua.hpp>
#include <span>
#include <string_view>

#include "bindings/sandbox/script_number.hpp"
#include "engine/base/time.hpp"

namespace berth::bindings {

// A whole number >= `least`.
[[nodiscard]] std::int64_t read_count(lua_State* lua, int at, std::int64_t least);
// Seconds, rounded to the nearest tick.
[[nodiscard]] Duration read_seconds(lua_State* lua, int at);
// A finite number of which a double holds the very value (sandbox/script_number.hpp);
// `what`: "a yield".
[[nodiscard]] double read_exact(lua_State* lua, int at, const char* what);
[[nodiscard]] std::string_view read_text(lua_State* lua, int at);
// Raises unless every key of the table at `at` is one of these.
void refuse_other_options(lua_State* lua, int at,
                          std::span<const std::string_view> known);

// Raises "file:line: bad argument #at to 'primitive': what"; self is not counted.
[[noreturn]] void bad_argument(lua_State* lua, int at, const char* what);
// The same where another value was expected: "seconds expected, got nil".
[[noreturn]] void expected(lua_State* lua, int at, const char* what);

// Raises: upvalue 1 names the owner of what cannot be set, such as "a run"; nil or
// none: it is a value of the engine.  For __newindex.
int refuse_change(lua_State* lua);
// Gives the table below the function on top a locked metatable, which calls that
// function for absent members and refuses new ones (refuse_change); pops the function.
void close_table(lua_State* lua, const char* owner = nullptr);

void push_string(lua_State* lua, std::string_view text);
// Pushes the text, of a long one its first 60 bytes and "...", for a message.
const char* push_short(lua_State* lua, std::string_view text);

}  // namespace berth::bindings

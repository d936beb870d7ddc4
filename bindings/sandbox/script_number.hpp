#pragma once
// Numbers of a script that decide: keys of orders, weights, amounts, times, parameters.
//
// They are read as doubles of the very same value, so that two of them compare as Lua
// compares them.  A whole number that no double holds, which needs to be above 2^53, is
// refused and never rounded: rounded, different numbers would tie in silence.

#include <cmath>
#include <lua.hpp>
#include <optional>

namespace berth::bindings {

// Whether a double holds this whole number.
[[nodiscard]] inline bool is_held_by_double(lua_Integer whole) {
  constexpr double kBeyond = 0x1p63;
  const auto number = static_cast<double>(whole);
  return number < kBeyond && static_cast<lua_Integer>(number) == whole;
}

// The number at `at`; nullopt: it is none, not finite, or not held by a double.
[[nodiscard]] inline std::optional<double> exact_number(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TNUMBER) return std::nullopt;
  const double number = lua_tonumber(lua, at);
  if (lua_isinteger(lua, at) != 0) {
    if (!is_held_by_double(lua_tointeger(lua, at))) return std::nullopt;
  } else if (!std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

// The same, or math.huge.
[[nodiscard]] inline std::optional<double> exact_or_endless(lua_State* lua, int at) {
  const bool is_endless = lua_type(lua, at) == LUA_TNUMBER &&
                          lua_isinteger(lua, at) == 0 &&
                          lua_tonumber(lua, at) == HUGE_VAL;
  return is_endless ? std::optional(HUGE_VAL) : exact_number(lua, at);
}

// Pushes what the value is instead, for a message: "nil", "inf", "9007199254740993, a
// whole number that a double does not hold".
inline const char* push_inexact(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TNUMBER) {
    return lua_pushstring(lua, luaL_typename(lua, at));
  }
  if (lua_isinteger(lua, at) == 0) {
    return lua_pushfstring(lua, "%f", lua_tonumber(lua, at));
  }
  const lua_Integer whole = lua_tointeger(lua, at);
  return lua_pushfstring(lua,
                         is_held_by_double(whole)
                             ? "%I"
                             : "%I, a whole number that a double does not hold",
                         static_cast<LUAI_UACINT>(whole));
}

}  // namespace berth::bindings

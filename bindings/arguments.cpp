#include "bindings/arguments.hpp"

#include "bindings/value.hpp"

namespace berth::bindings {

void push_string(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}

const char* push_short(lua_State* lua, std::string_view text) {
  constexpr std::size_t kShort = 60;
  if (text.size() <= kShort) return lua_pushlstring(lua, text.data(), text.size());
  lua_pushlstring(lua, text.data(), kShort);
  return lua_pushfstring(lua, "%s...", lua_tostring(lua, -1));
}

std::string_view read_text(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TSTRING) expected(lua, at, "text");
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, at, &length);
  return {text, length};
}

std::int64_t read_count(lua_State* lua, int at, std::int64_t least) {
  if (lua_type(lua, at) != LUA_TNUMBER) expected(lua, at, "a whole number");
  int is_whole = 0;
  const auto count = lua_tointegerx(lua, at, &is_whole);
  if (is_whole == 0) {
    bad_argument(
        lua, at,
        lua_pushfstring(lua, "%s is not a whole number", push_inexact(lua, at)));
  }
  if (count < least) {
    bad_argument(lua, at, lua_pushfstring(lua, "%I is less than %I", count, least));
  }
  return count;
}

std::int64_t read_depth(lua_State* lua, int at) {
  if (lua_isnoneornil(lua, at)) return sim::kAnyDepth;
  const auto depth = read_count(lua, at, -1);
  return depth < 0 ? sim::kAnyDepth : depth;
}

Duration read_seconds(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TNUMBER) expected(lua, at, "seconds");
  const auto number = exact_number(lua, at);
  const auto ticks = number ? ticks_from_seconds(*number) : std::nullopt;
  if (!ticks) {
    bad_argument(lua, at,
                 lua_pushfstring(lua, "%s is not a time in seconds (nil means never)",
                                 push_inexact(lua, at)));
  }
  return *ticks;
}

double read_exact(lua_State* lua, int at, const char* what) {
  if (lua_type(lua, at) != LUA_TNUMBER) expected(lua, at, what);
  const auto number = exact_number(lua, at);
  if (number) return *number;
  bad_argument(
      lua, at,
      lua_pushfstring(lua, "%s expected, got %s", what, push_inexact(lua, at)));
}

int refuse_change(lua_State* lua) {
  const char* owner = lua_tostring(lua, lua_upvalueindex(1));
  if (owner == nullptr) {
    return luaL_error(lua, "values of the engine cannot be changed");
  }
  const bool is_name = lua_type(lua, 2) == LUA_TSTRING;
  const char* key = is_name ? lua_tostring(lua, 2) : luaL_typename(lua, 2);
  return luaL_error(lua, "%s is read-only: '%s' cannot be set", owner, key);
}

void close_table(lua_State* lua, const char* owner) {
  lua_createtable(lua, 0, 3);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, "__index");
  lua_pushstring(lua, owner);
  lua_pushcclosure(lua, refuse_change, 1);
  lua_setfield(lua, -2, "__newindex");
  lua_pushliteral(lua, "locked");
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
}

}  // namespace berth::bindings

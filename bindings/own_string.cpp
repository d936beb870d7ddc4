// The string library: what is not about patterns or formats.

#include <algorithm>
#include <array>
#include <cstring>

#include "bindings/own_library.hpp"
#include "bindings/sandbox.hpp"

namespace berth::bindings {

namespace {

// Runs the stock function, then charges what it made: bytes of text, or values.
int charged(lua_State* lua) {
  const int count = lua_tocfunction(lua, lua_upvalueindex(1))(lua);
  const auto length = count == 1 && lua_type(lua, -1) == LUA_TSTRING
                          ? static_cast<std::int64_t>(lua_rawlen(lua, -1)) / 16
                          : count;
  Guard::of(lua).charge(lua, length);
  return count;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

int change_letters(lua_State* lua, char (*change)(char)) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, 1, &length);
  Guard::of(lua).charge(lua, static_cast<std::int64_t>(length / 16));
  luaL_Buffer buffer;
  char* out = luaL_buffinitsize(lua, &buffer, length);
  std::transform(text, text + length, out, change);
  luaL_pushresultsize(&buffer, length);
  return 1;
}

int own_lower(lua_State* lua) { return change_letters(lua, lower); }
int own_upper(lua_State* lua) { return change_letters(lua, upper); }

// The unit, then the rest by doubling what is there.
void repeat(char* out, std::size_t unit, std::size_t total) {
  for (std::size_t done = std::min(unit, total); done < total;) {
    const std::size_t more = std::min(done, total - done);
    std::memcpy(out + done, out, more);
    done += more;
  }
}

// rep(s, n [, separator])
int own_rep(lua_State* lua) {
  std::size_t length = 0;
  std::size_t gap = 0;
  const char* text = luaL_checklstring(lua, 1, &length);
  const lua_Integer count = luaL_checkinteger(lua, 2);
  const char* separator = luaL_optlstring(lua, 3, "", &gap);
  const std::size_t unit = length + gap;
  if (count <= 0 || unit == 0) {
    lua_pushliteral(lua, "");
    return 1;
  }
  if (static_cast<std::uint64_t>(count) > (kStringBytes + gap) / unit) {
    return luaL_error(lua, "the result of 'rep' has more than 1 MiB");
  }
  const std::size_t total = unit * static_cast<std::size_t>(count) - gap;
  Guard::of(lua).charge(lua, static_cast<std::int64_t>(total / 16));
  luaL_Buffer buffer;
  char* out = luaL_buffinitsize(lua, &buffer, unit * static_cast<std::size_t>(count));
  std::memcpy(out, text, length);
  std::memcpy(out + length, separator, gap);
  repeat(out, unit, total);
  luaL_pushresultsize(&buffer, total);
  return 1;
}

constexpr std::array kStock{"byte", "char", "len", "reverse", "sub"};
constexpr std::array kOwn{luaL_Reg{"lower", own_lower}, luaL_Reg{"upper", own_upper},
                          luaL_Reg{"rep", own_rep}, luaL_Reg{nullptr, nullptr}};

// Adds the stock function `name` behind `wrapper` to the table on top.
void wrap(lua_State* lua, int stock, const char* name, lua_CFunction wrapper) {
  lua_getfield(lua, stock, name);
  lua_pushcclosure(lua, wrapper, 1);
  lua_setfield(lua, -2, name);
}

// All strings share one metatable: theirs finds our functions, and nobody else finds
// it. Its arithmetic stays: "10" + 1 is 11.
void lock_metatable(lua_State* lua, int library) {
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_pushvalue(lua, library);
  lua_setfield(lua, -2, "__index");
  lua_pushliteral(lua, "locked");
  lua_setfield(lua, -2, "__metatable");
  lua_settop(lua, library);
}

}  // namespace

void open_string(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_string);
  lua_call(lua, 0, 1);
  const int stock = lua_gettop(lua);
  lua_newtable(lua);
  for (const char* name : kStock) wrap(lua, stock, name, charged);
  wrap(lua, stock, "format", own_format);
  luaL_setfuncs(lua, kOwn.data(), 0);
  add_patterns(lua);
  lock_metatable(lua, stock + 1);
  lua_remove(lua, stock);
}

}  // namespace berth::bindings

// The math library; random numbers come from the policy's stream.

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

namespace {

lua_Integer draw(RandomEngine& engine, lua_Integer low, lua_Integer high) {
  const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const boost::random::uniform_int_distribution<std::uint64_t> offset(0, width);
  const std::uint64_t drawn = static_cast<std::uint64_t>(low) + offset(engine);
  return static_cast<lua_Integer>(drawn);
}

int safe_random(lua_State* lua) {
  return push_random(lua, Sandbox::of(lua).random(), 1);
}

}  // namespace

int push_random(lua_State* lua, RandomEngine& engine, int first) {
  const int count = std::max(0, lua_gettop(lua) - first + 1);
  if (count > 2) return luaL_error(lua, "wrong number of arguments");
  if (count == 0) {
    lua_pushnumber(lua, uniform(engine));
    return 1;
  }
  const lua_Integer m = luaL_checkinteger(lua, first);
  if (count == 1 && m == 0) {
    lua_pushinteger(lua, static_cast<lua_Integer>(engine()));
    return 1;
  }
  const lua_Integer low = count == 1 ? 1 : m;
  const lua_Integer high = count == 1 ? m : luaL_checkinteger(lua, first + 1);
  luaL_argcheck(lua, low <= high, first + count - 1, "interval is empty");
  lua_pushinteger(lua, draw(engine, low, high));
  return 1;
}

void open_math(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_math);
  lua_call(lua, 0, 1);
  lua_pushnil(lua);
  lua_setfield(lua, -2, "randomseed");
  lua_pushcfunction(lua, safe_random);
  lua_setfield(lua, -2, "random");
}

}  // namespace berth::bindings

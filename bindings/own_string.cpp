// The string library.

#include "bindings/own_library.hpp"
#include "bindings/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr const char* kOffered[] = {"byte",  "char",    "len", "lower",
                                    "upper", "reverse", "sub"};

}  // namespace

void open_string(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_string);
  lua_call(lua, 0, 1);
  const int stock = lua_gettop(lua);
  lua_newtable(lua);
  for (const char* name : kOffered) {
    lua_getfield(lua, stock, name);
    lua_setfield(lua, -2, name);
  }
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_pushvalue(lua, stock + 1);
  lua_setfield(lua, -2, "__index");
  lua_pushliteral(lua, "locked");
  lua_setfield(lua, -2, "__metatable");
  lua_settop(lua, stock + 1);
  lua_remove(lua, stock);
}

}  // namespace berth::bindings

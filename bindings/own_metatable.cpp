// setmetatable and getmetatable: without finalizers and weak tables.
//
// Either would show a script when memory is collected, which differs from process to
// process, and chains of weak tables make one collection take minutes.  Lua looks for
// `__mode` at each collection, so refusing it in setmetatable is not enough: a script
// can put it in later.  What Lua gets is therefore a copy of the metatable, made here,
// that no script can reach; events that are put in later count from the next
// setmetatable on, and once more at the end of the load.

#include <array>
#include <cstdint>

#include "bindings/own_guard.hpp"
#include "bindings/own_library.hpp"

namespace berth::bindings {

namespace {

constexpr const char* kMadeAtLoad = "berth.metatables";  // the copies; nil afterwards
constexpr int kOriginal = 1;  // of a copy: what the script has

constexpr std::array kEvents{
    "__index",  "__newindex", "__call",     "__len",       "__eq",   "__lt",  "__le",
    "__unm",    "__add",      "__sub",      "__mul",       "__div",  "__mod", "__pow",
    "__idiv",   "__band",     "__bor",      "__bxor",      "__bnot", "__shl", "__shr",
    "__concat", "__name",     "__tostring", "__metatable",
};

void refuse_field(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  if (lua_rawget(lua, 2) != LUA_TNIL) {
    luaL_error(lua, "'%s' is not available to policies", name);
  }
  lua_pop(lua, 1);
}

// Upvalue: what the script wants to be called when a variable is closed.  Once a limit
// has been passed it is not called any more: a hundred thousand handlers, each ended by
// an error at its first instruction, would take a second.
int close_variable(lua_State* lua) {
  if (Guard::of(lua).tripped() != Trip::kNone) return 0;
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, 0);
  return 0;
}

// Makes the copy at `copy` say what its original says now.
void refresh(lua_State* lua, int copy) {
  lua_rawgeti(lua, copy, kOriginal);
  const int original = lua_gettop(lua);
  for (const char* event : kEvents) {
    lua_pushstring(lua, event);
    lua_pushvalue(lua, -1);
    lua_rawget(lua, original);
    lua_rawset(lua, copy);
  }
  lua_pushliteral(lua, "__close");
  lua_pushvalue(lua, -1);
  if (lua_rawget(lua, original) != LUA_TNIL) {
    lua_pushcclosure(lua, close_variable, 1);
  }
  lua_rawset(lua, copy);
  lua_pop(lua, 1);
}

// Pushes a copy of the metatable at 2.
void push_copy(lua_State* lua) {
  lua_createtable(lua, kOriginal, 2);
  lua_pushvalue(lua, 2);
  lua_rawseti(lua, -2, kOriginal);
  refresh(lua, lua_gettop(lua));
  if (lua_getfield(lua, LUA_REGISTRYINDEX, kMadeAtLoad) == LUA_TTABLE) {
    lua_pushvalue(lua, -2);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(lua_rawlen(lua, -2)) + 1);
  }
  lua_pop(lua, 1);
}

}  // namespace

int own_setmetatable(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  const int type = lua_type(lua, 2);
  luaL_argexpected(lua, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (type == LUA_TTABLE) {
    refuse_field(lua, "__gc");
    refuse_field(lua, "__mode");
  }
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL) {
    return luaL_error(lua, "cannot change a protected metatable");
  }
  lua_settop(lua, 2);
  if (type == LUA_TTABLE) push_copy(lua);
  lua_setmetatable(lua, 1);
  lua_settop(lua, 1);
  return 1;
}

// What setmetatable was given; `__metatable` where that is set; nil for all others.
int own_getmetatable(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL) return 1;
  if (lua_getmetatable(lua, 1) == 0) return lua_pushnil(lua), 1;
  lua_rawgeti(lua, -1, kOriginal);
  return 1;
}

void begin_metatables(lua_State* lua) {
  lua_newtable(lua);
  lua_setfield(lua, LUA_REGISTRYINDEX, kMadeAtLoad);
}

void settle_metatables(lua_State* lua) {
  lua_getfield(lua, LUA_REGISTRYINDEX, kMadeAtLoad);
  const int list = lua_gettop(lua);
  const auto count = static_cast<lua_Integer>(lua_rawlen(lua, list));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(lua, list, i);
    refresh(lua, lua_gettop(lua));
    lua_pop(lua, 1);
    Guard::of(lua).charge(lua, static_cast<std::int64_t>(kEvents.size()));
  }
  lua_pop(lua, 1);
  lua_pushnil(lua);
  lua_setfield(lua, LUA_REGISTRYINDEX, kMadeAtLoad);
}

}  // namespace berth::bindings

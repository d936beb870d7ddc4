#pragma once
// The functions that a policy finds, one group per file.
//
// Each `open_` pushes a new table with its group.  All of them take bounded time per
// charge, work raw (no __len, __index, __newindex, __pairs), show no address and no
// hash order, and raise ordinary errors on wrong arguments. May raise; for use while
// the state is built.

#include <lua.hpp>

namespace berth::bindings {

void open_base(lua_State* lua);    // the environment itself, with `_G`
void open_string(lua_State* lua);  // and sets the metatable of strings
void open_table(lua_State* lua);
void open_math(lua_State* lua);

// Single functions that have a file of their own.
int own_pairs(lua_State* lua);
int own_sort(lua_State* lua);
int own_format(lua_State* lua);  // upvalue: the stock function
int own_require(lua_State* lua);
int own_setmetatable(lua_State* lua);
int own_getmetatable(lua_State* lua);

// Around the load of a file: what it puts into its metatables counts from its end on,
// also for tables that got them before.
void begin_metatables(lua_State* lua);
void settle_metatables(lua_State* lua);

// Adds find, match, gmatch and gsub to the table on top.
void add_patterns(lua_State* lua);

}  // namespace berth::bindings

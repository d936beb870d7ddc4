// The table library: raw, so that no length and no field can lie.

#include <algorithm>
#include <array>

#include "bindings/own_library.hpp"
#include "bindings/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr lua_Integer kMaxUnpacked = 4096;
constexpr lua_Integer kMovesPerCharge = 1024;

lua_Integer length_of(lua_State* lua, int index) {
  luaL_checktype(lua, index, LUA_TTABLE);
  return static_cast<lua_Integer>(lua_rawlen(lua, index));
}

// Charges one move in a thousand moves.
void charge_move(lua_State* lua, lua_Integer number) {
  if (number % kMovesPerCharge == 0) Guard::of(lua).charge(lua, kMovesPerCharge);
}

void charge_rest(lua_State* lua, lua_Integer moves) {
  Guard::of(lua).charge(lua, moves % kMovesPerCharge);
}

// insert(t, [position,] value)
int own_insert(lua_State* lua) {
  const lua_Integer end = length_of(lua, 1) + 1;
  const int count = lua_gettop(lua);
  if (count != 2 && count != 3) {
    return luaL_error(lua, "wrong number of arguments to 'insert'");
  }
  const lua_Integer position = count == 2 ? end : luaL_checkinteger(lua, 2);
  luaL_argcheck(lua, position >= 1 && position <= end, 2, "position out of bounds");
  for (lua_Integer i = end; i > position; --i) {
    lua_rawgeti(lua, 1, i - 1);
    lua_rawseti(lua, 1, i);
    charge_move(lua, end - i + 1);
  }
  lua_rawseti(lua, 1, position);
  charge_rest(lua, end - position);
  return 0;
}

// remove(t [, position]): the element, which is gone; those behind it move up.
int own_remove(lua_State* lua) {
  const lua_Integer length = length_of(lua, 1);
  const lua_Integer position = luaL_optinteger(lua, 2, length);
  const bool is_within = position >= 1 && position <= length + 1;
  luaL_argcheck(lua, position == length || is_within, 2, "position out of bounds");
  lua_settop(lua, 1);
  lua_rawgeti(lua, 1, position);
  for (lua_Integer i = position; i < length; ++i) {
    lua_rawgeti(lua, 1, i + 1);
    lua_rawseti(lua, 1, i);
    charge_move(lua, i - position + 1);
  }
  lua_pushnil(lua);
  lua_rawseti(lua, 1, std::max(position, length));
  charge_rest(lua, std::max<lua_Integer>(0, length - position));
  return 1;
}

// Adds element `index` of the table at 1, which must be text or a number.
void add_element(lua_State* lua, luaL_Buffer& buffer, lua_Integer index) {
  const int type = lua_rawgeti(lua, 1, index);
  if (type != LUA_TSTRING && type != LUA_TNUMBER) {
    luaL_error(lua, "invalid value (at index %I) in table for 'concat'",
               static_cast<LUAI_UACINT>(index));
  }
  luaL_addvalue(&buffer);
}

// concat(t [, separator [, first [, last]]])
int own_concat(lua_State* lua) {
  const lua_Integer length = length_of(lua, 1);
  std::size_t gap = 0;
  const char* separator = luaL_optlstring(lua, 2, "", &gap);
  const lua_Integer first = luaL_optinteger(lua, 3, 1);
  const lua_Integer last = luaL_optinteger(lua, 4, length);
  luaL_Buffer buffer;
  luaL_buffinit(lua, &buffer);
  for (lua_Integer i = first; i <= last; ++i) {
    add_element(lua, buffer, i);
    if (i != last) luaL_addlstring(&buffer, separator, gap);
    if (luaL_bufflen(&buffer) > kStringBytes) {
      return luaL_error(lua, "the result of 'concat' has more than 1 MiB");
    }
    charge_move(lua, i - first + 1);
    if (i == last) break;  // the largest integer has no successor
  }
  Guard::of(lua).charge(lua, static_cast<std::int64_t>(luaL_bufflen(&buffer) / 16));
  luaL_pushresult(&buffer);
  return 1;
}

int own_pack(lua_State* lua) {
  const int count = lua_gettop(lua);
  lua_createtable(lua, count, 1);
  lua_insert(lua, 1);
  for (int i = count; i >= 1; --i) lua_rawseti(lua, 1, i);
  lua_pushinteger(lua, count);
  lua_setfield(lua, 1, "n");
  Guard::of(lua).charge(lua, count);
  return 1;
}

// unpack(t [, first [, last]])
int own_unpack(lua_State* lua) {
  const lua_Integer length = length_of(lua, 1);
  const lua_Integer first = luaL_optinteger(lua, 2, 1);
  const lua_Integer last = luaL_optinteger(lua, 3, length);
  if (first > last) return 0;
  const auto span = static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first);
  const bool fits = span < static_cast<lua_Unsigned>(kMaxUnpacked) &&
                    lua_checkstack(lua, static_cast<int>(span) + 1) != 0;
  if (!fits) return luaL_error(lua, "too many results to unpack (at most 4,096)");
  const int count = static_cast<int>(span) + 1;
  Guard::of(lua).charge(lua, count);
  for (int i = 0; i < count; ++i) lua_rawgeti(lua, 1, first + i);
  return count;
}

constexpr std::array kFunctions{
    luaL_Reg{"insert", own_insert}, luaL_Reg{"remove", own_remove},
    luaL_Reg{"concat", own_concat}, luaL_Reg{"pack", own_pack},
    luaL_Reg{"unpack", own_unpack}, luaL_Reg{"sort", own_sort},
    luaL_Reg{nullptr, nullptr}};

}  // namespace

void open_table(lua_State* lua) {
  lua_newtable(lua);
  luaL_setfuncs(lua, kFunctions.data(), 0);
}

}  // namespace berth::bindings

// The table library.  Raw access throughout, so neither lengths nor fields can be
// faked by a metatable.  `sort` is a stable merge sort: no clock, and any comparison
// function yields some permutation.

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string_view>
#include <type_traits>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr lua_Integer kMaxUnpacked = 4096;
constexpr lua_Integer kMovesPerCharge = 1024;

lua_Integer length_of(lua_State* lua, int index) {
  refuse_view(lua, index);
  luaL_checktype(lua, index, LUA_TTABLE);
  return static_cast<lua_Integer>(lua_rawlen(lua, index));
}

// Charges every 1,024 moves.
void charge_move(lua_State* lua, lua_Integer number) {
  if (number % kMovesPerCharge == 0) Guard::of(lua).charge(lua, kMovesPerCharge);
}

void charge_rest(lua_State* lua, lua_Integer moves) {
  Guard::of(lua).charge(lua, moves % kMovesPerCharge);
}

// insert(t, [position,] value)
int safe_insert(lua_State* lua) {
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

// remove(t [, position])
int safe_remove(lua_State* lua) {
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

// Adds element `index` of the table at 1, a string or number.
void add_element(lua_State* lua, luaL_Buffer& buffer, lua_Integer index) {
  const int type = lua_rawgeti(lua, 1, index);
  if (type != LUA_TSTRING && type != LUA_TNUMBER) {
    luaL_error(lua, "invalid value (at index %I) in table for 'concat'",
               static_cast<LUAI_UACINT>(index));
  }
  luaL_addvalue(&buffer);
}

// concat(t [, separator [, first [, last]]])
int safe_concat(lua_State* lua) {
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
      Guard::of(lua).refuse_string(lua, luaL_bufflen(&buffer));
    }
    charge_move(lua, i - first + 1);
    if (i == last) break;  // the largest integer has no successor
  }
  Guard::charge_bytes(lua, luaL_bufflen(&buffer));
  luaL_pushresult(&buffer);
  return 1;
}

int safe_pack(lua_State* lua) {
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
int safe_unpack(lua_State* lua) {
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

// --- sort ---

constexpr int kTable = 1;
constexpr int kCompare = 2;
constexpr int kValues =
    3;  // copy of the elements; order[] holds indices into it, from 1

enum class Kind { kIntegers, kFloats, kTexts, kOther };

Kind kind_of(lua_State* lua, int index) {
  if (lua_type(lua, index) == LUA_TSTRING) return Kind::kTexts;
  if (lua_type(lua, index) != LUA_TNUMBER) return Kind::kOther;
  return lua_isinteger(lua, index) != 0 ? Kind::kIntegers : Kind::kFloats;
}

// Copies the elements to a new table on top; returns their common kind.
Kind copy_values(lua_State* lua, std::int32_t count) {
  lua_createtable(lua, count, 0);
  Kind common = Kind::kOther;
  for (std::int32_t i = 1; i <= count; ++i) {
    lua_rawgeti(lua, kTable, i);
    const Kind kind = kind_of(lua, -1);
    common = i == 1 || kind == common ? kind : Kind::kOther;
    lua_rawseti(lua, kValues, i);
  }
  Guard::of(lua).charge(lua, count);
  return common;
}

// An array owned by Lua; stays on the stack.
template <class Element>
Element* push_array(lua_State* lua, std::int32_t count) {
  const std::size_t bytes = sizeof(Element) * static_cast<std::size_t>(count);
  return static_cast<Element*>(lua_newuserdatauv(lua, bytes, 0));
}

lua_Integer read_integer(lua_State* lua) { return lua_tointeger(lua, -1); }
lua_Number read_float(lua_State* lua) { return lua_tonumber(lua, -1); }
std::string_view read_sorted_text(lua_State* lua) {
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, -1, &length);
  return {text, length};
}

struct Sorting {
  lua_State* lua;
  Guard& guard;
  std::int32_t count;
  std::int32_t* order;
  std::int32_t* spare;

  template <class Less>
  void by(const Less& less) const {
    const auto charged = [&](std::int32_t a, std::int32_t b) {
      guard.charge(lua, 1);
      return less(a, b);
    };
    merge_sort(order, spare, count, charged);
  }

  // By the script's function.
  void by_function() const {
    by([this](std::int32_t a, std::int32_t b) {
      lua_pushvalue(lua, kCompare);
      lua_rawgeti(lua, kValues, a);
      lua_rawgeti(lua, kValues, b);
      lua_call(lua, 2, 1);
      const bool is_less = lua_toboolean(lua, -1) != 0;
      lua_pop(lua, 1);
      return is_less;
    });
  }

  // By `<`, metamethods included.
  void by_order() const {
    by([this](std::int32_t a, std::int32_t b) {
      lua_rawgeti(lua, kValues, a);
      lua_rawgeti(lua, kValues, b);
      const bool is_less = lua_compare(lua, -2, -1, LUA_OPLT) != 0;
      lua_pop(lua, 2);
      return is_less;
    });
  }

  // By `<` for elements of one plain type, read beforehand.
  template <class Key>
  void by_key(Key (*read)(lua_State*)) const {
    Key* keys = push_array<Key>(lua, count);
    for (std::int32_t i = 0; i < count; ++i) {
      lua_rawgeti(lua, kValues, i + 1);
      keys[i] = read(lua);
      lua_pop(lua, 1);
    }
    by([&](std::int32_t a, std::int32_t b) {
      const Key& left = keys[a - 1];
      const Key& right = keys[b - 1];
      if constexpr (std::is_same_v<Key, std::string_view>) {
        Guard::charge_bytes(lua, std::min(left.size(), right.size()));
      }
      return left < right;
    });
  }
};

int safe_sort(lua_State* lua) {
  refuse_view(lua, kTable);
  luaL_checktype(lua, kTable, LUA_TTABLE);
  if (!lua_isnoneornil(lua, kCompare)) luaL_checktype(lua, kCompare, LUA_TFUNCTION);
  lua_settop(lua, kCompare);
  const auto length = lua_rawlen(lua, kTable);
  luaL_argcheck(lua, length < std::numeric_limits<std::int32_t>::max(), kTable,
                "array too big");
  const auto count = static_cast<std::int32_t>(length);
  if (count < 2) return 0;
  const Kind kind = copy_values(lua, count);
  auto* order = push_array<std::int32_t>(lua, count);
  auto* spare = push_array<std::int32_t>(lua, count);
  std::iota(order, order + count, 1);
  const Sorting sorting{lua, Guard::of(lua), count, order, spare};
  if (!lua_isnil(lua, kCompare)) {
    sorting.by_function();
  } else if (kind == Kind::kIntegers) {
    sorting.by_key(read_integer);
  } else if (kind == Kind::kFloats) {
    sorting.by_key(read_float);
  } else if (kind == Kind::kTexts) {
    sorting.by_key(read_sorted_text);
  } else {
    sorting.by_order();
  }
  for (std::int32_t i = 0; i < count; ++i) {
    lua_rawgeti(lua, kValues, order[i]);
    lua_rawseti(lua, kTable, i + 1);
  }
  Guard::of(lua).charge(lua, count);
  return 0;
}

constexpr std::array kTableFunctions{
    luaL_Reg{"insert", safe_insert}, luaL_Reg{"remove", safe_remove},
    luaL_Reg{"concat", safe_concat}, luaL_Reg{"pack", safe_pack},
    luaL_Reg{"unpack", safe_unpack}, luaL_Reg{"sort", safe_sort},
    luaL_Reg{nullptr, nullptr}};
}  // namespace

void open_table(lua_State* lua) {
  lua_createtable(lua, 0, int{kTableFunctions.size()});
  luaL_setfuncs(lua, kTableFunctions.data(), 0);
}

}  // namespace berth::bindings

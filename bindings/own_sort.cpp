// table.sort: stable, without a clock, and with some permutation for any comparison.

#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>

#include "bindings/own_library.hpp"
#include "bindings/own_merge.hpp"
#include "bindings/sandbox.hpp"

namespace berth::bindings {

namespace {

// Stack of a running sort.
constexpr int kTable = 1;
constexpr int kCompare = 2;
constexpr int kValues = 3;  // the elements as they were: what order[] numbers, from 1

struct Comparison {
  lua_State* lua;
  Guard* guard;
};

// By the function of the script.
struct ByFunction : Comparison {
  bool operator()(std::int32_t a, std::int32_t b) const {
    guard->charge(lua, 1);
    lua_pushvalue(lua, kCompare);
    lua_rawgeti(lua, kValues, a);
    lua_rawgeti(lua, kValues, b);
    lua_call(lua, 2, 1);
    const bool is_less = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    return is_less;
  }
};

// By `<`, whatever it means for the two.
struct ByOrder : Comparison {
  bool operator()(std::int32_t a, std::int32_t b) const {
    guard->charge(lua, 1);
    lua_rawgeti(lua, kValues, a);
    lua_rawgeti(lua, kValues, b);
    const bool is_less = lua_compare(lua, -2, -1, LUA_OPLT) != 0;
    lua_pop(lua, 2);
    return is_less;
  }
};

// The same for elements of one plain type, read beforehand.
template <class Key>
struct ByKey : Comparison {
  const Key* keys;
  bool operator()(std::int32_t a, std::int32_t b) const {
    guard->charge(lua, 1);
    return keys[a - 1] < keys[b - 1];
  }
};

template <>
bool ByKey<std::string_view>::operator()(std::int32_t a, std::int32_t b) const {
  const std::string_view left = keys[a - 1];
  const std::string_view right = keys[b - 1];
  const std::size_t bytes = std::min(left.size(), right.size());
  guard->charge(lua, 1 + static_cast<std::int64_t>(bytes / 16));
  return left < right;
}

enum class Kind { kIntegers, kFloats, kTexts, kOther };

Kind kind_of(lua_State* lua, int index) {
  if (lua_type(lua, index) == LUA_TSTRING) return Kind::kTexts;
  if (lua_type(lua, index) != LUA_TNUMBER) return Kind::kOther;
  return lua_isinteger(lua, index) != 0 ? Kind::kIntegers : Kind::kFloats;
}

// Copies the elements to a new table on top; tells what they have in common.
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

void read(lua_State* lua, lua_Integer& key) { key = lua_tointeger(lua, -1); }
void read(lua_State* lua, lua_Number& key) { key = lua_tonumber(lua, -1); }
void read(lua_State* lua, std::string_view& key) {
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, -1, &length);
  key = {text, length};
}

// An array that Lua frees; stays on the stack.
template <class Element>
Element* push_array(lua_State* lua, std::int32_t count) {
  const std::size_t bytes = sizeof(Element) * static_cast<std::size_t>(count);
  return static_cast<Element*>(lua_newuserdatauv(lua, bytes, 0));
}

struct Sorting {
  lua_State* lua;
  std::int32_t* order;
  std::int32_t* spare;
  std::int32_t count;

  template <class Less>
  void by(Less less) const {
    merge_sort(order, spare, count, less);
  }
  [[nodiscard]] Comparison comparison() const { return {lua, &Guard::of(lua)}; }

  template <class Key>
  void by_key() const {
    Key* keys = push_array<Key>(lua, count);
    for (std::int32_t i = 0; i < count; ++i) {
      lua_rawgeti(lua, kValues, i + 1);
      read(lua, keys[i]);
      lua_pop(lua, 1);
    }
    by(ByKey<Key>{comparison(), keys});
  }

  void by_order(Kind kind) const {
    switch (kind) {
      case Kind::kIntegers: return by_key<lua_Integer>();
      case Kind::kFloats: return by_key<lua_Number>();
      case Kind::kTexts: return by_key<std::string_view>();
      case Kind::kOther: return by(ByOrder{comparison()});
    }
  }
};

void write_back(lua_State* lua, const std::int32_t* order, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i) {
    lua_rawgeti(lua, kValues, order[i]);
    lua_rawseti(lua, kTable, i + 1);
  }
  Guard::of(lua).charge(lua, count);
}

}  // namespace

int own_sort(lua_State* lua) {
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
  const Sorting sorting{lua, order, spare, count};
  if (lua_isnil(lua, kCompare)) {
    sorting.by_order(kind);
  } else {
    sorting.by(ByFunction{sorting.comparison()});
  }
  write_back(lua, order, count);
  return 0;
}

}  // namespace berth::bindings

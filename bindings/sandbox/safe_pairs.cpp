// pairs, in the same order in every process.
//
// Lua's order depends on a hash seed once a table has had a string key.  Here the order
// is: numbers, strings by byte, jobs by number (that is, by submit and id), false,
// true.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr std::int32_t kKeysPerCharge = 1024;

enum class Rank : std::uint8_t { kNumber, kText, kJob, kBoolean, kNone };

struct Key {
  Rank rank;
  long double number;  // of a number, a job or a boolean
  std::string_view text;
};
static_assert(std::numeric_limits<long double>::digits >= 64,
              "must hold integers and floats exactly");

bool key_less(const Key& a, const Key& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  return a.rank == Rank::kText ? a.text < b.text : a.number < b.number;
}

// The number of comparisons depends on the input order, so the whole sort is charged
// beforehand; here only the time limit is checked.
struct KeyLess {
  lua_State* lua;
  Guard* guard;
  const Key* keys;
  bool operator()(std::int32_t a, std::int32_t b) const {
    guard->charge(lua, 0);
    return key_less(keys[a - 1], keys[b - 1]);
  }
};

Rank rank_of(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TNUMBER: return Rank::kNumber;
    case LUA_TSTRING: return Rank::kText;
    case LUA_TLIGHTUSERDATA: return Rank::kJob;
    case LUA_TBOOLEAN: return Rank::kBoolean;
    default: return Rank::kNone;
  }
}

// Must not convert the key: that would confuse lua_next.
Key read_key(lua_State* lua, int index) {
  Key key{rank_of(lua, index), 0, {}};
  if (key.rank == Rank::kText) {
    std::size_t length = 0;
    const char* text = lua_tolstring(lua, index, &length);
    key.text = {text, length};
  } else if (key.rank == Rank::kJob) {
    key.number = reinterpret_cast<std::intptr_t>(lua_touserdata(lua, index));
  } else if (key.rank == Rank::kBoolean) {
    key.number = lua_toboolean(lua, index);
  } else if (lua_isinteger(lua, index) != 0) {
    key.number = lua_tointeger(lua, index);
  } else {
    key.number = lua_tonumber(lua, index);
  }
  return key;
}

struct Survey {
  std::int32_t count = 0;
  bool is_sequence = true;  // the keys are 1 .. count, in this order
  bool is_allowed = true;   // every key has a rank
};

// Visits all keys before deciding, so that the result does not depend on their order.
Survey survey(lua_State* lua) {
  Survey seen;
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    lua_pop(lua, 1);
    ++seen.count;
    seen.is_sequence = seen.is_sequence && lua_isinteger(lua, -1) != 0 &&
                       lua_tointeger(lua, -1) == seen.count;
    const bool is_allowed = seen.is_sequence || rank_of(lua, -1) != Rank::kNone;
    seen.is_allowed = seen.is_allowed && is_allowed;
    if (seen.count % kKeysPerCharge == 0) Guard::of(lua).charge(lua, kKeysPerCharge);
  }
  Guard::of(lua).charge(lua, seen.count % kKeysPerCharge);
  return seen;
}

// Upvalues: table, last index.  Called with the table and the key before.
int next_in_sequence(lua_State* lua) {
  const lua_Integer last = lua_tointeger(lua, lua_upvalueindex(2));
  lua_Integer index = std::max<lua_Integer>(0, lua_tointeger(lua, 2));
  while (index < last) {
    ++index;
    lua_pushinteger(lua, index);
    if (lua_rawgeti(lua, lua_upvalueindex(1), index) != LUA_TNIL) return 2;
    lua_pop(lua, 2);
    if (index % kKeysPerCharge == 0) Guard::of(lua).charge(lua, kKeysPerCharge);
  }
  lua_pushnil(lua);
  return 1;
}

// A walk over the keys present when it began.
struct Walk {
  std::int32_t count;
  std::int32_t at;
  std::int32_t* order() { return reinterpret_cast<std::int32_t*>(this + 1); }
};

// Upvalues: table, its keys, the walk over them.
int next_in_walk(lua_State* lua) {
  auto* walk = static_cast<Walk*>(lua_touserdata(lua, lua_upvalueindex(3)));
  while (walk->at < walk->count) {
    lua_rawgeti(lua, lua_upvalueindex(2), walk->order()[walk->at++]);
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) return 2;
    lua_pop(lua, 2);  // removed meanwhile
    if (walk->at % kKeysPerCharge == 0) Guard::of(lua).charge(lua, kKeysPerCharge);
  }
  lua_pushnil(lua);
  return 1;
}

void* push_block(lua_State* lua, std::size_t bytes) {
  return lua_newuserdatauv(lua, bytes, 0);
}

struct Copied {
  std::int32_t count = 0;
  std::size_t bytes = 0;  // of the texts among them
};

// Copies the keys of the table at 1 to the table at 2 and to `keys`.  Fewer than
// counted before, if a weak table has lost some since.
Copied copy_keys(lua_State* lua, Key* keys) {
  Copied copied;
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    lua_pop(lua, 1);
    keys[copied.count] = read_key(lua, -1);
    copied.bytes += keys[copied.count].text.size();
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, 2, ++copied.count);
  }
  return copied;
}

// Upper bound of sorting `count` keys: a unit per comparison and per 16 bytes compared.
std::int64_t sorting_units(std::size_t count, std::size_t bytes) {
  return static_cast<std::int64_t>((count + bytes / 16) *
                                   static_cast<std::size_t>(std::bit_width(count)));
}

// `most`: upper bound of the number of keys.
void push_sorted_walk(lua_State* lua, std::int32_t most) {
  const auto size = static_cast<std::size_t>(most);
  lua_createtable(lua, most, 0);
  auto* walk =
      static_cast<Walk*>(push_block(lua, sizeof(Walk) + size * sizeof(std::int32_t)));
  auto* keys = static_cast<Key*>(push_block(lua, size * sizeof(Key)));
  auto* spare =
      static_cast<std::int32_t*>(push_block(lua, size * sizeof(std::int32_t)));
  const auto [count, bytes] = copy_keys(lua, keys);
  Guard::of(lua).charge(lua, sorting_units(size, bytes));
  *walk = {count, 0};
  std::iota(walk->order(), walk->order() + count, 1);
  KeyLess less{lua, &Guard::of(lua), keys};
  merge_sort(walk->order(), spare, count, less);
  lua_pushvalue(lua, 1);
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, 3);
  lua_pushcclosure(lua, next_in_walk, 3);
}

}  // namespace

void refuse_view(lua_State* lua, int index) {
  if (lua_type(lua, index) == LUA_TUSERDATA) {
    (void)luaL_getmetafield(lua, index, "__name");
    luaL_error(lua, "a %s is not a table: walk it with `for i = 1, #it do`",
               lua_tostring(lua, -1));
  }
  if (luaL_getmetafield(lua, index, "__len") == LUA_TNIL) return;
  const bool is_of_engine = lua_iscfunction(lua, -1) != 0;
  lua_pop(lua, 1);
  if (is_of_engine) (void)luaL_len(lua, index);
}

// pairs(t): raw, without __pairs.
int safe_pairs(lua_State* lua) {
  refuse_view(lua, 1);
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  const Survey seen = survey(lua);
  if (!seen.is_allowed) {
    return luaL_error(lua, "keys must be numbers, strings, booleans or jobs");
  }
  if (seen.is_sequence) {
    lua_pushvalue(lua, 1);
    lua_pushinteger(lua, seen.count);
    lua_pushcclosure(lua, next_in_sequence, 2);
  } else {
    push_sorted_walk(lua, seen.count);
  }
  lua_pushvalue(lua, 1);
  lua_pushnil(lua);
  return 3;
}

}  // namespace berth::bindings

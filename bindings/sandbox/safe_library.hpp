#pragma once
// The functions a policy can call: restricted replacements for Lua's libraries.
//
// Each `open_` pushes a new table with one library.  All functions take bounded time
// between two charges, use raw access (no __len, __index, __newindex, __pairs), expose
// neither addresses nor hash order, and raise ordinary errors for wrong arguments.
// May raise; call while the state is built.

#include <algorithm>
#include <cstdint>
#include <lua.hpp>

namespace berth::bindings {

void open_base(lua_State* lua);    // the environment itself, with `_G`
void open_string(lua_State* lua);  // also sets the metatable of strings
void open_table(lua_State* lua);
void open_math(lua_State* lua);

// Around the stock functions, their only upvalue.
int safe_find(lua_State* lua);
int safe_match(lua_State* lua);
int safe_gmatch(lua_State* lua);
int safe_gsub(lua_State* lua);

int safe_pairs(lua_State* lua);

// Raises what `#` raises on a value of the engine, such as a view; does nothing for
// other values.  Raw access would find such a table empty or full of functions.
void refuse_view(lua_State* lua, int index);

// Call before and after a file is loaded: tables that received a metatable during the
// load see the events added to it later in the load.
void begin_metatables(lua_State* lua);
void settle_metatables(lua_State* lua);

// Stable merge sort of order[0 .. count) by `less(a, b)`, which is given two elements
// and may raise.  An inconsistent `less` yields some permutation.
// REQUIRES: `spare` has room for `count` elements.
// Cost: at most count * log2(count) calls; allocates nothing.
template <class Less>
void merge_sort(std::int32_t* order, std::int32_t* spare, std::int32_t count,
                Less& less) {
  if (count < 2) return;
  const std::int32_t half = count / 2;
  merge_sort(order, spare, half, less);
  merge_sort(order + half, spare, count - half, less);
  if (!less(order[half], order[half - 1])) return;  // in order already
  std::copy(order, order + half, spare);
  const std::int32_t* left = spare;
  const std::int32_t* const left_end = spare + half;
  const std::int32_t* right = order + half;
  const std::int32_t* const right_end = order + count;
  std::int32_t* out = order;
  while (left != left_end && right != right_end) {
    *out++ = less(*right, *left) ? *right++ : *left++;
  }
  std::copy(left, left_end, out);
}

}  // namespace berth::bindings

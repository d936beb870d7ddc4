#pragma once
// What the primitives of tools share: userdata that own memory outside Lua's heap, work
// outside Lua, and their arguments.
//
// A box is pushed empty and filled afterwards, so that the garbage collector owns what
// is in it from the first moment; work that allocates runs between two calls of Lua.

#include <cmath>
#include <lua.hpp>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "bindings/families.hpp"
#include "bindings/sandbox/sandbox.hpp"
#include "bindings/tools/column.hpp"
#include "bindings/tools/column_math.hpp"

namespace berth::bindings {

// The memory of a userdata.  `held` bytes are counted by the guard until it is freed.
template <class T>
struct Box {
  T value{};
  std::size_t held = 0;

  // Its address stands for the type.
  static inline char type;
  static int collect(lua_State* lua) {
    auto& box = *static_cast<Box*>(lua_touserdata(lua, 1));
    Guard::of(lua).release(std::exchange(box.held, 0));
    box.~Box();
    return 0;
  }
};

// The box at a stack index; null: the value is none of this type.
template <class T>
[[nodiscard]] Box<T>* box_at(lua_State* lua, int at) {
  if (lua_type(lua, at) != LUA_TUSERDATA || lua_getmetatable(lua, at) == 0) {
    return nullptr;
  }
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &Box<T>::type);
  const bool is_it = lua_rawequal(lua, -1, -2) != 0;
  lua_pop(lua, 2);
  return is_it ? static_cast<Box<T>*>(lua_touserdata(lua, at)) : nullptr;
}
// The same for a value whose type is known: it is not looked at.
template <class T>
[[nodiscard]] Box<T>& the_box(lua_State* lua, int at) {
  return *static_cast<Box<T>*>(lua_touserdata(lua, at));
}

// Pushes an empty box with room for so many values of Lua.
template <class T>
Box<T>& push_box(lua_State* lua, int values = 0) {
  auto* box = new (lua_newuserdatauv(lua, sizeof(Box<T>), values)) Box<T>();
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &Box<T>::type);
  lua_setmetatable(lua, -2);
  return *box;
}

struct BoxType {
  void* key;              // Box<T>::type
  lua_CFunction collect;  // null: nothing is to be freed
  const char* name;       // in messages
};
// Makes the metatable of boxes: locked, refusing assignment, with the methods of the
// family (null: it has none) unless __index is among the events.  These have as
// upvalues the table of the methods and the name.
void make_type(lua_State* lua, const BoxType& type, std::span<const luaL_Reg> events,
               const Family* family);
template <class T>
void make_type(lua_State* lua, std::span<const luaL_Reg> events, const Family* family,
               const char* name) {
  make_type(lua, {&Box<T>::type, Box<T>::collect, name}, events, family);
}

// The event __index of types that have methods alone.
int method_index(lua_State* lua);

// Counts memory that the box has come to own; the garbage that it makes room for is
// collected.  Raises at the limit.
void hold_in_box(lua_State* lua, std::size_t& held, std::size_t bytes);

// Runs work(budget), which calls no Lua that may raise; `bytes` are counted meanwhile,
// for what it makes and needs.  Raises, once it is left, what it threw, and limits.
template <class Work>
void work_outside(lua_State* lua, std::size_t bytes, const Work& work) {
  auto& guard = Guard::of(lua);
  const auto limit = guard.hold_now(bytes, 0);
  bool failed = false;
  if (limit == Trip::kNone) {
    try {
      work(guard.budget());
    } catch (...) {
      guard.keep(std::current_exception());
      failed = true;
    }
  }
  guard.release(bytes);
  if (limit != Trip::kNone) guard.trip(lua, limit);
  if (failed) guard.raise(lua);
}

// Pushes a column, made by work(budget); false: it answered null, which is pushed as a
// box without a column, to be raised about.
template <class Work>
bool push_new_column(lua_State* lua, std::size_t bytes, const Work& work) {
  auto& box = push_box<ColumnPtr>(lua);
  work_outside(lua, bytes, [&](Budget& budget) { box.value = work(budget); });
  if (box.value == nullptr) return false;
  hold_in_box(lua, box.held, box.value->bytes());
  return true;
}

// Memory of Lua's heap, for values that calls of Lua give one by one.
template <class T>
[[nodiscard]] T* push_buffer(lua_State* lua, std::size_t count) {
  return static_cast<T*>(lua_newuserdatauv(lua, count * sizeof(T), 0));
}

// Arguments; each raises naming the primitive, the argument and the value.
[[nodiscard]] const Column& read_column(lua_State* lua, int at);
// The same, a mask.
[[nodiscard]] const Column& read_mask(lua_State* lua, int at);
// A column of so many rows, or a value.
[[nodiscard]] Operand read_operand(lua_State* lua, int at, std::size_t rows);
// A number of 0 to 1.
[[nodiscard]] double read_share(lua_State* lua, int at);
void require_rows(lua_State* lua, std::size_t ours, std::size_t theirs);

void push_value(lua_State* lua, const Column& column, std::size_t row);
void push_number_or_nil(lua_State* lua, std::optional<double> number);
// Numbers from a list, in which false is none, or the column itself: pushes a column,
// of numbers if it was a list.
const Column& push_values(lua_State* lua, int at);

// Raises "a frame of jobs has no 'wiat', did you mean 'wait'?"; `known(names)` adds the
// names that there are.
using KnownNames = std::vector<std::string_view>;
template <class Known>
[[noreturn]] void no_such_name(lua_State* lua, std::string_view owner, int key,
                               const Known& known);
// Raises the text that is in the sandbox's scratch.
[[noreturn]] void raise_scratch_text(lua_State* lua);
void write_no_such_name(lua_State* lua, std::string_view owner, std::string_view name,
                        const KnownNames& known);

// The text of "tools/lib/list.lua" of the program; nullopt: there is no such tool.
[[nodiscard]] std::optional<std::string_view> tool_text(std::string_view name);
// Pushes the function of a tool that runs beside a loaded script: no message names its
// lines as those of the script.  REQUIRES: there is one.
void push_tool(lua_State* lua, const char* name);
// Lent to tools: nearest(word, words) answers the nearest of them, or nil.
int nearest_word(lua_State* lua);

template <class Known>
void no_such_name(lua_State* lua, std::string_view owner, int key, const Known& known) {
  std::size_t length = 0;
  const bool is_text = lua_type(lua, key) == LUA_TSTRING;
  const char* text = is_text ? lua_tolstring(lua, key, &length) : nullptr;
  if (!is_text) {
    const char* type = luaL_typename(lua, key);
    luaL_error(lua, "%s has no [%s]", owner.data(), type);
  }
  work_outside(lua, 0, [&](Budget&) {
    KnownNames names;
    known(names);
    write_no_such_name(lua, owner, {text, length}, names);
  });
  raise_scratch_text(lua);
}

// Primitives and events of each type, for install_frames().
void install_columns(lua_State* lua);
void install_groups(lua_State* lua);
void install_steps(lua_State* lua);
void install_stats(lua_State* lua, std::uint64_t seed);
// Pushes the groups of the frame at 1 by so many columns, which are on top; pops them.
constexpr int kMostKeys = 4;
void push_groups(lua_State* lua, int keys);

// A function of Lua of a frame and the text of a condition: answers the mask of the
// rows for which it holds, row by row; raises what is wrong with it.
int condition_answers(lua_State* lua);
// The message on top, without the place in the condition.
[[nodiscard]] std::string_view condition_error(lua_State* lua);

[[nodiscard]] const Family& column_family();
[[nodiscard]] const Family& frame_family();
[[nodiscard]] const Family& group_family();
[[nodiscard]] const Family& steps_family();
[[nodiscard]] const Family& stats_family();

}  // namespace berth::bindings

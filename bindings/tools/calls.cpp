#include "bindings/tools/calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "bindings/arguments.hpp"
#include "bindings/tools.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

// Upvalue 2: the name of the type.
int refuse_assignment(lua_State* lua) {
  const char* name = lua_tostring(lua, lua_upvalueindex(2));
  if (lua_type(lua, 2) == LUA_TNUMBER) {
    return luaL_error(lua, "a %s is read-only: [%s] cannot be set", name,
                      luaL_tolstring(lua, 2, nullptr));
  }
  if (lua_type(lua, 2) != LUA_TSTRING) {
    return luaL_error(lua, "a %s is read-only", name);
  }
  const char* shown = push_short(lua, read_text(lua, 2));
  return luaL_error(lua, "a %s is read-only: '%s' cannot be set", name, shown);
}

// The number of a list's value; NaN for false.
double read_listed(lua_State* lua, int list, lua_Integer i) {
  const int type = lua_rawgeti(lua, list, i);
  const bool is_none = type == LUA_TBOOLEAN && lua_toboolean(lua, -1) == 0;
  const auto number = is_none ? std::optional(std::nan("")) : exact_number(lua, -1);
  if (!number) {
    luaL_error(lua, "values[%I]: a number expected, or false for none, got %s",
               static_cast<LUAI_UACINT>(i), push_inexact(lua, -1));
  }
  lua_pop(lua, 1);
  return *number;
}

}  // namespace

int method_index(lua_State* lua) {
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  const auto* family =
      static_cast<const Family*>(lua_touserdata(lua, lua_upvalueindex(3)));
  const char* name = lua_tostring(lua, lua_upvalueindex(2));
  const char* owner = lua_pushfstring(lua, "a %s", name);
  no_such_name(lua, owner, 2, [&](KnownNames& names) {
    for (const auto& each : family->primitives) names.push_back(each.name);
  });
}

void make_type(lua_State* lua, const BoxType& type, std::span<const luaL_Reg> events,
               const Family* family) {
  lua_newtable(lua);
  const int metatable = lua_gettop(lua);
  lua_newtable(lua);
  if (family != nullptr) {
    for (const auto& primitive : family->primitives) {
      push_string(lua, primitive.name);
      lua_pushcfunction(lua, primitive.call);
      lua_rawset(lua, -3);
    }
  }
  const auto add = [&](const char* event, lua_CFunction function) {
    lua_pushvalue(lua, metatable + 1);
    lua_pushstring(lua, type.name);
    lua_pushlightuserdata(lua, const_cast<Family*>(family));
    lua_pushcclosure(lua, function, 3);
    lua_setfield(lua, metatable, event);
  };
  if (family != nullptr) add("__index", method_index);
  for (const auto& event : events) add(event.name, event.func);
  add("__newindex", refuse_assignment);
  if (type.collect != nullptr) add("__gc", type.collect);
  lua_pushstring(lua, type.name);
  lua_setfield(lua, metatable, "__name");
  lua_pushliteral(lua, "locked");
  lua_setfield(lua, metatable, "__metatable");
  lua_pop(lua, 1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, type.key);
}

// Lua does not see this memory, so it is told of it: else garbage would stay until the
// limit is reached.
void hold_in_box(lua_State* lua, std::size_t& held, std::size_t bytes) {
  constexpr std::size_t kMostKib = std::size_t{1} << 20U;
  const auto kib = std::min(bytes / 1024, kMostKib);
  if (kib > 0) lua_gc(lua, LUA_GCSTEP, static_cast<int>(kib));
  auto& guard = Guard::of(lua);
  held += bytes;
  const auto limit = guard.hold_now(bytes, 0);
  if (limit != Trip::kNone) guard.trip(lua, limit);
}

const Column& read_column(lua_State* lua, int at) {
  const auto* box = box_at<ColumnPtr>(lua, at);
  if (box == nullptr || box->value == nullptr) expected(lua, at, "a column");
  return *box->value;
}

const Column& read_mask(lua_State* lua, int at) {
  const auto& column = read_column(lua, at);
  if (column.kind() != Values::kMask) {
    expected(lua, at, "a mask, such as column:gt(0),");
  }
  return column;
}

Operand read_operand(lua_State* lua, int at, std::size_t rows) {
  switch (lua_type(lua, at)) {
    case LUA_TNUMBER:
      if (lua_isinteger(lua, at) != 0) return lua_tointeger(lua, at);
      return lua_tonumber(lua, at);
    case LUA_TSTRING: return read_text(lua, at);
    case LUA_TBOOLEAN: return std::int64_t{lua_toboolean(lua, at)};
    default: break;
  }
  const auto* box = box_at<ColumnPtr>(lua, at);
  if (box == nullptr) expected(lua, at, "a value or a column");
  require_rows(lua, rows, box->value->rows());
  return box->value.get();
}

double read_share(lua_State* lua, int at) {
  const double share = read_exact(lua, at, "a number from 0 to 1");
  if (share < 0 || share > 1) {
    bad_argument(lua, at,
                 lua_pushfstring(lua, "%f is not a number from 0 to 1", share));
  }
  return share;
}

void require_rows(lua_State* lua, std::size_t ours, std::size_t theirs) {
  if (ours == theirs) return;
  luaL_error(lua, "columns of %I and %I rows", static_cast<LUAI_UACINT>(ours),
             static_cast<LUAI_UACINT>(theirs));
}

void push_value(lua_State* lua, const Column& column, std::size_t row) {
  if (!column.is_there(row)) return lua_pushnil(lua);
  switch (column.kind()) {
    case Values::kWhole: return lua_pushinteger(lua, column.whole()[row]);
    case Values::kText:
      return push_string(lua, (*column.dictionary())[column.codes()[row]]);
    case Values::kMask: return lua_pushboolean(lua, column.mask()[row]);
    default: return lua_pushnumber(lua, column.number(row));
  }
}

void push_number_or_nil(lua_State* lua, std::optional<double> number) {
  if (!number) return lua_pushnil(lua);
  lua_pushnumber(lua, *number);
}

const Column& push_values(lua_State* lua, int at) {
  if (const auto* box = box_at<ColumnPtr>(lua, at)) {
    if (box->value->kind() == Values::kText) expected(lua, at, "numbers");
    lua_pushvalue(lua, at);
    return *box->value;
  }
  if (!lua_istable(lua, at)) expected(lua, at, "a column or a list of numbers");
  const auto count = lua_rawlen(lua, at);
  auto* numbers = push_buffer<double>(lua, count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = read_listed(lua, at, static_cast<lua_Integer>(i) + 1);
    Guard::of(lua).charge(lua, 1);
  }
  push_new_column(lua, count * sizeof(double), [&](Budget&) {
    return Column::of_numbers({numbers, numbers + count});
  });
  lua_remove(lua, -2);
  return *the_box<ColumnPtr>(lua, -1).value;
}

void raise_scratch_text(lua_State* lua) {
  luaL_where(lua, 1);
  push_string(lua, Sandbox::of(lua).scratch());
  lua_concat(lua, 2);
  lua_error(lua);
  std::abort();  // lua_error does not return
}

void write_no_such_name(lua_State* lua, std::string_view owner, std::string_view name,
                        const KnownNames& known) {
  const auto near = nearest(name, known);
  auto& text = Sandbox::of(lua).scratch();
  text = fmt::format("{} has no '{}'", owner, shortened(std::string(name), 60));
  if (!near.empty()) text += fmt::format(", did you mean '{}'?", near);
}

std::optional<std::string_view> tool_text(std::string_view name) {
  const auto* const at =
      std::find_if(kTools.begin(), kTools.end(),
                   [&](const Tool& tool) { return tool.name == name; });
  if (at == kTools.end()) return std::nullopt;
  return at->text;
}

void push_tool(lua_State* lua, const char* name) {
  const auto text = tool_text(name).value();
  const char* chunk = lua_pushfstring(lua, "=%s", name);
  const int status = luaL_loadbufferx(lua, text.data(), text.size(), chunk, "t");
  if (status != LUA_OK) lua_error(lua);
  lua_remove(lua, -2);
}

int nearest_word(lua_State* lua) {
  std::size_t length = 0;
  const char* word = luaL_checklstring(lua, 1, &length);
  luaL_checktype(lua, 2, LUA_TTABLE);
  const auto count = static_cast<std::size_t>(lua_rawlen(lua, 2));
  auto* words = static_cast<std::string_view*>(
      lua_newuserdatauv(lua, count * sizeof(std::string_view), 0));
  for (std::size_t i = 0; i < count; ++i) {
    Guard::of(lua).charge(lua, 1);
    lua_rawgeti(lua, 2, static_cast<lua_Integer>(i) + 1);
    std::size_t bytes = 0;
    const char* text = luaL_checklstring(lua, -1, &bytes);
    words[i] = {text, bytes};
    lua_pop(lua, 1);  // the list holds it
  }
  std::string_view near;
  Guard::host_work(lua, [&] { near = nearest({word, length}, {words, count}); });
  if (near.empty()) return 0;
  lua_pushlstring(lua, near.data(), near.size());
  return 1;
}

}  // namespace berth::bindings

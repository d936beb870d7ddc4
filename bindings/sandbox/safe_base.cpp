// The environment and the base library.
//
// setmetatable refuses finalizers and weak tables: both would show when memory is
// collected, which differs between processes, and chains of weak tables make a single
// collection take minutes.  Lua looks up `__mode` at each collection, so refusing it in
// setmetatable is not enough: a script could add it later.  Lua therefore gets a copy
// of the metatable that no script can reach.  Events added to the original count from
// the next setmetatable on, and once more at the end of the load.

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/sandbox/safe_library.hpp"
#include "bindings/sandbox/safe_text.hpp"
#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr std::size_t kPrintBytes = std::size_t{1} << 20U;
// Overhead of a line: newline and, on a terminal, the policy's label.
constexpr std::size_t kLineBytes = 17;

// Raising an error takes as long as about a hundred instructions.
constexpr std::int64_t kErrorUnits = 100;

// A limit cannot be caught: the protected call raises it again.
void check_limits(lua_State* lua, int status) {
  Guard& guard = Guard::of(lua);
  if (status == LUA_ERRMEM) guard.note_memory_error();
  if (guard.tripped() != Trip::kNone) guard.raise(lua);
  if (status != LUA_OK) guard.charge(lua, kErrorUnits);
}

int safe_pcall(lua_State* lua) {
  luaL_checkany(lua, 1);
  const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
  check_limits(lua, status);
  lua_pushboolean(lua, status == LUA_OK ? 1 : 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

// Calls the script's handler, except for the error of a limit: Lua runs handlers
// without hooks.
int call_handler(lua_State* lua) {
  if (Guard::of(lua).tripped() != Trip::kNone) return 1;
  lua_settop(lua, 1);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, 1, 1);
  return 1;
}

// xpcall(f, handler, ...)
int safe_xpcall(lua_State* lua) {
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_pushvalue(lua, 2);
  lua_pushcclosure(lua, call_handler, 1);
  lua_replace(lua, 2);
  lua_pushvalue(lua, 1);
  lua_pushvalue(lua, 2);
  lua_replace(lua, 1);
  lua_replace(lua, 2);
  const int status = lua_pcall(lua, lua_gettop(lua) - 2, LUA_MULTRET, 1);
  check_limits(lua, status);
  lua_pushboolean(lua, status == LUA_OK ? 1 : 0);
  lua_replace(lua, 1);
  return lua_gettop(lua);
}

int safe_tostring(lua_State* lua) {
  luaL_checkany(lua, 1);
  push_text(lua, 1, nullptr);
  return 1;
}

// Charges the length of the text, then calls the stock function.
int safe_tonumber(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TSTRING) {
    Guard::charge_bytes(lua, lua_rawlen(lua, 1));
  }
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

// next(t): nil if the table is empty, else true.  The first key would differ between
// processes.
int safe_next(lua_State* lua) {
  refuse_view(lua, 1);
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (!lua_isnoneornil(lua, 2)) {
    return luaL_error(lua,
                      "'next' tells policies only whether a table is empty; "
                      "walk it with 'pairs'");
  }
  lua_settop(lua, 1);
  lua_pushnil(lua);
  if (lua_next(lua, 1) == 0) {
    lua_pushnil(lua);
  } else {
    lua_pushboolean(lua, 1);
  }
  return 1;
}

// Prints one line; false: the limit is reached.
bool hand_over(Sandbox& sandbox, std::string_view line) {
  const std::string shown =
      shortened(plain_text(line, Newlines::kEscape), kMessageBytes);
  std::size_t& printed = sandbox.guard().usage().printed_bytes;
  printed += shown.size() + kLineBytes;
  const bool fits = printed <= kPrintBytes;
  sandbox.host().print(fits ? shown : "print output limit reached");
  return fits;
}

void print_lines(Sandbox& sandbox, std::string_view text) {
  const bool is_heard = sandbox.host().print != nullptr &&
                        sandbox.guard().usage().printed_bytes <= kPrintBytes;
  while (is_heard) {
    const auto end = text.find('\n');
    if (!hand_over(sandbox, text.substr(0, end)) || end == std::string_view::npos) {
      return;
    }
    text.remove_prefix(end + 1);
  }
}

// First converts all arguments, which may run script code that prints; then builds the
// message as far as it will be shown.
int safe_print(lua_State* lua) {
  Sandbox& sandbox = Sandbox::of(lua);
  const int count = lua_gettop(lua);
  for (int i = 1; i <= count; ++i) {
    push_text(lua, i, nullptr);
    lua_replace(lua, i);
  }
  sandbox.scratch().clear();
  for (int i = 1; i <= count; ++i) {
    std::size_t length = 0;
    const char* text = lua_tolstring(lua, i, &length);
    sandbox.guard().charge(lua, 1 + static_cast<std::int64_t>(length / 16));
    if (sandbox.scratch().size() > kMessageBytes) continue;
    Guard::host_work(lua, [&] {
      if (i > 1) sandbox.scratch() += '\t';
      sandbox.scratch().append(text, std::min(length, kMessageBytes));
    });
  }
  Guard::host_work(
      lua, [&] { print_lines(sandbox, shortened(sandbox.scratch(), kMessageBytes)); });
  return 0;
}

// --- setmetatable, getmetatable ---

constexpr const char* kMadeAtLoad =
    "berth.metatables";       // the copies made during the load
constexpr int kOriginal = 1;  // index in a copy: the original

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

// Upvalue: the script's __close.  Not called after a limit: a hundred thousand
// handlers, each stopped at its first instruction, would take a second.
int close_variable(lua_State* lua) {
  if (Guard::of(lua).tripped() != Trip::kNone) return 0;
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, 0);
  return 0;
}

// Updates the copy at stack index `copy` from its original.
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

int safe_setmetatable(lua_State* lua) {
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

// The argument of setmetatable; `__metatable` if set; else nil.
int safe_getmetatable(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL) return 1;
  if (lua_getmetatable(lua, 1) == 0) return lua_pushnil(lua), 1;
  lua_rawgeti(lua, -1, kOriginal);
  return 1;
}

// --- require ---

constexpr const char* kRequired =
    "berth.required";  // name -> value, or false while it is loading

bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void check_name(lua_State* lua, const char* name, std::size_t length) {
  if (!Sandbox::of(lua).is_loading()) {
    luaL_error(lua, "'require' is not available to policies once they are loaded");
  }
  if (!is_plain({name, length})) {
    luaL_error(lua, "bad argument #1 to 'require': a name has only a-z, 0-9 and _");
  }
}

int safe_require(lua_State* lua) {
  std::size_t length = 0;
  const char* name = luaL_checklstring(lua, 1, &length);
  check_name(lua, name, length);
  lua_settop(lua, 1);
  luaL_getsubtable(lua, LUA_REGISTRYINDEX, kRequired);
  const int type = lua_getfield(lua, 2, name);
  if (type == LUA_TBOOLEAN && lua_toboolean(lua, -1) == 0) {
    return luaL_error(lua, "'require' of '%s' while it is being loaded", name);
  }
  if (type != LUA_TNIL) return 1;
  Sandbox& sandbox = Sandbox::of(lua);
  bool is_found = false;
  Guard::host_work(lua, [&] {
    const auto& library = sandbox.host().library;
    auto source = library ? library({name, length}) : std::nullopt;
    is_found = source.has_value();
    if (is_found) sandbox.offer(*std::move(source));
  });
  if (!is_found) return luaL_error(lua, "'require' finds no file '%s.lua'", name);
  lua_pushboolean(lua, 0);
  lua_setfield(lua, 2, name);
  sandbox.compile_offered(lua);
  lua_call(lua, 0, 1);
  // A file that returns nothing or false also counts as loaded.
  if (lua_toboolean(lua, -1) == 0) {
    lua_pop(lua, 1);
    lua_pushboolean(lua, 1);
  }
  lua_pushvalue(lua, -1);
  lua_setfield(lua, 2, name);
  return 1;
}

// --- the environment ---

int refuse(lua_State* lua) {
  return luaL_error(lua, "'%s' is not available to policies",
                    lua_tostring(lua, lua_upvalueindex(1)));
}

// Moves the function `name` of the stock library at `stock` to the table on top.
void take(lua_State* lua, int stock, const char* name) {
  lua_getfield(lua, stock, name);
  lua_setfield(lua, -2, name);
}

void add_refused(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  lua_pushcclosure(lua, refuse, 1);
  lua_setfield(lua, -2, name);
}

constexpr std::array kOffered{"assert", "error",  "ipairs", "rawequal", "rawget",
                              "rawlen", "rawset", "select", "type"};
constexpr std::array kRefused{"load", "loadstring", "loadfile", "dofile",
                              "collectgarbage"};
constexpr std::array kBase{luaL_Reg{"pcall", safe_pcall},
                           luaL_Reg{"xpcall", safe_xpcall},
                           luaL_Reg{"tostring", safe_tostring},
                           luaL_Reg{"setmetatable", safe_setmetatable},
                           luaL_Reg{"getmetatable", safe_getmetatable},
                           luaL_Reg{"next", safe_next},
                           luaL_Reg{"print", safe_print},
                           luaL_Reg{"pairs", safe_pairs},
                           luaL_Reg{"require", safe_require},
                           luaL_Reg{nullptr, nullptr}};
}  // namespace

void open_base(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_base);
  lua_call(lua, 0, 1);
  const int stock = lua_gettop(lua);
  constexpr int kLibraries = 3;
  lua_createtable(lua, 0,
                  int{kOffered.size() + kRefused.size() + kBase.size()} + kLibraries);
  for (const char* name : kOffered) take(lua, stock, name);
  for (const char* name : kRefused) add_refused(lua, name);
  luaL_setfuncs(lua, kBase.data(), 0);
  lua_getfield(lua, stock, "tonumber");
  lua_pushcclosure(lua, safe_tonumber, 1);
  lua_setfield(lua, -2, "tonumber");
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -2, "_G");
  lua_remove(lua, stock);
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

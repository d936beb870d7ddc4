// The environment and its plain functions: what replaces the base library.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "bindings/own_library.hpp"
#include "bindings/own_text.hpp"
#include "bindings/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr std::size_t kPrintBytes = std::size_t{1} << 20U;
// A line costs more than its text: a newline and, on a screen, the policy's label.
constexpr std::size_t kLineBytes = 17;

// Raising an error takes as long as some hundred instructions.
constexpr std::int64_t kErrorUnits = 100;

// A limit cannot be caught: the protected call that met it raises again.
void check_limits(lua_State* lua, int status) {
  Guard& guard = Guard::of(lua);
  if (status == LUA_ERRMEM) guard.note_memory_error();
  if (guard.tripped() != Trip::kNone) guard.raise(lua);
  if (status != LUA_OK) guard.charge(lua, kErrorUnits);
}

// pcall(f, ...): true and what f returns, or false and the error.
int own_pcall(lua_State* lua) {
  luaL_checkany(lua, 1);
  const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
  check_limits(lua, status);
  lua_pushboolean(lua, status == LUA_OK ? 1 : 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

// The handler of a script, which must not see the error of a limit: Lua would run it
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
int own_xpcall(lua_State* lua) {
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

int own_tostring(lua_State* lua) {
  luaL_checkany(lua, 1);
  push_text(lua, 1, nullptr);
  return 1;
}

// Charges the length of the text, then leaves it to the stock function.
int own_tonumber(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TSTRING) {
    Guard::of(lua).charge(lua, static_cast<std::int64_t>(lua_rawlen(lua, 1) / 16));
  }
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

// next(t): nil if the table is empty, else true.  Which key comes first is no answer
// that is the same in every process.
int own_next(lua_State* lua) {
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

// One line, without its newline.  False: the limit has been reached.
bool hand_over(Sandbox& sandbox, std::string_view line) {
  const std::string shown = shortened(escaped(line, Newlines::kEscape), kMessageBytes);
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

bool print_scratch(Sandbox& sandbox) noexcept {
  try {
    print_lines(sandbox, shortened(sandbox.scratch(), kMessageBytes));
    return true;
  } catch (...) {
    sandbox.guard().keep(std::current_exception());
    return false;
  }
}

bool append_scratch(Sandbox& sandbox, std::string_view text) noexcept {
  try {
    sandbox.scratch() += text;
    return true;
  } catch (...) {
    sandbox.guard().keep(std::current_exception());
    return false;
  }
}

// First every argument becomes text, which may run script code and print meanwhile;
// then the message is put together, as far as it will be shown.
int own_print(lua_State* lua) {
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
    const bool is_kept =
        append_scratch(sandbox, i > 1 ? "\t" : "") &&
        append_scratch(sandbox, {text, std::min(length, kMessageBytes)});
    if (!is_kept) sandbox.guard().raise(lua);
  }
  if (!print_scratch(sandbox)) sandbox.guard().raise(lua);
  return 0;
}

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
constexpr std::array kOwn{luaL_Reg{"pcall", own_pcall},
                          luaL_Reg{"xpcall", own_xpcall},
                          luaL_Reg{"tostring", own_tostring},
                          luaL_Reg{"setmetatable", own_setmetatable},
                          luaL_Reg{"getmetatable", own_getmetatable},
                          luaL_Reg{"next", own_next},
                          luaL_Reg{"print", own_print},
                          luaL_Reg{"pairs", own_pairs},
                          luaL_Reg{"require", own_require},
                          luaL_Reg{nullptr, nullptr}};

}  // namespace

void open_base(lua_State* lua) {
  lua_pushcfunction(lua, luaopen_base);
  lua_call(lua, 0, 1);
  const int stock = lua_gettop(lua);
  lua_newtable(lua);
  for (const char* name : kOffered) take(lua, stock, name);
  for (const char* name : kRefused) add_refused(lua, name);
  luaL_setfuncs(lua, kOwn.data(), 0);
  lua_getfield(lua, stock, "tonumber");
  lua_pushcclosure(lua, own_tonumber, 1);
  lua_setfield(lua, -2, "tonumber");
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -2, "_G");
  lua_remove(lua, stock);
}

}  // namespace berth::bindings

// require "name": another file of the policy, once, while it is loaded.

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "bindings/own_library.hpp"
#include "bindings/sandbox.hpp"

namespace berth::bindings {

namespace {

constexpr const char* kRequired = "berth.required";  // name -> value, or false: at it

enum class Found { kYes, kNo, kFailed };

bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Asks the host, with no Lua in sight.
Found offer_library(Sandbox& sandbox, std::string_view name) noexcept {
  try {
    const auto& library = sandbox.host().library;
    auto source = library ? library(name) : std::nullopt;
    if (!source) return Found::kNo;
    sandbox.offer(*std::move(source));
    return Found::kYes;
  } catch (...) {
    sandbox.guard().keep(std::current_exception());
    return Found::kFailed;
  }
}

void check_name(lua_State* lua, const char* name, std::size_t length) {
  if (!Sandbox::of(lua).is_loading()) {
    luaL_error(lua, "'require' is not available to policies once they are loaded");
  }
  if (!is_plain({name, length})) {
    luaL_error(lua, "bad argument #1 to 'require': a name has only a-z, 0-9 and _");
  }
}

}  // namespace

int own_require(lua_State* lua) {
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
  const Found found = offer_library(sandbox, {name, length});
  if (found == Found::kFailed) sandbox.guard().raise(lua);
  if (found == Found::kNo) {
    return luaL_error(lua, "'require' finds no file '%s.lua'", name);
  }
  lua_pushboolean(lua, 0);
  lua_setfield(lua, 2, name);
  sandbox.compile_offered(lua);
  lua_call(lua, 0, 1);
  // A file that returns nothing, or false, counts as loaded all the same.
  if (lua_toboolean(lua, -1) == 0) {
    lua_pop(lua, 1);
    lua_pushboolean(lua, 1);
  }
  lua_pushvalue(lua, -1);
  lua_setfield(lua, 2, name);
  return 1;
}

}  // namespace berth::bindings

#include "bindings/tools/tool_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bindings/tools.hpp"
#include "bindings/tools/frame.hpp"
#include "engine/base/spelling.hpp"

namespace berth::bindings {

namespace {

// The file "tools/lib/list.lua" of the program.
std::optional<LoadedSource> tool_file(const std::string& name) {
  const auto at = std::find_if(kTools.begin(), kTools.end(),
                               [&](const Tool& tool) { return tool.name == name; });
  if (at == kTools.end()) return std::nullopt;
  return LoadedSource{name, std::string(at->text)};
}

// nearest(word, words): the nearest of them, or nil.
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

int lend_tools(lua_State* lua) {
  install_frames(lua, 0);
  lua_pushglobaltable(lua);
  lua_newtable(lua);
  lua_pushcfunction(lua, nearest_word);
  lua_setfield(lua, -2, "nearest");
  lua_setfield(lua, -2, "tool");
  return 0;
}

}  // namespace

std::unique_ptr<Sandbox> load_tool(std::string_view name, const Limits& limits,
                                   ToolLibrary more) {
  Host host;
  if (limits.time_seconds == 0) host.watchdog = nullptr;
  host.library = [others = std::move(more)](
                     std::string_view wanted) -> std::optional<LoadedSource> {
    auto tool = tool_file(fmt::format("tools/lib/{}.lua", wanted));
    if (tool || !others) return tool;
    return others(wanted);
  };
  auto sandbox = std::make_unique<Sandbox>(limits, 0, std::move(host));
  sandbox->enter(lend_tools, nullptr, {"load", 0});
  const auto tool = *tool_file(fmt::format("tools/{}.lua", name));
  sandbox->load(tool.name, tool.text);
  return sandbox;
}

}  // namespace berth::bindings

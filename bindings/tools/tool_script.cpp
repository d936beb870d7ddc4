#include "bindings/tools/tool_script.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "bindings/tools/calls.hpp"
#include "bindings/tools/frame.hpp"

namespace berth::bindings {

namespace {

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
    const auto path = fmt::format("tools/lib/{}.lua", wanted);
    if (const auto text = tool_text(path)) return {{path, std::string(*text)}};
    return others ? others(wanted) : std::nullopt;
  };
  auto sandbox = std::make_unique<Sandbox>(limits, 0, std::move(host));
  sandbox->enter(lend_tools, nullptr, {"load", 0});
  const auto path = fmt::format("tools/{}.lua", name);
  sandbox->load(path, tool_text(path).value());
  return sandbox;
}

}  // namespace berth::bindings

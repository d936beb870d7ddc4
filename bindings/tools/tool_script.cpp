#include "bindings/tools/tool_script.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "bindings/tools/calls.hpp"
#include "bindings/tools/frame.hpp"

namespace berth::bindings {

namespace {

// The file tools/NAME.lua, unless `own` has it.
std::optional<LoadedSource> chosen_file(const ToolLibrary& own,
                                        const std::string& name) {
  if (auto file = own ? own(name) : std::nullopt) return file;
  const auto path = fmt::format("tools/{}.lua", name);
  const auto text = tool_text(path);
  if (!text) return std::nullopt;
  return LoadedSource{path, std::string(*text)};
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
                                   ToolLibrary more, const ToolLibrary& own) {
  Host host;
  host.library = [others = std::move(more),
                  own](std::string_view wanted) -> std::optional<LoadedSource> {
    auto tool = chosen_file(own, fmt::format("lib/{}", wanted));
    if (tool || !others) return tool;
    return others(wanted);
  };
  auto sandbox = std::make_unique<Sandbox>(limits, 0, std::move(host));
  sandbox->enter(lend_tools, nullptr, {"load", 0});
  const auto tool = chosen_file(own, std::string(name)).value();
  sandbox->load(tool.name, tool.text);
  return sandbox;
}

}  // namespace berth::bindings

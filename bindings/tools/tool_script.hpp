#pragma once
// The program's own scripts, the files of tools/, in a sandbox.

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "bindings/sandbox/sandbox.hpp"

namespace berth::bindings {

// The file for `require "name"`; nullopt: none.
using ToolLibrary = std::function<std::optional<LoadedSource>(std::string_view name)>;

// Loads tools/NAME.lua.  It is given frames, `stats` and `tool.nearest`; `require`
// finds tools/lib/, then what `more` has (null: nothing).  A file of `own`, such as
// "NAME" or "lib/list", stands for that of the program.  Throws Error.
[[nodiscard]] std::unique_ptr<Sandbox> load_tool(std::string_view name,
                                                 const Limits& limits,
                                                 ToolLibrary more = nullptr,
                                                 const ToolLibrary& own = nullptr);

}  // namespace berth::bindings

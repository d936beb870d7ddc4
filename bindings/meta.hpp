#pragma once
// The reference, written from the records: what `berth api` prints.

#include <string>
#include <string_view>

namespace berth::bindings {

// Every member, one line each; or all about one ("start", "cluster:start", "Plan").
// Throws Error{kUsage} naming the nearest for a name that does not exist.
[[nodiscard]] std::string api_text(std::string_view name);

// Definitions for the Lua language server (LuaLS).
[[nodiscard]] std::string api_definitions();

// The reference as one Markdown page.
[[nodiscard]] std::string api_page();

}  // namespace berth::bindings

#pragma once
// A check of a script's text before Lua compiles it.
//
// To name a variable in an error message, Lua 5.4.4 recurses over the accesses that led
// to it, so one long expression can overflow the C stack.  This finds such chains.

#include <optional>
#include <string_view>

namespace berth::bindings {

// Allowed accesses in a row: `.name`, `:name` and `[...]`.
constexpr int kMaxAccesses = 200;

// The line on which the first chain exceeds kMaxAccesses; nullopt: none.  Calls and
// parentheses do not end a chain.  For text that is not Lua the answer is unspecified.
// Cost: O(bytes).
[[nodiscard]] std::optional<int> long_access_chain(std::string_view text);

}  // namespace berth::bindings

#pragma once
// A look at the text of a script before Lua compiles it.
//
// Lua 5.4.4 names the variable in an error text by a recursion over the accesses that
// led to it, so that one long expression can overflow the C stack.  This finds such
// chains.

#include <optional>
#include <string_view>

namespace berth::bindings {

// Accesses in a row that are allowed: `.name`, `:name` and `[...]`.
constexpr int kMaxAccesses = 200;

// The line on which the first chain passes kMaxAccesses; nullopt: there is none.  Calls
// and parentheses do not end a chain.  A text that is no Lua has some answer.
// Cost: O(bytes).
[[nodiscard]] std::optional<int> long_access_chain(std::string_view text);

}  // namespace berth::bindings

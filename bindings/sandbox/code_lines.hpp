#pragma once
// Which lines of a Lua text hold code.

#include <set>
#include <string>
#include <string_view>

namespace berth::bindings {

// Lines, from 1, that an instruction belongs to; without those that only close a block.
// Empty for text that is not Lua.  Cost: O(bytes), a Lua state of its own.
[[nodiscard]] std::set<int> code_lines(std::string_view text);

}  // namespace berth::bindings

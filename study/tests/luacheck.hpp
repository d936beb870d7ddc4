#pragma once
// What the program luacheck, where it is installed, says about a policy.

#include <string>
#include <vector>

namespace berth::study {

// Its warnings, "mine.lua:3:9: (W211) unused variable 'x'", in its order; empty if it
// is not installed, or has said nothing after ten seconds.  Never reads a .luacheckrc.
// REQUIRES: the file is a regular one.
[[nodiscard]] std::vector<std::string> luacheck(const std::string& path);

}  // namespace berth::study

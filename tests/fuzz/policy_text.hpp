#pragma once
// Policies made of bytes: whatever the API offers, in any order and with any argument.

#include <string>

#include "tests/fuzz/expect.hpp"

namespace berth::fuzz {

// A whole policy that loads, unless a key function or a hook of it is too deep.  It
// calls actions in decisions, hooks, keys and comparisons, with jobs that have left,
// plans, views and selections of earlier decisions, and values of every type; most
// calls are protected, so that a run goes on behind an error.
[[nodiscard]] std::string policy_text(Bytes& bytes);

}  // namespace berth::fuzz

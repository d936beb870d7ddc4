#pragma once
// The schedule of a work by each of those that are compared, with the time it took.

#include <cstdint>
#include <string>

#include "bench/works.hpp"
#include "bindings/own_guard.hpp"

namespace berth::bench {

using Hash = std::uint64_t;  // over the start of every job, in the order of the work

// What each takes, in user seconds of this thread for the simulation alone, and what
// comes out of it.

// policies/NAME.lua on the engine, nobody watching.
[[nodiscard]] double lua_seconds(const Work& work, const std::string& policy,
                                 const bindings::Limits& limits = {});
[[nodiscard]] Hash lua_starts(const Work& work, const std::string& policy);

// The yardstick.
[[nodiscard]] double list_easy_seconds(const Work& work);
[[nodiscard]] Hash list_easy_starts(const Work& work);

}  // namespace berth::bench

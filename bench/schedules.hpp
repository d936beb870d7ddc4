#pragma once
// The schedule of a work by each of those that are compared, with the time it took.

#include <cstdint>

#include "bench/works.hpp"
#include "bindings/own_guard.hpp"

namespace berth::bench {

struct Timed {
  double user_seconds;   // of this thread, for the simulation alone
  std::uint64_t starts;  // hash over the start of every job, in the order of the work
};

// policies/easy.lua on the engine, nobody watching.
[[nodiscard]] Timed lua_easy(const Work& work, const bindings::Limits& limits);
// The yardstick.
[[nodiscard]] Timed list_easy(const Work& work);

}  // namespace berth::bench

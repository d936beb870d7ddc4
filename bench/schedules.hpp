#pragma once
// Ways of scheduling a work, each with its time and its schedule.

#include <cstdint>
#include <functional>
#include <string>

#include "bench/works.hpp"
#include "bindings/sandbox/guard.hpp"

namespace berth::bench {

// User and system CPU seconds of this thread so far; the kernel counts the two together
// in nanoseconds and each in steps of 4 ms.
[[nodiscard]] double cpu_seconds();

using Hash = std::uint64_t;  // over the start of every job, in the order of the work

// One way: seconds of this thread's CPU for the simulation alone, and the schedule.
// Conservative ones stop at the last submit.
struct Runner {
  std::function<double()> seconds;
  std::function<Hash()> starts;
};

// policies/NAME.lua, or a file of the source tree if the name has a slash, on the
// engine without observers.
[[nodiscard]] Runner lua(const Work& work, const std::string& policy,
                         const bindings::Limits& limits = {});
// The same on a machine with two tiers.
[[nodiscard]] Runner two_tier_lua(const Work& work, const std::string& policy);
// EASY and conservative in C++ on the same engine.
[[nodiscard]] Runner native_easy(const Work& work);
[[nodiscard]] Runner native_conservative(const Work& work);
// policies/NAME.lua with the light audit.
[[nodiscard]] Runner audited_lua(const Work& work, const std::string& policy);

// Of policies/NAME.lua up to the last submit, without the first instant.
struct Effort {
  double seconds_a_decision;  // of CPU, user and system
  double crossings_an_event;
  std::size_t lua_bytes;  // live at the end
};
[[nodiscard]] Effort effort(const Work& work, const std::string& policy);

// The yardsticks.
[[nodiscard]] Runner list_easy(const Work& work);
[[nodiscard]] Runner refit_conservative(const Work& work);

}  // namespace berth::bench

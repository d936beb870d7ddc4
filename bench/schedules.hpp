#pragma once
// The schedule of a work by each of those that are compared, with the time it took.

#include <cstdint>
#include <functional>
#include <string>

#include "bench/works.hpp"
#include "bindings/sandbox/guard.hpp"

namespace berth::bench {

using Hash = std::uint64_t;  // over the start of every job, in the order of the work

// Somebody who can be measured: what it takes, in seconds of this thread's CPU for
// the simulation alone, and what comes out.  Conservative ones stop at the last submit.
struct Runner {
  std::function<double()> seconds;
  std::function<Hash()> starts;
};

// policies/NAME.lua, or a file of the source tree where there is a slash in it, on the
// engine, nobody watching.
[[nodiscard]] Runner lua(const Work& work, const std::string& policy,
                         const bindings::Limits& limits = {});
// The same on a machine with two tiers.
[[nodiscard]] Runner two_tier_lua(const Work& work, const std::string& policy);
// EASY and conservative in C++ on the same primitives and the same index.
[[nodiscard]] Runner native_easy(const Work& work);
[[nodiscard]] Runner native_conservative(const Work& work);
// policies/NAME.lua with the auditor of a run watching.
[[nodiscard]] Runner audited_lua(const Work& work, const std::string& policy);

// What one run of policies/NAME.lua up to the last submit amounts to, the first instant
// left out.
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

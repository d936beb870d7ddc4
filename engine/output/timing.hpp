#pragma once
// timing.json: how long a run took.  The one result that differs from run to run.

#include <cstdint>

#include "engine/base/json.hpp"

namespace berth {

struct Timing {
  double wall_seconds = 0.0;    // of the whole run
  double cpu_seconds = 0.0;     // of the thread that ran it
  double policy_seconds = 0.0;  // processor time in the policy, all passes together
  double longest_pass_seconds = 0.0;
  std::int64_t passes = 0;
  int threads = 1;  // that worked side by side
};

// With the mean over passes, null if there was none.
[[nodiscard]] Json timing_json(const Timing& timing);

}  // namespace berth

#pragma once
// What part of a run is measured (spec: metrics.md 7).

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"

namespace berth {

enum class Measure : std::uint8_t {
  kAll,     // every job, from the first submit to the last end
  kSteady,  // without a first part of the jobs, up to the last submit
};

// Jobs from `first_job` on are measured; levels (what is held, what waits) are measured
// between `begin` and `end`.
struct Window {
  Time begin = std::numeric_limits<Time>::min();  // not before the run begins
  std::optional<Time> end;                        // nullopt: the last end of a job
  std::uint32_t first_job = 0;                    // by the order (submit, id)
};

// For kSteady: leave out floor(warmup_fraction * n) jobs, begin at the submit of the
// next, end at the last submit.  Without jobs, or for kAll: everything.
// REQUIRES: jobs by (submit, id); 0 <= warmup_fraction < 1.
[[nodiscard]] Window window_of(std::span<const Job> jobs, Measure measure,
                               double warmup_fraction);

}  // namespace berth

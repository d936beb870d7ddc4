#pragma once
// The metric settings of a run, and the window in which it is measured
// (docs/model.md#metrics).

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/jobs/job.hpp"
#include "engine/metrics/job_class.hpp"
#include "engine/metrics/slowdown.hpp"

namespace berth {

// Whether means are also given weighted by area (size times length).
enum class Weight : std::uint8_t { kNone, kArea };

struct MetricOptions {
  SlowdownBound bound;
  Weight weight = Weight::kNone;
  std::vector<JobClass> classes{};  // of the jobs, with metrics of their own
  // Between a hit and the return of a job; nullopt: no host goes down.
  std::optional<Duration> requeue_delay{};
  bool has_checkpoints = false;  // jobs write them
  // Whether the processors that a job holds may be others in number than its size, or
  // another job's at the same time; else placements are not asked for.
  bool reads_placements = true;
};

enum class Measure : std::uint8_t {
  kAll,     // every job, from the first submit to the last end
  kSteady,  // without a first part of the jobs, up to the last submit
};

// Jobs from `first_job` on are measured; levels are integrated from `begin` to `end`.
struct Window {
  Time begin = std::numeric_limits<Time>::min();  // default: the begin of the run
  std::optional<Time> end;                        // nullopt: the last end of a job
  std::uint32_t first_job = 0;                    // by (submit, id)
};

// kSteady: without the first floor(warmup_fraction * n) jobs, from the submit of the
// next job to the last submit.  kAll, or no jobs: everything. REQUIRES: jobs by
// (submit, id); 0 <= warmup_fraction < 1.
[[nodiscard]] Window window_of(std::span<const Job> jobs, Measure measure,
                               double warmup_fraction);

}  // namespace berth

#pragma once
// Computes the summary of a run from what RunMetrics has gathered.

#include <cstdint>
#include <optional>

#include "engine/base/time.hpp"
#include "engine/metrics/levels.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/summary.hpp"

namespace berth {

// The queue at the end of an instant.
struct QueueState {
  std::int64_t members = 0;
  Int128 backlog = 0;                     // processor ticks
  std::optional<Time> never_empty_since;  // nullopt: it is empty now
  Duration longest_stretch = 0;           // longest time without being empty, so far
};

// The measured jobs alone.
struct MeasuredCounts {
  std::int64_t submitted = 0;
  std::int64_t rejected = 0;
};

// What RunMetrics has counted, before anything is divided or sorted.
struct Gathered {
  Window window;
  JobCounts jobs;
  RunCounts counts;
  MeasuredCounts measured;
  Outcomes outcomes;                   // of ended jobs, then of unfinished ones
  std::optional<Time> first_submit;    // of all jobs
  std::optional<Time> first_measured;  // submit of the first measured job
  std::optional<Time> last_submit;
  std::optional<Time> last_end;  // of measured jobs
  std::int64_t started = 0;
  std::int64_t finished_inside = 0;  // in (begin, end] of the window
  LevelTotals totals;
  bool has_tiers = false;    // the machine has tiers
  double killed_work = 0.0;  // processor ticks done in the window by killed attempts
  Duration frozen = 0;       // of all measured jobs
  Duration lost_work = 0;    // of all measured jobs
  QueueState at_last_submit;

  [[nodiscard]] bool measures(JobId job) const {
    return index(job) >= window.first_job;
  }
};

// Pure.  O(m n log n) for n finished jobs and m metrics of a job.
[[nodiscard]] Summary summarise(const Gathered& gathered, const MetricOptions& options);

}  // namespace berth

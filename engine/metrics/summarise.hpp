#pragma once
// Computes the summary of a run from what RunMetrics has gathered.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/metrics/levels.hpp"
#include "engine/metrics/metric_options.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"
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

// What hosts that went down did, in the whole run.
struct HostCounts {
  std::int64_t requeues = 0;
  std::int64_t failed = 0;  // jobs
  Int128 lost = 0;          // processor ticks of the attempts that were hit
};

// What RunMetrics has counted, before anything is divided or sorted.
struct Gathered {
  Window window;
  JobCounts jobs;
  RunCounts counts;
  MeasuredCounts measured;
  Outcomes outcomes;                   // of ended jobs, then of unfinished ones
  std::uint64_t schedule_hash = 0;     // see RunMetrics
  std::optional<Time> first_submit;    // of all jobs
  std::optional<Time> first_measured;  // submit of the first measured job
  std::optional<Time> last_submit;
  std::optional<Time> last_end;  // of measured jobs
  std::int64_t started = 0;
  Int128 offered = 0;                // processor ticks of the jobs that fit
  std::int64_t offered_jobs = 0;     // these jobs
  std::int64_t processors = 0;       // of the machine when the run began
  std::int64_t finished_inside = 0;  // in (begin, end] of the window
  LevelTotals totals;
  double killed_work = 0.0;   // processor ticks done in the window by killed attempts
  Int128 frozen = 0;          // ticks of all measured jobs
  Int128 lost_work = 0;       // ticks of all measured jobs
  std::int64_t released = 0;  // jobs that came in where jobs wait for others
  Int128 held = 0;            // ticks from their own submits to their releases
  QueueState at_last_submit;
  HostCounts of_hosts;

  [[nodiscard]] bool measures(JobId job) const {
    return index(job) >= window.first_job;
  }
};

// Pure.  O(m n) for n finished jobs and m metrics of a job.
[[nodiscard]] Summary summarise(const Gathered& gathered, const MetricOptions& options);

// A row for each user, by number; jobs without a user form the row -1.
// Memory: some 200 bytes a user.
[[nodiscard]] std::vector<UserSummary> user_table(const OutcomeView& jobs,
                                                  const SlowdownBound& bound);

// The mean waits of the users with finished jobs, by user, without the row -1.
[[nodiscard]] std::vector<double> mean_waits(std::span<const UserSummary> users);

// Likewise the mean bounded slowdowns.
[[nodiscard]] std::vector<double> mean_slowdowns(std::span<const UserSummary> users);

// Jain's index (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if all but one are 0.
// nullopt if there are no values or all are 0.
[[nodiscard]] std::optional<double> jain_index(std::span<const double> values);

// Population standard deviation (divided by n); nullopt if there are no values.
[[nodiscard]] std::optional<double> standard_deviation(std::span<const double> values);

}  // namespace berth

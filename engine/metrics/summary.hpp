#pragma once
// The results of a run as plain values.  A metric has a unit and the number of jobs it
// is computed from; a metric of an empty set has no value.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.hpp"

namespace berth {

struct Metric {
  std::string name;             // of its MetricRecord
  std::optional<double> value;  // nullopt: undefined
  std::string unit;
  std::int64_t n = 0;  // jobs it is computed from
};

// Of all jobs of the run, measured or not.
struct JobCounts {
  std::int64_t submitted = 0;
  std::int64_t rejected_by_machine = 0;  // wider than the machine
  std::int64_t rejected_by_policy = 0;
  std::int64_t finished = 0;
  std::int64_t failed = 0;        // killed at the walltime
  std::int64_t not_finished = 0;  // in the system when the run ended
  std::int64_t outlived_walltime = 0;
  std::int64_t rejected_never_fits = 0;  // not even on the empty network
  std::int64_t rejected_by_dependency = 0;
  std::int64_t rejected_by_limit = 0;

  [[nodiscard]] std::int64_t rejected() const {
    return rejected_by_machine + rejected_never_fits + rejected_by_policy +
           rejected_by_dependency + rejected_by_limit;
  }
};

// Of the whole run.
struct RunCounts {
  std::int64_t kills = 0;
  std::int64_t migrations = 0;
  std::int64_t swaps = 0;
  std::int64_t suspensions = 0;
  std::int64_t resumes = 0;
  std::int64_t failures = 0;
  std::int64_t backfilled_starts = 0;
  std::int64_t passes = 0;  // without those left out
  std::int64_t actions = 0;
};

// The measured jobs of one user.
struct UserSummary {
  std::int32_t user = -1;  // -1: jobs that name no user
  std::int64_t jobs = 0;   // ended, or in the system when the run ended
  std::int64_t finished = 0;
  std::optional<double> mean_wait;              // s, over finished jobs
  std::optional<double> mean_bounded_slowdown;  // over finished jobs
  double processor_seconds = 0.0;               // held by any of the jobs
};

struct Summary {
  JobCounts jobs;
  // A digest of the measured jobs that finished, by number, length and size, in any
  // order; two runs finished the same jobs if their digests are equal.  nullopt: the
  // summary was written without it.
  std::optional<std::uint64_t> finished_digest{};
  // What schedule_hash() of RunMetrics gave at the end; nullopt: likewise.
  std::optional<std::uint64_t> schedule_hash{};
  std::vector<Metric> metrics;     // in the order of metric_records()
  std::vector<UserSummary> users;  // by user
  RunCounts counts;
  // The first instant from which the queue was never empty after a pass, up to the last
  // submit; nullopt if it was empty after the last submit.
  std::optional<Time> never_empty_since;
  // That instant lies in the first half of the span of submits: waits then measure the
  // length of the trace.
  bool queue_never_empties = false;
  // The longest time up to the last submit in which the queue was never empty after a
  // pass, and the time from the first submit to the last.
  Duration longest_queue_stretch = 0;
  Duration submit_span = 0;

  // Adds metrics of the whole run, before those of kinds and classes that are there.
  void add(std::vector<Metric> more);
  // nullptr if there is no such metric.
  [[nodiscard]] const Metric* find(std::string_view name) const;
};

}  // namespace berth

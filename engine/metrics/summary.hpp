#pragma once
// What is said about a run: plain values, computed once, printed by others.
//
// Every number carries its unit and how many jobs are behind it.  A metric of an empty
// set has no value.

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
  std::int64_t n = 0;  // jobs behind it
};

// Of all jobs of the run, measured or not.
struct JobCounts {
  std::int64_t submitted = 0;
  std::int64_t rejected_by_machine = 0;  // wider than it
  std::int64_t rejected_by_policy = 0;
  std::int64_t finished = 0;
  std::int64_t failed = 0;        // killed at the walltime
  std::int64_t not_finished = 0;  // still in the system when nothing could happen
  std::int64_t outlived_walltime = 0;

  [[nodiscard]] std::int64_t rejected() const {
    return rejected_by_machine + rejected_by_policy;
  }
};

// How often things happened, over the whole run.
struct RunCounts {
  std::int64_t kills = 0;
  std::int64_t migrations = 0;
  std::int64_t swaps = 0;
  std::int64_t suspensions = 0;
  std::int64_t resumes = 0;
  std::int64_t failures = 0;
  std::int64_t backfilled_starts = 0;
  std::int64_t passes = 0;  // those left out are not counted
  std::int64_t actions = 0;
};

// The measured jobs of one user.
struct UserSummary {
  std::int32_t user = -1;  // -1: jobs that name no user
  std::int64_t jobs = 0;   // that left the machine or are still in the system
  std::int64_t finished = 0;
  std::optional<double> mean_wait;              // s, over finished jobs
  std::optional<double> mean_bounded_slowdown;  // over finished jobs
  double processor_seconds = 0.0;               // held, by any of the jobs
};

struct Summary {
  JobCounts jobs;
  std::vector<Metric> metrics;     // in the order of metric_records()
  std::vector<UserSummary> users;  // by user
  RunCounts counts;
  // Since this instant, up to the last submit, no instant has left the queue empty.
  // nullopt: the last submit itself did.
  std::optional<Time> never_empty_since;
  // The queue has filled up for good while more than half of the span of submits was
  // still to come: waits then measure the length of the trace.
  bool queue_never_empties = false;
  // The longest time, up to the last submit, in which no instant left the queue empty;
  // and the time from the first submit to the last.
  Duration longest_queue_stretch = 0;
  Duration submit_span = 0;

  // nullptr if the summary has no such metric.
  [[nodiscard]] const Metric* find(std::string_view name) const;
};

}  // namespace berth

#pragma once
// What happened to each job: one entry a job, dense by JobId.
//
// The workload is read, never copied; an entry exists for every job of it.

#include <span>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/jobs/job.hpp"
#include "engine/jobs/job_state.hpp"

namespace berth {

// What a run took from a job besides its length.
struct Account {
  Duration suspended = 0;
  Duration frozen = 0;
  Duration lost_work = 0;
  std::int32_t kills = 0;
  std::int32_t migrations = 0;
  std::int32_t swaps = 0;
  std::int32_t suspensions = 0;
};

struct JobEntry {
  JobState state = JobState::kFuture;
  bool frozen = false;
  bool ends_at_limit = false;  // its pending end is the kill at its walltime
  std::uint32_t version = 0;   // of its pending event
  Time first_start = kNever;
  Time attempt_start = kNever;  // of the present attempt; kept through a suspension
  Time planned_end = kNever;    // while running: when its planned time is over
  Time limit = kNever;          // where the machine kills: the end of its walltime
  Time state_since = kNever;    // last start, suspension or freeze
  Time settled = kNever;        // progress is right at this instant
  double progress = 0.0;        // ticks of dedicated work done in this attempt
  double rate = 0.0;            // work per tick, 0..1
  Account account;
};

class JobTable {
 public:
  // REQUIRES: jobs in the order (submit, id); they outlive the table.
  explicit JobTable(std::span<const Job> jobs) : jobs_(jobs), entries_(jobs.size()) {}

  [[nodiscard]] std::size_t size() const { return jobs_.size(); }
  [[nodiscard]] const Job& job(JobId id) const { return jobs_[index(id)]; }
  [[nodiscard]] const JobEntry& operator[](JobId id) const {
    return entries_[index(id)];
  }
  [[nodiscard]] JobEntry& operator[](JobId id) { return entries_[index(id)]; }

 private:
  std::span<const Job> jobs_;
  std::vector<JobEntry> entries_;
};

}  // namespace berth

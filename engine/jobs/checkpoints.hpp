#pragma once
// What jobs keep of their work when they lose a host, where they write checkpoints
// (docs/model.md#checkpoints).
//
// An attempt takes longer than its work (CheckpointRule).  While it lasts,
// JobEntry::progress is the length of the job less the time that it has still to run;
// once it is over, progress is the work.
//
//   operation      time
//   every one      O(1), and O(jobs) to construct
// Memory           32 bytes a job that lost a host

#include <span>

#include "engine/base/checkpoint_rule.hpp"
#include "engine/base/job_map.hpp"
#include "engine/jobs/job_table.hpp"

namespace berth {

class Checkpoints {
 public:
  // Throws Error{kInput} for a job that takes longer than kMaxSeconds with them.
  Checkpoints(const CheckpointRule& rule, std::span<const Job> jobs);

  // Work that the next attempt of the job begins with, or the present one began with.
  [[nodiscard]] Duration saved(JobId job) const {
    const auto* const found = saved_.find(job);
    return found == nullptr ? 0 : *found;
  }
  // The planned time that is left of a job which is expected to work for `whole`, or
  // for `least` where that is more.
  [[nodiscard]] Duration left(JobId job, const Job& asked, const JobEntry& entry,
                              Duration whole, Duration least) const;
  // How long an attempt of the job may run where its walltime is a limit.
  [[nodiscard]] Duration limit(JobId job, const Job& asked) const {
    return takes(job, asked.walltime);
  }
  // Its work up to now.
  [[nodiscard]] Duration work(JobId job, const Job& asked, const JobEntry& entry,
                              Time now) const;

  // The job, which has waited, begins an attempt.
  void begin(JobId job, const Job& asked, JobEntry& entry) const;

  struct HitWork {
    Duration lost;
    Duration saved;     // with which the next attempt begins
    Duration overhead;  // of this attempt, as the next
    Duration ran;
  };
  // The attempt is hit, and with it all saved work is lost if the job fails.
  // REQUIRES: it has begun, and is settled.
  HitWork hit(JobId job, const Job& asked, JobEntry& entry, bool fails);
  // The job, which has not finished, is killed now, or the run is over: its progress is
  // its work.
  void close(JobId job, const Job& asked, JobEntry& entry, Time now) const;

 private:
  [[nodiscard]] Duration takes(JobId job, Duration work_in_all) const;
  [[nodiscard]] Duration ran(JobId job, const Job& asked, const JobEntry& entry) const;
  CheckpointRule::CutAttempt end_attempt(JobId job, const Job& asked,
                                         JobEntry& entry) const;

  CheckpointRule rule_;
  JobMap<Duration> saved_;
};

}  // namespace berth

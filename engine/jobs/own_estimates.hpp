#pragma once
// The times that a policy expects jobs to take, where it expects others than their
// walltimes (docs/model.md#own-estimates).
//
// A running job that outlives its estimate is expected to end at the instants of the
// overrun rule, counted from its estimated end, but with its walltime at the latest;
// from then on the rule counts from that instant, as for any job.
//
//   of, tell              O(1)
//   started, last, take_late   O(log running)
//   Memory                8 bytes a job of the workload, 40 bytes a running job

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/overrun_rule.hpp"

namespace berth {

class OwnEstimates {
 public:
  OwnEstimates(std::size_t jobs, const OverrunRule& rule)
      : rule_(rule), all_(jobs, kNever) {}

  // What is expected of the job: its walltime, or less.
  [[nodiscard]] Duration of(JobId job, Duration walltime) const {
    return std::min(walltime, all_[index(job)]);
  }
  // kNever: the policy has no estimate of it.
  void tell(JobId job, Duration estimate) { all_[index(job)] = estimate; }

  // The job runs: it is expected to end then, and by its walltime at `last`.
  // REQUIRES: `expected` <= `last`.
  void started(JobId job, Time expected, Time last);
  // REQUIRES: started.  When the job was expected to end just before `now`.
  Time stopped(JobId job, Time now);

  // When it ends by its walltime.  REQUIRES: started.
  [[nodiscard]] Time last(JobId job) const { return running_.at(job).last; }

  struct Late {
    JobId job;
    Time expected;  // later than now, or its end by the walltime
  };
  // A running job that has outlived what was expected of it last, and when it is
  // expected to end now; nullopt: there is none.
  [[nodiscard]] std::optional<Late> take_late(Time now);

 private:
  struct ExpectedRun {
    Time estimated;
    Time last;
    Time expected;
  };
  struct Due {
    Time at;
    JobId job;
    friend bool operator>(const Due& a, const Due& b) {
      return std::tie(a.at, a.job) > std::tie(b.at, b.job);
    }
  };
  [[nodiscard]] Time late_end(const ExpectedRun& of, Time now) const;

  OverrunRule rule_;
  std::vector<Duration> all_;
  std::map<JobId, ExpectedRun> running_;
  // Has the running jobs that are expected to end before their walltimes, and some that
  // have stopped.
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

}  // namespace berth

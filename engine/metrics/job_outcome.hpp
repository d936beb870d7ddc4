#pragma once
// What a run made of one job: all that per-job metrics are computed from.
//
// Units        Durations in ticks.
// Lost         The spans that a job spends suspended or frozen are lost to it; while
//              frozen it holds its processors, while suspended it does not.

#include <compare>
#include <cstdint>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/jobs/job_state.hpp"
#include "engine/sim/record.hpp"

namespace berth {

struct JobOutcome {
  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;

  JobId job{};
  std::int32_t user = -1;
  std::int32_t size = 1;
  JobState state = JobState::kFinished;
  Duration length = 0;
  Duration wait = 0;      // until the first start
  Duration response = 0;  // until it left
  Duration suspended = 0;
  Duration frozen = 0;
  Duration background = 0;  // of the time it ran

  // From the first start on.
  [[nodiscard]] Duration service() const { return response - wait; }
  [[nodiscard]] Duration lost_time() const { return suspended + frozen; }
  // How long it had its processors.
  [[nodiscard]] Duration held() const { return service() - suspended; }
  [[nodiscard]] Duration running() const { return held() - frozen; }
};

// The job as it is at `at`: when it leaves, or when the run is over and it is still
// there.  A job that has not started has waited all the time.
[[nodiscard]] JobOutcome outcome_of(const sim::Subject& who, Time at);

// Whether it ran longer than the walltime it was given; time in the background, where
// nobody expects its end, does not count.
[[nodiscard]] bool outlived_walltime(const Job& job, const JobOutcome& outcome);

// Progress it lost at kills, its own end at the walltime included, in ticks of
// dedicated work.
[[nodiscard]] Duration lost_work(const JobEntry& entry);

}  // namespace berth

#pragma once
// Checks a finished schedule by what else happens on its machine: hosts that go down,
// windows and limits; and on request the head promise.
//
// At one instant ends come first, then what happens to the machine and the jobs that it
// hits, then arrivals and returns, then jobs without length, then the other starts.
//
// Rules
//   L2        no job starts on a host that is down, none goes on over the loss of a
//             host that it holds, and none is hit for nothing
//   L3        a start runs into no window that is known; no job stands in the way of
//             one that hits
//   L4        no start exceeds a limit, or comes before the first that may wait.
//             LimitSettings::stop is not judged: a schedule does not tell the order of
//             the queue.
//   L5        a job that is hit fails, or returns after the delay, as the machine says;
//             what is said of its attempts is what they show
//   easy      (on request) the head promise (docs/model.md#r1).  Heads are not judged
//             while a job or a host is late.  A promise that a loss broke is excused.
//
// Cost          O(n log n), and that of the checks of each rule.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/audit/expected_ends.hpp"
#include "engine/audit/schedule_check.hpp"
#include "engine/audit/stays.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/hosts/host_events.hpp"
#include "engine/jobs/limits.hpp"

namespace berth::audit {

// A job has its processors for a time.
struct HeldSpan {
  enum class End : std::uint8_t {
    kEnds,       // the job has ended
    kSuspended,  // it has its processors again later
    kHit,        // it has lost what it did
  };
  JobId job;
  Time from = 0;
  std::optional<Time> to{};  // nullopt: for ever
  End end = End::kEnds;
  bool is_first = true;        // else the job had processors before
  Duration planned = 0;        // for so long from `from` on
  Duration worked = 0;         // in this attempt, up to `to`
  std::optional<Time> back{};  // after a hit: when it is in the queue again
  IntervalSet processors{};    // empty: not told
};

// What a schedule tells of a machine whose jobs run at full speed.
struct HeldSchedule {
  std::vector<JobId> queued;    // jobs that came in and were not rejected at once
  std::vector<HeldSpan> holds;  // of one job together, in the order of time
};

// A policy expects the job, from then on, to run so long.
struct ToldEstimate {
  JobId job;
  Time at;
  Duration expected;
};

struct LifeRules {
  std::int32_t processors;
  bool easy = false;
  Duration min_planned = kSecond;
  HostLife life{};
  std::span<const Interval> hosts{};              // by number, with their processors
  std::shared_ptr<const LimitSettings> limits{};  // null: none
  Overruns overruns{};
  Duration migration_cost = 0;
  // By (job, at); of a job without any it is the walltime.
  std::span<const ToldEstimate> estimates{};

  [[nodiscard]] bool judges_life() const {
    return life.has_events() || limits != nullptr;
  }
};

// Of rows, where no job was suspended or hit and then had processors again; of jobs
// wider than the machine nothing is told.
[[nodiscard]] HeldSchedule held_by_rows(std::span<const Job> jobs,
                                        std::span<const Scheduled> rows,
                                        const LifeRules& rules);
// Of stays, and the rows of the same jobs.
[[nodiscard]] HeldSchedule held_by_stays(std::span<const Job> jobs,
                                         std::span<const Scheduled> rows,
                                         std::span<const Stay> stays,
                                         const LifeRules& rules);

// REQUIRES: jobs by (submit, id); rows of the same schedule, of which each job has one
// or none.
[[nodiscard]] ScheduleReport check_life(std::span<const Job> jobs,
                                        std::span<const Scheduled> rows,
                                        const HeldSchedule& schedule,
                                        const LifeRules& rules);

}  // namespace berth::audit

#pragma once
// Checks a finished schedule, of berth or of any other simulator.
//
// Only submit times, sizes, lengths and walltimes of the workload and the start and end
// of each job are used.  Ends come before starts at one instant; a job without length
// needs processors beside the jobs that run through its instant.
//
// Rules
//   order     no job ends before it starts, none starts before its submit time
//   length    end - start is the job's length, or its walltime if it was killed there
//   capacity  no more processors in use than there are; where the schedule names
//             processors: as many as asked for, each serving one job at a time
//   missing   every job that fits the machine is in the schedule
//   state     what a row says of the job's end is what it shows: a rejected job has no
//             start, one that completed has start and end, one that was killed at its
//             walltime would have run longer
//   unstarted no job waits for ever: where one that was not rejected never starts, it
//             does not fit beside the jobs that never end
//   easy      (on request) the head promise (docs/model.md#r1).  Heads are not judged
//             while a late job runs.
//
// Cost      O(n log n), and O(ends up to the shadow time) a judged instant.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/audit/audit_failure.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/jobs/job.hpp"
#include "engine/sim/machine.hpp"

namespace berth::audit {

// What a row says of its job.
enum class Stated : std::uint8_t {
  kNothing,
  kCompleted,
  kKilled,    // ended at its walltime
  kRejected,  // left the queue at once
  kUnfinished,
};

// One job of a schedule.
struct Scheduled {
  JobId job;
  std::optional<Time> start;  // nullopt: it never ran (rejected, not finished)
  std::optional<Time> end;
  Stated state = Stated::kNothing;
  std::optional<IntervalSet> processors;
  // On a network: the name of the node of its virtual switch (empty: not said), and
  // what it reserves on all links together, in kbit/s.
  std::string top{};
  std::optional<std::int64_t> reserved{};
};

struct ScheduleReport {
  std::vector<Violation> violations;           // the first `kMostListed` of each rule
  std::map<std::string, std::int64_t> broken;  // by rule: how often
  std::map<std::string, std::int64_t> checked;
  static constexpr std::int64_t kMostListed = 10;
};

struct ScheduleRules {
  std::int32_t processors;
  bool easy = false;
  Duration min_planned = kSecond;
  // Ends may be off by rounding in files of whole seconds.
  Duration tolerance = 0;
};

// REQUIRES: jobs by (submit, id); no job twice in `schedule`.
[[nodiscard]] ScheduleReport check_schedule(std::span<const Job> jobs,
                                            std::span<const Scheduled> schedule,
                                            const ScheduleRules& rules);

}  // namespace berth::audit

#pragma once
// Checks a finished schedule by the stretches of its jobs: those of a machine on which
// jobs are suspended, frozen, moved or slowed down.
//
// Rules
//   missing   every job that fits the machine is there: in the rows of jobs where those
//             are given, and with a stretch if it ran
//   state     what a row says of the job's end is what it and its stretches show; its
//             yield is from 0 to 1, or what its place gives, and 0 while it does not
//             run
//   order     a job's stretches follow each other without a gap, from its start to its
//             end, and none begins before its submit time; an attempt that was hit may
//             leave a gap
//   frozen    a job that resumes is frozen for one migration delay
//   length    the work, which is the integral of the yield over the stretches in which
//             it runs, is the job's length (docs/model.md#w1), after the last restart
//             or hit; a job that was killed ran for its walltime (docs/model.md#kill),
//             or did as much work where walltimes are of work
//   unstarted no job waits to the end on a machine that is empty then
// Where the jobs were is judged by check_placements().
//
// Cost      O(n log n) in the stretches.

#include <functional>
#include <optional>
#include <span>

#include "engine/audit/schedule_check.hpp"
#include "engine/audit/stays.hpp"

namespace berth::audit {

struct StretchedSchedule {
  std::span<const Stay> stretches;
  // A row a job; nullopt: stretches alone are given, so that a job without one may have
  // been rejected only if it can never start.
  std::optional<std::span<const Scheduled>> rows;
};

struct StretchRules {
  // Whether the machine has no place for a job even when it is empty.
  std::function<bool(JobId)> never_fits;
  // The yield of a job while it runs there; nullopt: any from 0 to 1.
  std::function<std::optional<double>(const Stay&)> speed = [](const Stay&) {
    return std::optional(1.0);
  };
  bool kills = false;                        // jobs at their walltime
  bool limits_work = false;                  // walltimes are of work and not of time
  std::optional<Duration> migration_cost{};  // nullopt: not known
  // Jobs may lose their processors and begin anew, after a gap or without; no running
  // job is moved.
  bool has_attempts = false;
  bool lacks_hosts = false;  // as ScheduleRules
  // Ends may be off by rounding in files of whole seconds.
  Duration tolerance = 0;
};

// REQUIRES: jobs by (submit, id); no job twice in the rows.
[[nodiscard]] ScheduleReport check_stretches(std::span<const Job> jobs,
                                             const StretchedSchedule& schedule,
                                             const StretchRules& rules);

}  // namespace berth::audit

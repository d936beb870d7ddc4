#pragma once
// Checks a finished schedule, of berth or of any other simulator.
//
// Only submit times, sizes, lengths and walltimes of the workload and the start and end
// of each job are used.  Ends come before starts at one instant; a job without length
// needs processors beside the jobs that run through its instant.
//
// Rules
//   order     no job ends before it starts, none starts before its submit time
//   length    end - start is the job's length at the speed of its place, or, if it was
//             killed there, its walltime; at most that if it was stopped
//   capacity  no more processors in use than there are; where the schedule names
//             processors: as many as asked for, each serving one job at a time
//   missing   every job that fits the machine is in the schedule
//   state     what a row says of the job's end is what it shows: a rejected job has no
//             start, one that completed has start and end, one that was killed at its
//             walltime would have run longer, and where the machine kills none
//             completed that is longer than its walltime
//   unstarted no job waits for ever: where one that was not rejected never starts, it
//             does not fit beside the jobs that never end
//   easy      (on request) the head promise, as check_life() judges it
//
// Cost      O(n log n), and O(ends up to the shadow time) a judged instant.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/audit/audit_failure.hpp"
#include "engine/audit/promises.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/jobs/job.hpp"
#include "engine/sim/machine.hpp"

namespace berth::audit {

// What a row says of its job.
enum class Stated : std::uint8_t {
  kNothing,
  kCompleted,
  kKilled,      // ended at its walltime
  kStopped,     // ended, perhaps before its time, and not at its walltime
  kHostFailed,  // it lost a host, or stood in the way of a window, and failed
  kRejected,    // left the queue at once
  kUnfinished,
};

// One job of a schedule.
struct Scheduled {
  JobId job;
  std::optional<Time> start;  // nullopt: it never ran (rejected, not finished)
  std::optional<Time> end;
  Stated state = Stated::kNothing;
  std::optional<IntervalSet> processors{};  // where each serves one job
  std::int64_t suspensions = 0;
  std::int64_t restarts = 0;  // from the background of two tiers, with its work lost
  // Where hosts go down; nullopt: not said.
  std::optional<std::int64_t> attempts{};
  std::optional<Duration> lost{};  // work of attempts that were hit
};

struct ScheduleReport {
  std::vector<Violation> violations;           // the first `kMostListed` of each rule
  std::map<std::string, std::int64_t> broken;  // by rule: how often
  std::map<std::string, std::int64_t> checked;
  Excuses excuses{};  // promises that a loss of hosts broke
  static constexpr std::int64_t kMostListed = 10;

  // Counts a check.  `what` makes the text, and is called only if the rule is broken
  // and still listed.
  template <class What>
  void note(const Rule& rule, bool holds, Time at, std::optional<std::int64_t> job,
            const What& what) {
    const std::string name(rule.name);
    ++checked[name];
    if (holds || ++broken[name] > kMostListed) return;
    Violation violation{rule, at, {}, std::string(what())};
    if (job) violation.jobs.push_back(*job);
    violations.push_back(std::move(violation));
  }
  // Adds what another checker found.
  void add(ScheduleReport&& other);
};

// Why what the row says of the end of its job is not what it shows; empty if it is.
[[nodiscard]] std::string wrong_state(const Scheduled& row);

struct ScheduleRules {
  std::int32_t processors;
  bool easy = false;
  Duration min_planned = kSecond;
  // Ends, and submit times, may be off by rounding in files of whole seconds.
  Duration tolerance = 0;
  Duration submit_tolerance = 0;
  // The jobs are those of the schedule: neither lengths nor what is missing are judged.
  bool has_own_jobs = false;
  bool kills = false;  // jobs at their walltime
  // Whether the machine has no place for a job even when it is empty, where numbers of
  // processors tell nothing; null: they tell all.
  std::function<bool(JobId)> never_fits{};
  // Hosts are down for ever in the end, so that a job may wait for them.
  bool lacks_hosts = false;
  // Work per tick of each job where it ran; empty: 1.
  std::vector<double> speeds{};
  bool limits_work = false;  // walltimes are of work and not of time
};

// REQUIRES: jobs by (submit, id); no job twice in `schedule`.
[[nodiscard]] ScheduleReport check_schedule(std::span<const Job> jobs,
                                            std::span<const Scheduled> schedule,
                                            const ScheduleRules& rules);

}  // namespace berth::audit

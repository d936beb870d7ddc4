#pragma once
// One tiny run that every writer is shown, so that its files can be checked on paper.
//
// Ten processors, FCFS with suspension:
//   job 7   6 processors, runs 0-100
//   job 8   8 processors, submitted at 10.5, waits until 100, runs 100-150.25
//   job 9   11 processors, too wide, rejected at 20
//   job 10  2 processors, submitted at 120, killed at its walltime of 30 s at 150

#include <vector>

#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"

namespace berth::test {

inline std::vector<Job> four_jobs() {
  std::vector<Job> jobs{a_job(7, 0, 6, 100, 120), a_job(8, 10, 8, 50),
                        a_job(9, 20, 11, 5), a_job(10, 120, 2, 70, 30)};
  jobs[0].user = 3;
  jobs[0].group = 1;
  jobs[1].submit += kSecond / 2;
  jobs[1].length += kSecond / 4;
  jobs[1].walltime = seconds(60);
  return jobs;
}

// Shows the run to the watcher.
inline void watch(sim::Observer& watcher, const std::vector<Job>& jobs,
                  const sim::Machine& machine, ScriptedPolicy::Schedule schedule) {
  ScriptedPolicy policy(std::move(schedule));
  sim::Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
  simulation.audience().observe(watcher);
  simulation.advance(kNever);
  simulation.finish();
}

inline void watch_four(sim::Observer& watcher) {
  auto machine = a_machine(10);
  machine.overrun = sim::Overrun::kKill;
  watch(watcher, four_jobs(), machine, fcfs);
}

// One job of 4 processors: runs 0-10, is suspended until 30, frozen until 35, runs on
// until 125.
inline void watch_suspended(sim::Observer& watcher) {
  auto machine = a_machine(4);
  machine.preemption = true;
  machine.migration_cost = seconds(5);
  watch(watcher, {a_job(1, 0, 4, 100)}, machine, [](sim::Simulation& it) {
    if (it.world().now() == 0) {
      it.actions().because("first come");
      (void)it.actions().start(JobId{0});
      it.actions().wake_at(seconds(10));
    } else if (it.world().now() == seconds(10)) {
      it.actions().because("make \"room\"");
      it.actions().suspend(JobId{0});
      it.actions().wake_at(seconds(30));
    } else if (it.world().now() == seconds(30)) {
      (void)it.actions().start(JobId{0});
    }
  });
}

}  // namespace berth::test

#pragma once
// L3: a job starts only if it fits, by the expected ends of the jobs that run, at every
// instant of a known window before its planned end; and once a window has begun that
// hits jobs, none that may not run inside has what the window lacks.  Of hosts: a job
// has none that a known window, which does not let it in, has before its planned end.
//
// It also tells R1, R3 and R5 what fits, and when a job is expected to.
//
// Cost         O(w r) a start that a window may forbid, w = known windows, r = running
//              jobs, else O(log r); shadow(): O(e (e + w r)), e = their expected ends.
//              Of hosts, h in all: O(w h) a start, and shadow() asks a law e times.
// Memory       Some bytes a running job.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/audit/expected_ends.hpp"
#include "engine/audit/law.hpp"
#include "engine/hosts/host_events.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/sim/record.hpp"

namespace berth::audit {

class WindowCheck {
 public:
  // Who wants how many processors, for how long.
  struct Wish {
    std::int32_t user;
    std::int64_t size;
    Duration planned;
  };
  // `due_margin`: a job whose planned end is now is expected to end so much later; 0:
  // it is late, as ends come before passes.  REQUIRES: there are windows.
  WindowCheck(const HostLife& life, std::int64_t processors, Overruns rule,
              Duration due_margin = 0)
      : all_(life.windows),
        processors_(processors),
        rule_(rule),
        due_margin_(due_margin) {}

  // What is asked where windows have hosts.
  struct OnHosts {
    std::span<const Interval> processors;               // of each host
    std::function<const IntervalSet*(JobId job)> held;  // null: not told
    FitLaw* fit = nullptr;  // null: what fits is not told, and never forbidden
  };
  // Does nothing where the windows are of a pool.
  void ask(OnHosts hosts);

  // It is so late now; told before anything that happens then.
  [[nodiscard]] Verdict come_to(Time now);
  [[nodiscard]] Verdict note(const sim::WindowRecord& record);
  // A waiting or suspended job starts.
  [[nodiscard]] Verdict start(JobId job, const Wish& wish);
  // A policy expects the job, which has started, to end sooner.
  void expect(JobId job, Time planned_end) { running_[job].sooner = planned_end; }
  // A host, by the number of its job of the system, is down up to its expected return.
  void take_down(JobId system, std::int64_t size, Time until);
  // It no longer holds anything.
  void leave(JobId job) { running_.erase(job); }
  // Whether a window that begins now hits the running job.
  [[nodiscard]] bool hits(JobId job) const;

  // Whether the windows let it start now once these jobs have gone.
  [[nodiscard]] bool lets_start(JobId job, const Wish& wish,
                                std::span<const JobId> gone) const;
  // When it is expected to fit for all its planned time; nullopt: no window can matter.
  // `last`: no job is expected to end later.
  [[nodiscard]] std::optional<Time> shadow(JobId job, const Wish& wish,
                                           Time last) const;
  // How many starts and windows were judged.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  struct RunningEntry {
    Time planned_end;  // by its walltime
    std::int64_t size;
    std::int32_t user;
    bool is_of_system;
    Time sooner = kNever;  // as a policy expects; no sooner: kNever
  };
  struct Until {
    JobId job;
    Time end;     // expected by its walltime
    Time sooner;  // as the policy expects, or that
    std::int64_t size;
    std::int32_t user;
  };
  [[nodiscard]] std::vector<Until> expected(std::span<const JobId> gone) const;
  // `ends`: which of the ends counts.
  [[nodiscard]] std::int64_t left(const std::vector<Until>& running, const Wish& wish,
                                  Time at, Time Until::*ends) const;
  [[nodiscard]] Time expected_end(Time planned_end) const;
  [[nodiscard]] Time expected_sooner(const RunningEntry& entry, Time last) const;
  [[nodiscard]] bool fits_from(const std::vector<Until>& running, const Wish& wish,
                               Time start) const;
  [[nodiscard]] bool fits_on_hosts(JobId job, const std::vector<Until>& running,
                                   const Wish& wish, Time start) const;
  // The hosts that known windows keep from the user in [from, to).
  [[nodiscard]] std::vector<std::int32_t> kept(std::int32_t user, Time from,
                                               Time to) const;
  [[nodiscard]] bool has_a_part(JobId job, std::span<const std::int32_t> hosts) const;
  [[nodiscard]] Time first_begin() const;
  [[nodiscard]] std::int64_t lacks(const MachineWindow& window, JobId without) const;
  [[nodiscard]] bool stands_in_the_way(const MachineWindow& window) const;

  std::shared_ptr<const std::vector<MachineWindow>> all_;
  std::int64_t processors_;
  Overruns rule_;
  Duration due_margin_;
  Time now_ = -kNever;
  std::map<JobId, RunningEntry> running_;
  std::vector<const MachineWindow*> begun_;  // at this instant
  bool has_loss_ = false;                    // of a host at this instant
  std::int64_t judged_ = 0;
  std::optional<OnHosts> hosts_;  // else the windows are of a pool
};

}  // namespace berth::audit

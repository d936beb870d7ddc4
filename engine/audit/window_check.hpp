#pragma once
// L3: a job starts only if it fits, by the expected ends of the jobs that run, at every
// instant of a known window before its planned end; and once a window has begun that
// hits jobs, none that may not run inside has what the window lacks.
//
// It also tells R1, R3 and R5 what fits, and when a job is expected to.
//
// Cost         O(w r) a start that a window may forbid, w = known windows, r = running
//              jobs, else O(log r); shadow(): O(e (e + w r)), e = their expected ends.
// Memory       Some bytes a running job.

#include <cstdint>
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

  // It is so late now; told before anything that happens then.
  [[nodiscard]] Verdict come_to(Time now);
  [[nodiscard]] Verdict note(const sim::WindowRecord& record);
  // A waiting or suspended job starts.
  [[nodiscard]] Verdict start(JobId job, const Wish& wish);
  // A host, by the number of its job of the system, is down up to its expected return.
  void take_down(JobId system, std::int64_t size, Time until);
  // It no longer holds anything.
  void leave(JobId job) { running_.erase(job); }
  // Whether a window that begins now hits the running job.
  [[nodiscard]] bool hits(JobId job) const;

  // Whether the windows let it start now once these jobs have gone.
  [[nodiscard]] bool lets_start(const Wish& wish, std::span<const JobId> gone) const;
  // When it is expected to fit for all its planned time; nullopt: no window can matter.
  // `last`: no job is expected to end later.
  [[nodiscard]] std::optional<Time> shadow(const Wish& wish, Time last) const;
  // How many starts and windows were judged.
  [[nodiscard]] std::int64_t judged() const { return judged_; }

 private:
  struct RunningEntry {
    Time planned_end;
    std::int64_t size;
    std::int32_t user;
    bool is_of_system;
  };
  struct Until {
    Time end;  // expected
    std::int64_t size;
    std::int32_t user;
  };
  [[nodiscard]] std::vector<Until> expected(std::span<const JobId> gone) const;
  [[nodiscard]] std::int64_t left(const std::vector<Until>& running, const Wish& wish,
                                  Time at) const;
  [[nodiscard]] bool fits_from(const std::vector<Until>& running, const Wish& wish,
                               Time start) const;
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
};

}  // namespace berth::audit

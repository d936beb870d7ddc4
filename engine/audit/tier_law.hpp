#pragma once
// What must hold on machines with two tiers: who may sit where (C5), and how fast each
// job then runs (W4).
//
// Derived from placements and from what is drawn for the jobs, process by process, and
// never from the sharing model that is judged.
//
// Cost         O(processes) a change and O(processes) a rate.

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/placement.hpp"
#include "engine/hosts/cpu_nature.hpp"
#include "engine/jobs/job.hpp"
#include "engine/sim/machine.hpp"

namespace berth::audit {

class TierLaw {
 public:
  // The jobs outlive it.
  TierLaw(const sim::Machine& machine, std::span<const Job> jobs);

  // Takes the slots; what forbids it, or nullopt.  REQUIRES: the job has no slots.
  [[nodiscard]] std::optional<std::string_view> seat(JobId job,
                                                     const Placement& placement);
  // REQUIRES: seated.
  void unseat(JobId job);
  void freeze(JobId job, bool frozen);

  // REQUIRES: seated.
  [[nodiscard]] double rate(JobId job) const;
  [[nodiscard]] bool seated(JobId job) const { return seats_.contains(index(job)); }
  // Jobs whose rate the changes since the last call may have moved, seated or not; may
  // name a job twice.
  [[nodiscard]] std::vector<JobId> take_concerned();
  // Processors with a process in either tier.
  [[nodiscard]] std::int64_t used() const { return used_; }

 private:
  struct Sitting {
    TierSeat seat;
    CpuNature nature;
    bool frozen = false;
  };
  struct Occupant {
    JobId job;
    std::size_t process;
  };
  struct Processor {
    std::optional<Occupant> front;
    std::optional<Occupant> back;
  };

  [[nodiscard]] std::optional<std::string_view> forbidden(JobId job,
                                                          const TierSeat& seat) const;
  [[nodiscard]] bool open_below(const Processor& processor) const;
  [[nodiscard]] double process_rate(const Sitting& sitting, std::size_t process) const;
  void concern(const TierSeat& seat);

  sim::Machine machine_;
  std::span<const Job> jobs_;
  std::vector<Processor> processors_;
  std::unordered_map<std::uint32_t, Sitting> seats_;  // looked up only, never walked
  std::vector<JobId> concerned_;
  std::int64_t used_ = 0;
};

}  // namespace berth::audit

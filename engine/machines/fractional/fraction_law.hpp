#pragma once
// Hosts shared by fractions: no host's memory is overfilled (C2), its shares add up to
// at most 1, each job has one yield from 0 to 1 (C3), every task has a host (C7), one
// action moves no more memory than the machine allows (C8), and what a record of a
// repacking says is what its parts come to (C3, C8).
//
// Derived from placements and from what is drawn for the jobs; memory in KiB, exact.
// Inside of a repacking hosts may be overfilled: they are judged at its end.
//
// Cost         O(tasks) a change.  Sums of shares are kept by adding and subtracting,
//              and start from 0 whenever a host is empty; a thorough law adds them up
//              anew before it judges.
// Source       Stillwell, Schanzenbach, Vivien, Casanova 2009;
// docs/model.md#fractional.

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/audit/law.hpp"
#include "engine/jobs/job.hpp"
#include "engine/machines/fractional/fraction_facts.hpp"
#include "engine/machines/fractional/task_hosts.hpp"
#include "engine/machines/fractional/task_needs.hpp"
#include "engine/sim/machine.hpp"

namespace berth::audit {

inline constexpr Rule kMemory{"C2", "memory"};
inline constexpr Rule kShares{"C3", "shares"};
inline constexpr Rule kMemoryMoved{"C8", "memory moved"};

class FractionLaw final : public Law, public FitLaw {
 public:
  // REQUIRES: jobs outlive the law.
  FractionLaw(const sim::Machine& machine, std::span<const Job> jobs,
              NeedsOfTasks needs);

  [[nodiscard]] std::vector<JobId> come_to(Time at) override;
  [[nodiscard]] bool never_fits(JobId job) override;
  [[nodiscard]] bool fits_without(JobId job, std::span<const JobId> gone) override;
  [[nodiscard]] Verdict start(JobId job, const Placement* placement,
                              bool resumed) override;
  [[nodiscard]] Verdict change(const sim::ChangeRecord& record) override;
  [[nodiscard]] Verdict note(const sim::MachineRecord& record) override;
  void leave(JobId job) override;
  void freeze(JobId job, bool frozen) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] std::vector<JobId> take_affected() override;
  [[nodiscard]] bool is_placed(JobId job) const override {
    return placed_.contains(job);
  }
  [[nodiscard]] std::int64_t used() const override { return used_; }

 private:
  struct Placed {
    TaskHosts tasks;
    TaskNeeds needs;
    bool frozen = false;
    std::int64_t times = 0;  // its share was set
    Time settles = 0;        // until then it keeps `kept`
    double kept = 0;
  };
  struct Host {
    double cpu = 0;
    std::int64_t memory = 0;
    std::int64_t tasks = 0;
    // Counts tasks of the job at hand while its CPU is added up anew; else kNotAdded.
    std::int32_t here = kNotAdded;
  };
  static constexpr std::int32_t kNotAdded = -1;

  [[nodiscard]] TaskNeeds needs(JobId job) const {
    return needs_.of(job, jobs_[index(job)].size);
  }
  [[nodiscard]] Verdict forbids(JobId job, const Placement* placement) const;
  void add(const Placed& placed);
  void subtract(const Placed& placed);
  void set_times(JobId job, Placed& placed);
  // Judges the hosts that changed since the last call, unless a repacking goes on.
  [[nodiscard]] Verdict judge_hosts();
  [[nodiscard]] bool has_places(std::vector<Host> hosts, const TaskNeeds& wanted,
                                std::int32_t tasks) const;
  // REQUIRES: no number is named twice.
  void add_up_anew(std::span<const std::int32_t> numbers);
  [[nodiscard]] Host& at(std::int32_t host) {
    return hosts_[static_cast<std::size_t>(host)];
  }

  NeedsOfTasks needs_;
  std::span<const Job> jobs_;
  std::vector<Host> hosts_;
  std::map<JobId, Placed> placed_;  // of running jobs
  std::map<JobId, std::int64_t> times_;
  std::set<std::pair<Time, JobId>> settling_;  // when shares take hold
  Time now_ = 0;
  std::vector<std::int32_t> changed_;  // hosts not judged yet; may name one twice
  std::vector<JobId> affected_;
  bool is_repacking_ = false;
  std::int64_t moved_kib_ = 0;  // by the present action
  std::int64_t used_ = 0;
};

}  // namespace berth::audit

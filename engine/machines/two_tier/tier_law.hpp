#pragma once
// Two tiers on every processor: which slots a job may have (C5), how fast it then runs
// (W4), and at most one promotion a job (W8).
//
// Derived from placements and from what is drawn for the jobs, process by process.
//
// Cost         O(processes) a change, O(processes) a rate.
// Source       Liu et al. 2012; docs/model.md#two-tier.

#include <array>
#include <unordered_map>
#include <vector>

#include "engine/audit/law.hpp"
#include "engine/jobs/job.hpp"
#include "engine/machines/two_tier/cpu_nature.hpp"
#include "engine/machines/two_tier/tier_slots.hpp"
#include "engine/sim/machine.hpp"

namespace berth::audit {

inline constexpr Rule kTiers{"C5", "tiers"};

class TierLaw final : public Law, public TierOrder {
 public:
  // Whether placements tell which process sits on which processor; where not, what a
  // process above declares is not judged, and no rate may be asked for.
  enum class Processes : std::uint8_t { kNumbered, kUnnumbered };
  // REQUIRES: jobs outlive the law.
  TierLaw(const sim::Machine& machine, std::span<const Job> jobs, CpuNatures natures,
          Processes processes = Processes::kNumbered);

  [[nodiscard]] Verdict start(JobId job, const Placement* placement,
                              bool resumed) override;
  [[nodiscard]] Verdict change(const sim::ChangeRecord& record) override;
  void leave(JobId job) override;
  void freeze(JobId job, bool frozen) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] std::vector<JobId> take_affected() override;
  [[nodiscard]] bool is_placed(JobId job) const override {
    return placed_.contains(index(job));
  }
  [[nodiscard]] std::int64_t used() const override { return used_; }
  [[nodiscard]] bool occupies(JobId job) const override {
    return placed(job).slots.tier == Tier::kForeground;
  }
  [[nodiscard]] bool serves_head(sim::Causes causes) const override {
    return (causes & (sim::kSubmit | sim::kForegroundEnd)) != 0;
  }

 private:
  struct Placed {
    TierSlots slots;
    CpuNature nature;
    bool frozen = false;
    bool is_affected = false;  // it stands in affected_
  };
  struct Process {
    JobId job;
    std::size_t number;
  };
  struct Processor {
    std::optional<Process> foreground;
    std::optional<Process> background;
  };

  // The only place that reads what is drawn for a job.
  [[nodiscard]] CpuNature nature_of(JobId job) const {
    return natures_.of(job, jobs_[index(job)].demand());
  }
  [[nodiscard]] const Placed& placed(JobId job) const { return placed_.at(index(job)); }
  [[nodiscard]] Verdict occupy(JobId job, const Placement* placement);
  [[nodiscard]] Verdict forbids(JobId job, const TierSlots& slots) const;
  [[nodiscard]] bool is_usable(const Processor& processor) const;
  [[nodiscard]] bool is_slowed(const Placed& placed, std::size_t process,
                               const Processor& processor) const;
  [[nodiscard]] double process_rate(const Placed& placed, std::size_t process) const;
  void affect(const TierSlots& slots);
  void affect(const std::optional<Process>& process);

  CpuNatures natures_;
  std::span<const Job> jobs_;
  Processes processes_;
  std::vector<Processor> processors_;
  std::unordered_map<std::uint32_t, Placed> placed_;  // looked up only
  std::vector<JobId> affected_;
  std::int64_t used_ = 0;
};

}  // namespace berth::audit

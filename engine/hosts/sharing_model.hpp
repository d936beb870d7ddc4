#pragma once
// Where jobs run on a machine, and how fast: the core that every sharing model has.
//
// A machine has one model.  The simulation asks before it changes anything; after a
// change it recomputes the end of the jobs that the model names as affected, and of no
// other.  What a model can do besides is a capability: an interface with a header of
// its own (tiers.hpp), found by capability<>().  No code outside a model depends on
// which model it is.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/demand.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"
#include "engine/base/refusal.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "engine/hosts/grant.hpp"

namespace berth {

class MachineFact;

// Which of the idle processors a job gets (docs/model.md#assumptions).
enum class Pick : std::uint8_t { kLowest, kHighest };

enum class Frozen : std::uint8_t { kNo, kYes };

// Jobs whose rate may have changed.  May name a job twice, and a job whose rate has
// not changed.
using Affected = std::vector<JobId>;

// Of what too little can be allocated.
struct Shortage {
  std::int64_t needed;
  std::int64_t available;
  // Of several kinds of resource the first that lacks, in whose unit the two numbers
  // are; "chunks" where there is enough of each and no host has room for all of them.
  // Empty: processors.
  std::string_view kind{};
};

class SharingModel {
 public:
  virtual ~SharingModel() = default;

  // The job is submitted; told once, before any other question about it.  Why it can
  // never start, not even on the empty machine; nullopt: it may start some day.  This
  // is the one question for that: kTooBig if it has more than widest() processes.
  virtual std::optional<Refusal> arrive(JobId, const Demand& demand) {
    return demand.processors() > widest_ ? std::optional(Refusal::kTooBig)
                                         : std::nullopt;
  }
  // The allocation that the machine's own rule gives the job now, or the refusal.
  // `where`, if not null, restricts it: a set of processors to keep to, or a placement
  // in the machine's own form, which is then that of the answer.  Reads only.
  [[nodiscard]] virtual Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const = 0;
  // Whether `choose` without restriction would grant this demand now.
  [[nodiscard]] virtual bool fits(JobId job, const Demand& demand) const = 0;
  // Whether `choose` without restriction would grant it once these jobs have left.
  // REQUIRES: they have allocations, each is named once.
  [[nodiscard]] virtual bool fits_without(JobId job, const Demand& demand,
                                          std::span<const JobId> gone) const;
  // What its searches charge from now on; before the first call they have no limit.
  // REQUIRES: the budget outlives the model.
  virtual void charge_to(Budget&) {}
  // Why a job does not fit.  REQUIRES: fits() is false.
  [[nodiscard]] virtual Refusal unfit(JobId, const Demand&) const {
    return Refusal::kBusy;
  }
  // Whether the model knows more of that.
  [[nodiscard]] bool knows_why_unfit() const { return knows_why_unfit_; }
  // It, as the log tells it of the oldest job that waits; valid until the model
  // changes.  REQUIRES: knows_why_unfit().
  [[nodiscard]] virtual std::unique_ptr<const MachineFact> why_unfit(
      JobId, const Demand&) const;
  // What a job lacks that does not fit.  REQUIRES: fits() is false.
  [[nodiscard]] virtual Shortage shortage(JobId, const Demand& demand) const {
    return {demand.processors(), idle_};
  }
  // What may be taken now, or why nothing may: the one way to an allocation.  Reads
  // only.  Makes the grant of what the machine's own rule gives, kept to `where` if
  // that is not null.
  [[nodiscard]] std::optional<Refusal> grant(JobId job, const Demand& demand,
                                             const Placement* where, Grant& made) const;
  // The same of this very placement.  Error{kPolicy}: it was made for another job or
  // demand, or has not as many processors, VMs or tasks as the job asks for.
  [[nodiscard]] std::optional<Refusal> grant(JobId job, const Demand& demand,
                                             const Proposal& proposal,
                                             Grant& made) const;
  // Allocates it.  REQUIRES: it was made since the last change of the model.
  //
  // This and the next two append every job whose rate may have changed.  The job
  // itself need not be among them when it is allocated or leaves.
  void take(const Grant& grant, Affected& affected) {
    BERTH_ASSERT(grant.is_made_);
    put(grant.job_, grant.demand_, grant.placement(), affected);
  }
  // Allocates what the machine's own rule gives.  REQUIRES: fits(job, demand).
  void allocate(JobId job, const Demand& demand, Affected& affected);
  virtual void leave(JobId job, Affected& affected) = 0;
  // A frozen job holds its allocation and stands still.
  virtual void freeze(JobId job, Frozen frozen, Affected& affected) = 0;
  // Work per tick: 0..1, and 0 while frozen.
  [[nodiscard]] virtual double rate(JobId job) const = 0;
  // REQUIRES: the job has an allocation.  Valid until it changes.
  [[nodiscard]] virtual const Placement& placement(JobId job) const = 0;
  // Whether a job that runs unfrozen always makes full progress.  Where it does not,
  // progress is hidden from policies and planned times count from the last start.
  [[nodiscard]] virtual bool guarantees_speed() const { return true; }

  // At most so many processors can be allocated now: a hint by which an index prunes.
  // Whether a job fits is asked of fits().
  [[nodiscard]] std::int64_t idle() const { return idle_; }
  // No job of more processes can ever start, whatever else it needs: idle() of the
  // empty machine, and kAnyWidth where processes share processors.
  [[nodiscard]] std::int64_t widest() const { return widest_; }
  // Whether a job fits exactly if it asks for at most idle() processors; then fits()
  // need not be asked.
  [[nodiscard]] bool fits_by_count() const { return fit_ == Fit::kByCount; }

 protected:
  enum class Fit : std::uint8_t { kByCount, kByPlacement };
  static constexpr auto kAnyWidth =
      std::int64_t{std::numeric_limits<std::int32_t>::max()};
  // `widest` is idle() of the empty machine.
  explicit SharingModel(std::int64_t widest, Fit fit = Fit::kByPlacement)
      : idle_(widest), widest_(widest), fit_(fit) {}
  // Allocates this placement, or what `choose` without restriction gives if it is null.
  // REQUIRES: it was granted.
  virtual void put(JobId job, const Demand& demand, const Placement* placement,
                   Affected& affected) = 0;
  // Called by a model that overrides why_unfit().
  void know_why_unfit() { knows_why_unfit_ = true; }
  // Called by the model after every change.
  void set_idle(std::int64_t processors) { idle_ = processors; }

 private:
  std::int64_t idle_;
  std::int64_t widest_;
  Fit fit_;
  bool knows_why_unfit_ = false;
};

// The model's capability of this type; nullptr if it has none.
template <class Capability>
[[nodiscard]] const Capability* capability(const SharingModel& model) {
  return dynamic_cast<const Capability*>(&model);
}
template <class Capability>
[[nodiscard]] Capability* capability(SharingModel& model) {
  return dynamic_cast<Capability*>(&model);
}

}  // namespace berth

#pragma once
// Where jobs run on a machine, and how fast: the core that every sharing model has.
//
// A machine has one model.  The simulation asks before it changes anything; after a
// change it recomputes the end of the jobs that the model names as affected, and of no
// other.  What a model can do besides is a capability: an interface with a header of
// its own, found by capability<>() in the folder of the machine alone.  No code outside
// a model depends on which model it is.

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
#include "engine/hosts/outlook.hpp"

namespace berth {

class MachineFact;
class SeveralKinds;
class Speeds;

enum class Frozen : std::uint8_t { kNo, kYes };

// Jobs whose rate may have changed.  May name a job twice, and a job whose rate has
// not changed.
using Affected = std::vector<JobId>;

// What is true of a model from its making on.
struct ModelTraits {
  // A job fits exactly if it asks for at most idle() processors; then fits() need not
  // be asked.
  bool fits_by_count = false;
  // Numbers of processors tell what fits later, so that plans and the book count them.
  bool plans_by_count = true;
  // A job that runs unfrozen always makes full progress, or that of its place where
  // places differ in speed.  Where it does not, progress is hidden from policies and
  // planned times count from the last start.
  bool guarantees_speed = true;
  // No end is expected of some jobs that run, while one is of others.
  bool runs_without_expected_end = false;
  // Policies may expect other times of jobs than their walltimes.
  bool takes_estimates = false;
  // Jobs that are expected to end at one instant always count together, whatever
  // machine.shadow_ties says.
  bool joins_equal_ends = false;
  // Several processes of a job may be on one processor: idle() bounds nothing.
  bool shares_processors = false;
  // Placement::tag_of() the form of its placements; null: they have none.
  const void* form = nullptr;
  // Why nothing can be planned, as a sentence; empty: it can.
  std::string_view cannot_plan{};

  // One pool of processors, each of which serves one job.
  [[nodiscard]] bool is_pool() const {
    return fits_by_count && !runs_without_expected_end;
  }
};

// Why jobs do not fit, where the number of idle processors does not tell.
class Reasons {
 public:
  virtual ~Reasons() = default;
  // REQUIRES, of these two: it does not fit now.
  [[nodiscard]] virtual Refusal unfit(JobId, const Demand&) const {
    return Refusal::kBusy;
  }
  [[nodiscard]] virtual Shortage shortage(JobId, const Demand&) const = 0;
  // What else is known of that; null: nothing.  Told at each pass of the oldest job
  // that waits, whether it fits or not; valid until the model changes.
  [[nodiscard]] virtual std::unique_ptr<const MachineFact> why_unfit(
      JobId, const Demand&) const;
};

// Of a model; null: it has none.
struct ModelParts {
  const Reasons* reasons = nullptr;
  const SeveralKinds* kinds = nullptr;  // amounts of each kind, host by host
  const Speeds* speeds = nullptr;       // null: a job is as fast on every place
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
  // The machine as it is now, for this job, to be asked about a later instant; null:
  // numbers of processors tell what fits later.  Cost: a copy of what is free.
  [[nodiscard]] virtual std::unique_ptr<Outlook> outlook(JobId job,
                                                         const Demand& demand) const;
  // What its searches charge from now on; before the first call they have no limit.
  // REQUIRES: the budget outlives the model.
  virtual void charge_to(Budget&) {}
  // Why a job does not fit, and what it lacks.  REQUIRES: fits() is false.
  [[nodiscard]] Refusal unfit(JobId job, const Demand& demand) const {
    return parts_.reasons == nullptr ? Refusal::kBusy
                                     : parts_.reasons->unfit(job, demand);
  }
  [[nodiscard]] Shortage shortage(JobId job, const Demand& demand) const {
    return parts_.reasons == nullptr ? Shortage{demand.processors(), idle_}
                                     : parts_.reasons->shortage(job, demand);
  }
  // What may be taken now, or why nothing may: the one way to an allocation.  Reads
  // only.  Makes the grant of what the machine's own rule gives, kept to `where` if
  // that is not null.
  [[nodiscard]] Result<Done, Refusal> grant(JobId job, const Demand& demand,
                                            const Placement* where, Grant& made) const;
  // The same of this very placement.  Error{kPolicy}: it was made for another job or
  // demand, or has not as many processors, VMs or tasks as the job asks for.
  [[nodiscard]] Result<Done, Refusal> grant(JobId job, const Demand& demand,
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
  // Work per tick: 0 while frozen, and at most 1 where places do not differ in speed.
  [[nodiscard]] virtual double rate(JobId job) const = 0;
  // REQUIRES: the job has an allocation.  Valid until it changes.
  [[nodiscard]] virtual const Placement& placement(JobId job) const = 0;

  [[nodiscard]] const ModelTraits& traits() const { return traits_; }
  // Error{kPolicy} where nothing can be planned: `action` names the call.
  void require_plans(const char* action) const;
  // Processors, or hosts, on which nothing runs.
  [[nodiscard]] std::int64_t idle() const { return idle_; }
  // No job of more processes fits now: a hint by which an index prunes.  Whether a job
  // fits is asked of fits().
  [[nodiscard]] std::int64_t most() const { return most_; }
  // No job of more processes can ever start, whatever else it needs: most() of the
  // empty machine.
  [[nodiscard]] std::int64_t widest() const { return widest_; }
  [[nodiscard]] const Reasons* reasons() const { return parts_.reasons; }
  [[nodiscard]] const SeveralKinds* kinds() const { return parts_.kinds; }
  [[nodiscard]] const Speeds* speeds() const { return parts_.speeds; }

 protected:
  // `idle`: of the empty machine.
  explicit SharingModel(std::int64_t idle, const ModelTraits& traits = {},
                        const ModelParts& parts = {})
      : idle_(idle),
        most_(traits.shares_processors ? kAnyWidth : idle),
        widest_(most_),
        traits_(traits),
        parts_(parts) {}
  // Allocates this placement, or what `choose` without restriction gives if it is null.
  // REQUIRES: it was granted.
  virtual void put(JobId job, const Demand& demand, const Placement* placement,
                   Affected& affected) = 0;
  // Called by the model after every change.
  void set_idle(std::int64_t processors) {
    idle_ = processors;
    if (!traits_.shares_processors) most_ = processors;
  }

 private:
  static constexpr auto kAnyWidth =
      std::int64_t{std::numeric_limits<std::int32_t>::max()};

  std::int64_t idle_;
  std::int64_t most_;
  std::int64_t widest_;
  ModelTraits traits_;
  ModelParts parts_;
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

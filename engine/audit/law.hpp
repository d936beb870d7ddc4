#pragma once
// What must hold on the machines of one sharing model: which placements are allowed,
// and how fast each job runs on its own.
//
// A law derives everything from the workload, the machine and what it is told, never
// from the sharing model that it judges.  The auditor keeps what is common to all
// models (work, times, frozen time, promises) and knows no model by name; it is given
// the law of its machine by the record of the model.
//
// Cost         Of the law; called once a record of a start, promotion, freeze and end.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/audit/rules.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"
#include "engine/sim/record.hpp"

namespace berth::audit {

// Stands for a reservation that a schedule does not tell.
inline constexpr std::int64_t kNotSaid = -1;

// A rule that does not hold, and why; `what` outlives the run.
struct Fault {
  Rule rule;
  std::string_view what;
};
using Verdict = std::optional<Fault>;  // nullopt: the rule holds

class Law {
 public:
  virtual ~Law() = default;

  // The rules that each call of `start` and `change`, and each bracket of records of
  // the machine, checks, one entry a check.
  [[nodiscard]] virtual std::span<const Rule> rules_of_start() const = 0;
  [[nodiscard]] virtual std::span<const Rule> rules_of_change() const { return {}; }
  [[nodiscard]] virtual std::span<const Rule> rules_of_bracket() const { return {}; }
  // Whether numbers of processors tell it all: each running job has as many processors
  // as it asked for to itself, and runs at rate 1 unless frozen.  A light audit then
  // counts processors and calls none of the functions up to `used`.
  [[nodiscard]] virtual bool is_countable() const { return false; }

  // What a job holds of each kind of resource while it runs; empty: its processors
  // alone.  Valid until the next call.
  [[nodiscard]] virtual std::span<const std::int64_t> amounts(JobId) { return {}; }

  // Whether a job fits as soon as it asks for no more processors than are idle; where
  // not, promises that rest on such numbers (R1, R2) are not judged.
  [[nodiscard]] virtual bool counts_tell() const { return true; }
  // Whether the law can tell what fits; where not, the promises that rest on it are not
  // judged, and the machine is believed which jobs can never start.
  [[nodiscard]] virtual bool knows_what_fits() const { return true; }
  // Whether it reads records of the machine, all of them or only where what it must
  // know to judge a promise is in them, as how a job was sought a place for.
  enum class Reads : std::uint8_t { kNothing, kForPromises, kAll };
  [[nodiscard]] virtual Reads reads() const { return Reads::kNothing; }
  // Whether it can tell by `fits_without` whether this job fits, at the end of a pass.
  [[nodiscard]] virtual bool knows_if_fits(JobId) const { return knows_what_fits(); }
  // Whether the law tells by `fits_without` when a job is expected to fit, for R1.
  // REQUIRES: not counts_tell().
  [[nodiscard]] virtual bool tells_expected_fit() const { return false; }
  // What its searches charge from now on; before the first call they have no limit.
  // REQUIRES: the budget outlives the law.
  virtual void charge_to(Budget&) {}
  // From now on it proves what else it works out by a formula, where it can.
  virtual void be_thorough() {}
  // It is so late now; told before anything else that happens then.  Jobs whose rate
  // must have changed since the last call, although nothing happened to them.
  [[nodiscard]] virtual std::vector<JobId> come_to(Time) { return {}; }
  // The most processes that a job may have on a machine of so many processors.
  [[nodiscard]] virtual std::int32_t widest(std::int32_t processors) const {
    return processors;
  }
  // The job is submitted.
  virtual void arrive(JobId) {}
  // Whether a job that is not wider than the machine can never start on it.
  // REQUIRES: it has arrived.
  [[nodiscard]] virtual bool never_fits(JobId) { return false; }
  // Whether the job would fit once these running jobs had left.
  // REQUIRES: not counts_tell().
  [[nodiscard]] virtual bool fits_without(JobId, std::span<const JobId>) {
    return false;
  }

  // The job starts, or resumes.  `placement` is null if it was given none.
  // REQUIRES: it holds no placement.
  [[nodiscard]] virtual Verdict start(JobId job, const Placement* placement,
                                      bool resumed) = 0;
  // A running job gets another allocation or share.
  // REQUIRES: started and not left since.
  [[nodiscard]] virtual Verdict change(const sim::ChangeRecord& record);
  // What only the machine tells.  REQUIRES: it reads such records.
  [[nodiscard]] virtual Verdict note(const sim::MachineRecord&) { return {}; }
  // The job ends or is suspended.  REQUIRES: started and not left since.
  virtual void leave(JobId job) = 0;
  // REQUIRES: started and not left since.
  virtual void freeze(JobId job, bool frozen) = 0;
  // Work per tick that the job's placement and its neighbours allow; 0 while frozen.
  // REQUIRES: started and not left since.
  [[nodiscard]] virtual double rate(JobId job) const = 0;
  // Jobs whose rate the changes since the last call may have changed.  May name a job
  // twice, and jobs that have left; need not name the job that changed itself.
  [[nodiscard]] virtual std::vector<JobId> take_affected() { return {}; }
  // Whether the job holds a placement.
  [[nodiscard]] virtual bool is_placed(JobId job) const = 0;
  // Processors with at least one job.
  [[nodiscard]] virtual std::int64_t used() const = 0;

  // Whether the job occupies what a waiting job could start on.  One that does not (in
  // the background) stays a candidate beside the queue and has no expected end.
  // REQUIRES: started and not left since.
  [[nodiscard]] virtual bool occupies(JobId) const { return true; }
  // Whether a policy looks at the head of the queue in a pass with these causes; the
  // head promise is judged there only.
  [[nodiscard]] virtual bool serves_head(sim::Causes) const { return true; }
  // Whether a job runs at rate 1 unless it is frozen.  Where not, the work done so far
  // is not known, and a resumed job is planned for its whole walltime, not for the
  // rest.
  [[nodiscard]] virtual bool guarantees_speed() const { return true; }
  // Whether a resume with VMs on other servers counts as a migration.
  [[nodiscard]] virtual bool counts_moves() const { return false; }
  // How often one job may be promoted or migrate.
  [[nodiscard]] virtual std::int32_t most_promotions() const { return 0; }
};

inline Verdict Law::change(const sim::ChangeRecord&) {
  return Fault{kWholePlacement, "it moves on a machine on which jobs stay in place"};
}

}  // namespace berth::audit

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
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/audit/rules.hpp"
#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"
#include "engine/hosts/speeds.hpp"
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

// What a law says of a machine whose places differ in speed.
struct SpeedTerms {
  WalltimeOf walltime_of;
  Rule rule;  // that the work of a job is its length
};

// What a law says once, before the run.
struct LawTerms {
  // One entry for each check that a call of `start` makes, one of `change`, and a
  // bracket of records of the machine (or a figure that it tells, where none moves).
  std::span<const Rule> of_start{};
  std::span<const Rule> of_change{};
  std::span<const Rule> of_bracket{};
  // Whether numbers of processors tell it all: each running job has as many processors
  // as it asked for to itself, and runs at rate 1 unless frozen.  A light audit then
  // counts processors and calls no function of the law.
  bool is_countable = false;
  // Whether a job runs at rate 1 unless it is frozen.  Where not, the work done so far
  // is not known, and a resumed job is planned for its whole walltime, not for the
  // rest.
  bool guarantees_speed = true;
  // Where that rate is the speed of its place, which FitLaw tells, and not 1.
  std::optional<SpeedTerms> speeds{};
  // Whether a job may have more processes than the machine has processors.
  bool has_any_width = false;
  // Whether a resume with parts elsewhere counts as a migration.
  bool counts_moves = false;
  // Swaps, restarts and migrations of one job, together.
  std::int32_t most_moves = 0;
  // Whether it reads records of the machine, all of them or only where what it must
  // know to judge a promise is in them, as how a job was sought a place for.
  enum class Reads : std::uint8_t { kNothing, kForPromises, kAll };
  Reads reads = Reads::kNothing;
};

// What fits, where numbers of processors do not tell.
class FitLaw {
 public:
  virtual ~FitLaw() = default;
  // The job is submitted.
  virtual void arrive(JobId) {}
  // Whether a job that is not wider than the machine can never start on it.
  // REQUIRES: it has arrived.
  [[nodiscard]] virtual bool never_fits(JobId) = 0;
  // Whether the job would fit once these running jobs had left.
  [[nodiscard]] virtual bool fits_without(JobId, std::span<const JobId> gone) = 0;
  // The same if it may have nothing of these hosts.  REQUIRES: a machine with hosts.
  [[nodiscard]] virtual bool fits_beside(JobId job, std::span<const JobId> gone,
                                         std::span<const std::int32_t>) {
    return fits_without(job, gone);
  }
  // Whether the law can tell what fits; where not, the promises that rest on it are not
  // judged, and the machine is believed which jobs can never start.
  [[nodiscard]] virtual bool knows() const { return true; }
  // Whether it can tell whether this job fits, at the end of a pass.
  [[nodiscard]] virtual bool knows_of(JobId) const { return knows(); }
  // Whether it tells when a job is expected to fit, for R1.
  [[nodiscard]] virtual bool tells_expected_fit() const { return false; }
  // Work per tick of a job, which is placed, while it is not frozen.
  [[nodiscard]] virtual double speed(JobId) const { return 1; }
  // What a job holds of each kind of resource while it runs; empty: its processors
  // alone.  Valid until the next call.
  [[nodiscard]] virtual std::span<const std::int64_t> amounts(JobId) { return {}; }
};

// Jobs that run beside the queue.
class TierOrder {
 public:
  virtual ~TierOrder() = default;
  // Whether the job occupies what a waiting job could start on.  One that does not (in
  // the background) stays a candidate beside the queue and has no expected end.
  // REQUIRES: started and not left since.
  [[nodiscard]] virtual bool occupies(JobId) const = 0;
  // Whether a policy looks at the head of the queue in a pass with these causes; the
  // head promise is judged there only.
  [[nodiscard]] virtual bool serves_head(sim::Causes) const = 0;
};

class Law {
 public:
  virtual ~Law() = default;
  Law(const Law&) = delete;
  Law& operator=(const Law&) = delete;

  [[nodiscard]] const LawTerms& terms() const { return terms_; }
  // Null: a job fits as soon as it asks for no more processors than are idle.
  [[nodiscard]] FitLaw* fit() const { return fit_; }
  // Null: every running job occupies what it has.
  [[nodiscard]] const TierOrder* order() const { return order_; }
  // The most processes that a job may have on a machine of so many processors.
  [[nodiscard]] std::int32_t widest(std::int32_t processors) const {
    return terms_.has_any_width ? std::numeric_limits<std::int32_t>::max() : processors;
  }
  // What its searches charge from now on; before the first call they have no limit.
  // REQUIRES: the budget outlives the law.
  void charge_to(Budget& budget) { budget_ = &budget; }
  // From now on it proves what else it works out by a formula, where it can.
  void be_thorough() { is_thorough_ = true; }

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
  // It is so late now; told before anything else that happens then.  Jobs whose rate
  // must have changed since the last call, although nothing happened to them.
  [[nodiscard]] virtual std::vector<JobId> come_to(Time) { return {}; }
  // Jobs whose rate the changes since the last call may have changed.  May name a job
  // twice, and jobs that have left; need not name the job that changed itself.
  [[nodiscard]] virtual std::vector<JobId> take_affected() { return {}; }
  // Whether the job holds a placement.
  [[nodiscard]] virtual bool is_placed(JobId job) const = 0;
  // Processors with at least one job.
  [[nodiscard]] virtual std::int64_t used() const = 0;

 protected:
  // `fit` and `order` are parts of the law itself.
  explicit Law(const LawTerms& terms, FitLaw* fit = nullptr,
               const TierOrder* order = nullptr)
      : terms_(terms), fit_(fit), order_(order) {}
  [[nodiscard]] Budget& budget() { return *budget_; }
  [[nodiscard]] bool is_thorough() const { return is_thorough_; }

 private:
  LawTerms terms_;
  FitLaw* fit_;
  const TierOrder* order_;
  Budget unlimited_;
  Budget* budget_ = &unlimited_;
  bool is_thorough_ = false;
};

inline Verdict Law::change(const sim::ChangeRecord&) {
  return Fault{kWholePlacement, "it moves on a machine on which jobs stay in place"};
}

}  // namespace berth::audit

#pragma once
// The state of a run: time, jobs, hosts, running jobs, pending events, the policy's
// book, and the observers that are told what happens.
//
// The loop applies events to it and actions change it.  A function that changes it does
// one step; the caller has asked before whether the step is allowed.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/hosts/sharing_model.hpp"
#include "engine/jobs/job_table.hpp"
#include "engine/jobs/running_set.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/observer.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"

namespace berth {
class ReservationBook;
class Shares;
}  // namespace berth

namespace berth::sim {

// What the policy may do at present: an action requires a phase and raises in an
// earlier one.
enum class Phase : std::uint8_t { kOutside, kReading, kHook, kDecision };

// The present decision.
struct Decision {
  std::int64_t number = 0;   // counts passes that were left out, too
  std::int64_t actions = 0;  // so far
  Causes causes = 0;         // kinds of event that led to it
  Phase phase = Phase::kOutside;
  std::string because{};  // reason for the next action
};

// The machine holds processors itself for a time, as while a host is down.  To plans
// and to the book that is a running job, whose expected end moves on as that of a job
// which overruns; it has no entry, no record and no place among the jobs that a policy
// sees.
struct SystemClaim {
  std::uint32_t number;  // of its job: JobTable::system_job
  std::int32_t processors;
  Time until;  // expected end
};

class World {
 public:
  // REQUIRES: jobs by (submit, id), ids unique.  Jobs and policy outlive the world.
  // Throws Error{kInput} if the policy's order is fair_share and no job names a user.
  World(const Machine& machine, const Settings& settings, std::span<const Job> jobs,
        Policy& policy, std::unique_ptr<SharingModel> model);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Ask.
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const PolicyTraits& traits() const { return traits_; }
  [[nodiscard]] std::int64_t capacity() const { return machine_.processors; }
  [[nodiscard]] const SharingModel& hosts() const { return *model_; }
  [[nodiscard]] const JobTable& jobs() const { return table_; }
  [[nodiscard]] const RunningSet& running() const { return running_; }
  [[nodiscard]] const Agenda& agenda() const { return agenda_; }
  [[nodiscard]] const Decision& decision() const { return decision_; }
  // Jobs that arrived and have not left.
  [[nodiscard]] std::int64_t in_system() const { return in_system_; }
  // Whether a plain start of the job would succeed now.
  [[nodiscard]] bool fits(JobId job) const {
    const auto& asked = table_.job(job);
    if (model_->traits().fits_by_count) return asked.size <= model_->idle();
    return model_->fits(job, asked.demand());
  }
  // If the job started or resumed now: how long it would be frozen, and the planned
  // time that it has left from then on.
  struct Planned {
    Duration frozen;
    Duration left;
    Duration span = after(frozen, left);
  };
  [[nodiscard]] Planned planned(JobId job) const;

  // Error{kPolicy} unless the phase is at least this one.
  void require(Phase least, const char* action) const {
    if (decision_.phase < least) refuse_phase(action);
  }
  // Error{kPolicy} with the job and its state unless `right`.
  void require_state(JobId job, bool right, const char* action) const {
    if (!right) refuse_state(job, action);
  }
  // Error{kPolicy} on a machine on which no end is expected, so that nothing can be
  // planned: `action` names the call.
  void require_plans(const char* action) const;
  // "job 7 is running (t=30)".
  [[nodiscard]] std::string describe(JobId job) const;

  // The users; nullptr if the settings have no shares or no job names a user.
  [[nodiscard]] const Shares* shares() const { return shares_.get(); }

  // Parts of the world that events and actions change.
  [[nodiscard]] Shares* shares() { return shares_.get(); }
  [[nodiscard]] SharingModel& hosts() { return *model_; }
  [[nodiscard]] JobTable& jobs() { return table_; }
  [[nodiscard]] Agenda& agenda() { return agenda_; }
  [[nodiscard]] Decision& decision() { return decision_; }
  // Jobs whose rate may have changed, until update_affected().
  [[nodiscard]] Affected& affected() { return affected_; }
  // The policy's book of reservations, made at its first use.
  [[nodiscard]] ReservationBook& book() {
    if (!book_) make_book();
    return *book_;
  }
  // What the work of the present decision is charged to.
  [[nodiscard]] Budget& budget() const { return budget_; }
  // nullptr if it was never used.
  [[nodiscard]] ReservationBook* book_if_used() const { return book_.get(); }

  // Steps.

  // REQUIRES: not before now.  Forgets the jobs that left at an earlier instant.
  void come_to(Time instant) {
    BERTH_ASSERT(instant >= now_);
    if (instant != now_ && !departed_.empty()) forget_departed();
    now_ = instant;
    budget_.begin_piece();
  }
  // The next job arrives.  Whether it waits; else the machine rejects it.
  bool admit(JobId job);
  // The job leaves the system in this state; its entry stays readable at this instant.
  void depart(JobId job, JobState state);
  // How a job runs from now on.
  struct Run {
    Time unfreezes;    // until then it is frozen; now: it runs at once
    Time planned_end;  // kNever: no end is expected, and no walltime limits it
  };
  // The job, which has an allocation, runs.
  void run(JobId job, const Run& how);
  // The job no longer runs as it did: it leaves the running jobs by expected end.  The
  // caller cancels its pending events.
  void stop(JobId job);
  // The machine, which has taken the processors already, holds them from now on.
  // REQUIRES: the claim ends later than now; no other has its number.
  void hold(const SystemClaim& claim);
  // It has given them back, early or late.  REQUIRES: held.
  void give_back(const SystemClaim& claim);
  // Adds what the job has done since it was last settled, at the rate it had.
  void settle(JobEntry& entry) const {
    entry.progress += entry.rate * static_cast<double>(now_ - entry.settled);
    entry.settled = now_;
  }
  // Recomputes rate and end of the affected jobs.
  void update_affected() {
    if (!affected_.empty()) update_rates();
  }
  // The last step of an action: counts it, tells the record that `record()` makes, and
  // updates the affected jobs.
  template <class Record>
  void conclude(const Record& record) {
    ++decision_.actions;
    tell_book_changes();
    if (audience_.wants<std::invoke_result_t<Record>>()) audience_.tell(record());
    decision_.because.clear();
    update_affected();
  }
  // Tells what was reserved, moved or given up in the book since the last call.
  void tell_book_changes() {
    if (book_) tell_changes_of_book();
  }

  // Who is told what happens.
  [[nodiscard]] const Audience& audience() const { return audience_; }
  [[nodiscard]] Audience& audience() { return audience_; }
  [[nodiscard]] Subject subject(JobId job) const {
    return {job, &table_.job(job), &table_[job]};
  }

  // While one is alive actions raise: functions that the policy passes in only read.
  class ReadingOnly {
   public:
    explicit ReadingOnly(World& world)
        : world_(world),
          before_(std::exchange(world.decision_.phase, Phase::kReading)) {}
    ~ReadingOnly() { world_.decision_.phase = before_; }
    ReadingOnly(const ReadingOnly&) = delete;
    ReadingOnly& operator=(const ReadingOnly&) = delete;

   private:
    World& world_;
    Phase before_;
  };

 private:
  [[nodiscard]] std::span<const std::int64_t> needs_in_all(JobId job);
  [[noreturn]] void refuse_phase(const char* action) const;
  [[noreturn]] void refuse_state(JobId job, const char* action) const;
  void forget_departed();
  [[nodiscard]] Time limit_of(const Job& job, const JobEntry& entry,
                              const Run& how) const;
  void predict(JobId job, JobEntry& entry);
  void update_rates();
  void make_book();
  void tell_changes_of_book();

  Machine machine_;
  Settings settings_;
  const PolicyTraits& traits_;
  std::unique_ptr<SharingModel> model_;
  JobTable table_;
  Agenda agenda_;
  RunningSet running_;
  Budget& budget_;
  std::unique_ptr<ReservationBook> book_;
  std::unique_ptr<Shares> shares_;
  Audience audience_;
  Time now_ = 0;
  std::int64_t in_system_ = 0;
  Decision decision_;
  std::vector<JobId> departed_;  // at this instant
  Affected affected_;
  std::vector<std::int64_t> needs_;  // scratch
};

}  // namespace berth::sim

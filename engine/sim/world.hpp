#pragma once
// The state of a run: time, jobs, hosts, running jobs, pending events, the policy's
// book, and the observers that are told what happens.
//
// The loop applies events to it and actions change it.  Functions that change it do
// one step each and assume that the caller has checked what it asks for.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/clock/event_queue.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/jobs/job_table.hpp"
#include "engine/jobs/running_set.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/observer.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"

namespace berth::sim {

// What a function of the policy may do: an action requires a phase and raises in an
// earlier one.
enum class Phase : std::uint8_t { kOutside, kReading, kHook, kDecision };

class World {
 public:
  // REQUIRES: jobs by (submit, id), ids unique.  Jobs and traits outlive the world.
  World(const Machine& machine, const Settings& settings, std::span<const Job> jobs,
        const PolicyTraits& traits, std::unique_ptr<SharingModel> model);

  // Ask.
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const PolicyTraits& traits() const { return traits_; }
  [[nodiscard]] std::int64_t capacity() const { return machine_.processors; }
  [[nodiscard]] const SharingModel& hosts() const { return *model_; }
  [[nodiscard]] const JobTable& jobs() const { return table_; }
  [[nodiscard]] const RunningSet& running() const { return running_; }
  // Number of the present decision; it counts passes that were left out.
  [[nodiscard]] std::int64_t decision() const { return decision_; }
  // Actions of the present decision so far.
  [[nodiscard]] std::int64_t actions() const { return actions_; }
  // Kinds of event that led to the present pass.
  [[nodiscard]] Causes causes() const { return causes_; }
  // Whether a plain start of the job would succeed now.
  [[nodiscard]] bool fits(JobId job) const {
    return model_->fits(job, table_.job(job).demand());
  }
  // Planned time the job has left, counted from the moment it runs (again).
  [[nodiscard]] Duration planned_left(JobId job) const;
  // How long the job would be frozen if it started or resumed now.
  [[nodiscard]] Duration migration_delay(JobId job) const {
    return migration_delay(table_[job]);
  }
  // Planned time until the job would end if it started or resumed now.
  [[nodiscard]] Duration planned_span(JobId job) const {
    return after(migration_delay(job), planned_left(job));
  }
  // Whether the job runs, and its end cannot be expected: the planned time of a
  // background job says nothing about its end.
  [[nodiscard]] bool runs_without_end(JobId job) const {
    return table_.state(job) == JobState::kRunning && table_[job].planned_end == kNever;
  }
  // Error{kPolicy} unless the phase is at least this one.
  void require(Phase least, const char* action) const {
    if (phase_ < least) refuse_here(action);
  }
  // Error{kPolicy} naming the job and its state unless `right`.
  void require_state(JobId job, bool right, const char* action) const {
    if (!right) refuse_state(job, action);
  }
  // "job 7 is running (t=30)".
  [[nodiscard]] std::string describe(JobId job) const;

  // Steps of an event or an action.
  [[nodiscard]] SharingModel& hosts() { return *model_; }
  [[nodiscard]] JobTable& jobs() { return table_; }
  [[nodiscard]] Affected& affected() { return affected_; }
  void schedule(const Event& event);
  // Makes the pending events of the job void.
  void cancel_events(JobEntry& entry) {
    entry.version = next_version(entry.version);
    may_hold_void_events_ = true;
  }
  // How a run begins or goes on in another place.
  struct Run {
    Time unfreezes;    // now: it runs at once
    Time planned_end;  // kNever: it cannot be expected
    Time limit;        // kNever, or when the machine kills it
  };
  // The job, which has its allocation, runs from now on.  Counts no action.
  void run(JobId job, const Run& how);
  // The job leaves the set of running jobs, or stops running without an end.
  void stop(JobId job);
  // Adds what the job has done since the last time, at the rate it had.
  void settle(JobEntry& entry) const {
    entry.progress += entry.rate * static_cast<double>(now_ - entry.settled);
    entry.settled = now_;
  }
  // Schedules the end at the present rate, or at the walltime where the machine kills.
  void predict(JobId job, JobEntry& entry);
  // Settles and predicts anew the affected jobs whose rate has changed.
  void update_affected() {
    if (!affected_.empty()) update_rates();
  }
  // Ends an action: counts it, and tells its record behind the changes of the book.
  template <class Kind>
  void conclude(const Kind& record) {
    ++actions_;
    tell_book_changes();
    if (wanted<Kind>()) tell(record);
    because_.clear();
    update_affected();
  }
  [[nodiscard]] const std::string& reason() const { return because_; }

  // The policy's book of reservations, made at its first use.
  [[nodiscard]] ReservationBook& book();
  // The same where there is one; else null.
  [[nodiscard]] ReservationBook* book_if_any() { return book_.get(); }
  void tell_book_changes() {
    if (book_) tell_changes_of_book();
  }

  // Telling observers.
  void observe(Observer& observer);
  [[nodiscard]] const std::vector<Observer*>& observers() const { return all_; }
  template <class Kind>
  [[nodiscard]] bool wanted() const {
    return (wanted_ & kinds<Kind>()) != 0;
  }
  template <class Kind>
  void tell(const Kind& record) const {
    for (const auto& watcher : watchers_) {
      if ((watcher.kinds & kinds<Kind>()) != 0) hand(*watcher.observer, record);
    }
  }
  [[nodiscard]] Subject subject(JobId job) const {
    return {job, &table_.job(job), &table_[job]};
  }

  // While one is alive actions raise: functions that the policy passes in only read.
  class ReadingOnly {
   public:
    explicit ReadingOnly(World& world)
        : world_(world), before_(std::exchange(world.phase_, Phase::kReading)) {}
    ~ReadingOnly() { world_.phase_ = before_; }
    ReadingOnly(const ReadingOnly&) = delete;
    ReadingOnly& operator=(const ReadingOnly&) = delete;

   private:
    World& world_;
    Phase before_;
  };

 private:
  friend class Loop;
};

}  // namespace berth::sim

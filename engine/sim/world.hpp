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
#include <vector>

#include "engine/base/scoped_value.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/jobs/job_table.hpp"
#include "engine/jobs/running_set.hpp"
#include "engine/sim/observer.hpp"

namespace berth {
class Checkpoints;
class OwnEstimates;
class ReservationBook;
class Shares;
}  // namespace berth

namespace berth::sim {

class Agenda;
class Policy;
struct Machine;
struct PolicyTraits;
struct Settings;

// What the policy may do at present: an action requires a phase and raises in an
// earlier one.
enum class Phase : std::uint8_t { kOutside, kReading, kHook, kDecision };

// What the machine did by itself since the last hooks, which are told of it.
struct MachineNews {
  struct OfHost {
    std::int32_t host;
    bool is_up;
  };
  std::vector<OfHost> hosts{};
  std::vector<JobId> hit{};
  std::vector<JobId> back{};    // in the queue, after a hit
  std::vector<JobId> failed{};  // they have left the machine
};

// The present decision.
struct Decision {
  Budget& budget;            // what its work is charged to
  std::int64_t number = 0;   // counts passes that were left out, too
  std::int64_t actions = 0;  // so far
  Causes causes = 0;         // kinds of event that led to it
  Phase phase = Phase::kOutside;
  std::string because{};  // reason for the next action
  MachineNews news{};
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
  [[nodiscard]] const Machine& machine() const { return *machine_; }
  [[nodiscard]] const Settings& settings() const { return *settings_; }
  [[nodiscard]] const PolicyTraits& traits() const { return traits_; }
  [[nodiscard]] const SharingModel& hosts() const { return *model_; }
  // Processors of the hosts that are up.
  [[nodiscard]] std::int64_t capacity() const;
  [[nodiscard]] const JobTable& jobs() const { return table_; }
  [[nodiscard]] const RunningSet& running() const { return running_; }
  [[nodiscard]] const Decision& decision() const { return decision_; }
  // Who is told what happens.
  [[nodiscard]] const Audience& audience() const { return audience_; }
  // The users; nullptr if the settings have no shares, no job names a user, or the
  // policy does not ask for them.
  [[nodiscard]] const Shares* shares() const;
  [[nodiscard]] Subject subject(JobId job) const {
    return {job, &table_.job(job), &table_[job]};
  }
  // Whether a plain start of the job would succeed now.
  [[nodiscard]] bool fits(JobId job) const {
    const auto& asked = table_.job(job);
    if (model_->traits().fits_by_count) return asked.size <= model_->idle();
    return model_->fits(job, asked.demand());
  }
  // If the job started or resumed there now: how long it would be frozen, and the
  // planned time that it has left from then on.  Null: wherever it may ever sit.
  struct Planned {
    Duration frozen;
    Duration left;
    Duration span = after(frozen, left);
    Duration longest = span;  // by the walltime, whatever a policy expects
  };
  [[nodiscard]] Planned planned(JobId job, const Placement* there = nullptr) const;

  // Error{kPolicy} unless the phase is at least this one.
  void require(Phase least, const char* action) const {
    if (decision_.phase < least) refuse_phase(action);
  }
  // Error{kPolicy} with the job and its state unless `right`.
  void require_state(JobId job, bool right, const char* action) const {
    if (!right) refuse_state(job, action);
  }
  // The policy's book of reservations, made at its first use.
  [[nodiscard]] ReservationBook& book() {
    if (!book_) make_book();
    return *book_;
  }
  // nullptr if it was never used.
  [[nodiscard]] ReservationBook* book_if_used() const { return book_.get(); }

  // What events and actions change.
  struct RunState {
    SharingModel& hosts;
    JobTable& jobs;
    RunningSet& running;
    Agenda& agenda;
    Decision& decision;
    Audience& audience;
    Affected& affected;  // jobs whose rate may have changed, until update_affected()
    Shares* shares;      // null: usage is not kept
    std::int64_t& down;  // processors of the hosts that are down
    OwnEstimates* estimates;   // null: the policy has none
    Checkpoints* checkpoints;  // null: jobs write none
  };
  [[nodiscard]] RunState state() {
    return {*model_,   table_,           running_,          *agenda_,
            decision_, audience_,        affected_,         shares_.get(),
            down_,     estimates_.get(), checkpoints_.get()};
  }

  // Steps.

  // REQUIRES: not before now.  Forgets the jobs that left at an earlier instant.
  void come_to(Time instant) {
    BERTH_ASSERT(instant >= now_);
    if (instant != now_) table_.forget_departed();
    now_ = instant;
    decision_.budget.begin_piece();
  }
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

  // While one is alive actions raise: functions that the policy passes in only read.
  struct ReadingOnly : ScopedValue<Phase> {
    explicit ReadingOnly(World& world)
        : ScopedValue(world.decision_.phase, Phase::kReading) {}
  };

 private:
  [[nodiscard]] std::span<const std::int64_t> needs_in_all(JobId job);
  [[noreturn]] void refuse_phase(const char* action) const;
  [[noreturn]] void refuse_state(JobId job, const char* action) const;
  [[nodiscard]] Duration estimate(JobId job) const;
  [[nodiscard]] Duration left_of(JobId job, Duration whole) const;
  [[nodiscard]] Duration left_at_speed(JobId job, const Placement* there) const;
  [[nodiscard]] Time limit_of(JobId job, const JobEntry& entry, const Run& how) const;
  void predict(JobId job, JobEntry& entry);
  void update_rates();
  void make_book();
  void tell_changes_of_book();

  std::unique_ptr<const Machine> machine_;
  std::unique_ptr<const Settings> settings_;
  const PolicyTraits& traits_;
  std::unique_ptr<SharingModel> model_;
  JobTable table_;
  std::unique_ptr<Agenda> agenda_;
  RunningSet running_;
  std::unique_ptr<OwnEstimates> estimates_;
  std::unique_ptr<Checkpoints> checkpoints_;
  bool plans_by_walltime_;  // alone
  std::unique_ptr<ReservationBook> book_;
  std::unique_ptr<Shares> shares_;
  Audience audience_;
  Time now_ = 0;
  std::int64_t down_ = 0;  // processors
  Decision decision_;
  Affected affected_;
  std::vector<std::int64_t> needs_;  // scratch
};

// Error{kPolicy} where nothing can be planned: on this machine, or as no job leaves.
void require_plans(const World& world, const char* action);
// The planned time of a job that fits now, there, or where it would sit by the
// machine's own rule if that is null.
[[nodiscard]] World::Planned planned_now(const World& world, JobId job,
                                         const Placement* there = nullptr);

}  // namespace berth::sim

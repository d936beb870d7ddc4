#pragma once
// One run: the only place that changes the world, and the only one that knows order.
//
// The loop applies all events of an instant in the total order of EventQueue, calls the
// hooks, then the policy once; if that makes new events at the same instant, again
// (spec: README 1.5).  Every action is atomic and takes effect when it returns: it
// asks, then changes, then tells the watchers.
//
// Errors       A wrong call throws Error{kPolicy}; the state is unchanged.  "Not now"
// is
//              a Refusal.  A run that stands still throws Error{kTime}.
// Determinism  Same jobs, machine, settings and policy: same records.  Two simulations
//              in one process do not know of each other.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/clock/event_queue.hpp"
#include "engine/hosts/sharing_model.hpp"
#include "engine/jobs/job_table.hpp"
#include "engine/jobs/running_set.hpp"
#include "engine/queue/job_queue.hpp"
#include "engine/reserve/plan.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/observer.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"

namespace berth::sim {

// A plan made in a decision; used in a later one it is a wrong call.
struct PlanId {
  std::int64_t decision;
  std::uint32_t number;
};

struct StartOptions {
  const IntervalSet* within = nullptr;  // use these processors alone
  std::optional<PlanId> under = {};     // refuse what this plan does not admit
};

// Why a member of the queue could not start now.
struct WhyNot {
  Refusal reason;
  std::int64_t needed;
  std::int64_t available;
  std::optional<JobId> by;  // whose plan is in the way
};

class Simulation {
 public:
  // REQUIRES: jobs by (submit, id), ids unique, machine.sharing names a sharing model.
  // Jobs, machine model and policy outlive the simulation.
  Simulation(const Machine& machine, const Settings& settings,
             std::span<const Job> jobs, Policy& policy);
  // The same on a machine of one's own.
  Simulation(const Machine& machine, const Settings& settings,
             std::span<const Job> jobs, Policy& policy,
             std::unique_ptr<SharingModel> model);

  // REQUIRES: not yet advanced.
  void observe(Observer& observer);
  // Handles every event up to and including `until`; whether any are left behind it.
  // Policy and observers are asked in the plain locale, whatever that of the thread is.
  bool advance(Time until);
  // Nothing more will happen: tells the watchers who is left and that it is over.
  void finish();

  // Ask.
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] std::int64_t capacity() const { return machine_.processors; }
  [[nodiscard]] const SharingModel& hosts() const { return *model_; }
  [[nodiscard]] const JobTable& jobs() const { return table_; }
  [[nodiscard]] const RunningSet& running() const { return running_; }
  // The queue in one of the policy's orders: 0 is arrival, i + 1 is orders[i].  Cost of
  // the first use of an order: O(q log q); before it, an order costs nothing but keys.
  [[nodiscard]] const JobQueue& queue(std::size_t order) const {
    if (!queues_[order].in_use) begin_order(order);
    return queues_[order].members;
  }
  // Error{kPolicy} for a job forgotten since, but in the order of arrival.
  [[nodiscard]] Place place(JobId job, std::size_t order) const;
  [[nodiscard]] std::int64_t decision() const { return decision_; }
  // What led to this pass.
  [[nodiscard]] Causes causes() const { return causes_; }
  // Planned time the job still has, from the moment it runs (again).
  [[nodiscard]] Duration planned_left(JobId job) const;
  // How long the job would stand still if it started or resumed now.
  [[nodiscard]] Duration thaw_time(JobId job) const;
  [[nodiscard]] const Plan& plan(PlanId plan) const;
  // The tiers of the machine, to be asked; null if it has none.
  [[nodiscard]] const TwoTier* tiers() const { return tiers_; }
  // Whether the job runs in the background of a machine with tiers.
  [[nodiscard]] bool in_background(JobId job) const;
  // The order of the view of queue and background jobs, by (submit, id).  Wrong call
  // (as is everything on tiers) on a machine without them.
  [[nodiscard]] std::size_t candidates() const;
  // How long the job would stand still if it were moved up now: 0 for one that waits or
  // can swap.
  [[nodiscard]] Duration freeze_if_promoted(JobId job) const;
  // The pure twin of every selection: nullopt if the member could start now, under the
  // plan if one is given.  REQUIRES: the job waits or is suspended.
  [[nodiscard]] std::optional<WhyNot> why_not(JobId job,
                                              std::optional<PlanId> plan) const;

  // Act.  Each is one step of the world and one record.
  [[nodiscard]] Result<Done, Refusal> start(JobId job,
                                            const StartOptions& options = {});
  // A waiting job onto usable background slots: kNoRoom.
  [[nodiscard]] Result<Done, Refusal> start_background(JobId job);
  // A background job to the foreground, on the processors `within` alone if given.
  // swap: in place, kForegroundBusy, kHeld; else elsewhere, kBusy.
  [[nodiscard]] Result<Done, Refusal> promote(JobId job, Promotion how,
                                              const IntervalSet* within = nullptr);
  void suspend(JobId job);
  void reject(JobId job);
  // kTooBig: no future release can make room.
  [[nodiscard]] Result<PlanId, Refusal> reserve(JobId job);
  // As reserve, for a background job that stays on its processors: its start is the
  // latest expected end above its processes, what is spare are the idle processors
  // without it.  Any other job: reserve.
  [[nodiscard]] Result<PlanId, Refusal> reserve_in_place(JobId job);
  // A pass at `time`; the last call counts, nullopt clears.  Not later than now: error.
  void wake_at(std::optional<Time> time);
  // The reason (<= 120 bytes) attached to the next action of this decision.
  void because(std::string_view text);

  // The policy's book of reservations, made at its first use.
  [[nodiscard]] ReservationBook& book();

  // While one is alive actions raise: the policy's own functions only read.
  class ReadingOnly {
   public:
    explicit ReadingOnly(Simulation& simulation)
        : simulation_(simulation), before_(simulation.phase_) {
      simulation_.phase_ = Phase::kReading;
    }
    ~ReadingOnly() { simulation_.phase_ = before_; }
    ReadingOnly(const ReadingOnly&) = delete;
    ReadingOnly& operator=(const ReadingOnly&) = delete;

   private:
    Simulation& simulation_;
    std::uint8_t before_;
  };

 private:
  enum Phase : std::uint8_t { kOutside, kReading, kHook, kDecision };
  struct Watcher {
    Observer* observer;
    RecordKinds kinds;
  };
  struct Order {
    JobQueue members;  // empty until it is in use
    bool in_use = false;
  };

  // The loop.
  void begin();
  void come_to(Time instant) {
    BERTH_ASSERT(instant >= now_);
    if (instant != now_ && !gone_.empty()) forget_gone();
    now_ = instant;
  }
  void forget_gone();
  [[nodiscard]] bool over() const;
  [[nodiscard]] bool is_void(const Event& event) const {
    if (event.kind == EventKind::kWake) return wake_version_ != event.version;
    const bool is_of_job =
        event.kind == EventKind::kJobEnd || event.kind == EventKind::kUnfreeze;
    if (!is_of_job) return false;
    const auto* entry = table_.find(JobId{event.subject});
    return entry == nullptr || entry->version != event.version;
  }
  void drop_void_events() {
    if (!may_hold_void_events_) return;
    while (events_.is_cancellable() && is_void(events_.top())) events_.pop();
  }
  // Makes the pending events of the job void.
  void cancel_events(JobEntry& entry) {
    entry.version = next_version(entry.version);
    may_hold_void_events_ = true;
  }
  void schedule(const Event& event);
  void drop_many_void_events();
  void decide();
  void run_hooks();
  void run_pass();
  void run_spare_pass();
  void begin_order(std::size_t order) const;
  static void fill(Order& order, std::vector<JobQueue::Member>& members);
  void refresh_orders();
  [[nodiscard]] bool pass_may_be_left_out() const;
  void count_pass();
  [[nodiscard]] bool is_stuck() const;
  [[noreturn]] void stand_still(std::int64_t passes, const char* how) const;

  // Events.
  void apply_next();
  void apply(EventKind kind, JobId job);
  void submit(JobId job);
  void end(JobId job);
  void unfreeze(JobId job);
  void schedule_next_arrival();

  // Parts of actions.
  void require(Phase least, const char* action) const {
    if (phase_ < least) refuse_here(action);
  }
  void require_state(JobId job, bool right, const char* action) const {
    if (!right) refuse_state(job, action);
  }
  [[noreturn]] void refuse_here(const char* action) const;
  [[noreturn]] void refuse_state(JobId job, const char* action) const;
  [[nodiscard]] Duration planned_left(const Job& job, const JobEntry& entry) const;
  [[nodiscard]] Duration thaw_time(const JobEntry& entry) const {
    return entry.state == JobState::kSuspended ? machine_.migration_cost : 0;
  }
  [[nodiscard]] std::optional<Refusal> refuses(const Needs& needs,
                                               const StartOptions& options) const;
  void sit(JobId job, const Needs& needs, const StartOptions& options);
  [[nodiscard]] JobQueue::Member member(JobId job, double key) const;
  void ask_keys(JobId job, JobState as);
  void enqueue(JobId job);
  void enter_orders(JobQueue::Member member);
  void dequeue(JobId job);
  void leave_queue(JobId job);
  void leave_candidates(JobId job);
  void settle(JobId job);
  void predict(JobId job, JobEntry& entry);
  void touch() {
    if (!touched_.empty()) touch_named();
  }
  void touch_named();
  void tell_book_changes() {
    if (book_) tell_changes_of_book();
  }
  void tell_changes_of_book();
  [[nodiscard]] bool admits(const Plan& plan, JobId job, Time ends) const;
  void charge_plans(JobId job, Time ends);
  void require_tiers(const char* action) const;
  void require_background(JobId job, const char* action) const;
  void stop_running(JobId job, JobEntry& entry);
  void leave_background(JobId job, Promotion how);
  void run_in_foreground(JobId job, Time thawed);
  [[nodiscard]] Subject subject(JobId job) const {
    return {job, &table_.job(job), &table_[job]};
  }
  [[nodiscard]] std::string describe(JobId job) const;

  template <class Kind>
  [[nodiscard]] bool wanted() const {
    return (wanted_ & kinds<Kind>()) != 0;
  }
  template <class Kind>
  void tell(const Kind& record) const;

  Machine machine_;
  Settings settings_;
  Policy& policy_;
  const PolicyTraits& traits_;
  std::unique_ptr<SharingModel> model_;
  TwoTier* tiers_;  // the model, if it has tiers
  JobTable table_;
  EventQueue events_;
  bool may_hold_void_events_ = false;  // something was cancelled once
  RunningSet running_;
  mutable std::vector<Order> queues_;  // by order; then, with tiers, the candidates
  std::vector<double> asked_keys_;     // by order - 1: what ask_keys was told
  std::vector<Time> refreshed_;        // by order - 1
  std::vector<Watcher> watchers_;
  RecordKinds wanted_ = 0;

  Time now_ = 0;
  std::size_t arrived_ = 0;
  std::int64_t in_system_ = 0;
  std::optional<Time> wake_;
  std::uint32_t wake_version_ = 0;
  bool begun_ = false;

  // The present decision.
  std::uint8_t phase_ = kOutside;
  std::int64_t decision_ = 0;
  Causes causes_ = 0;
  std::vector<JobId> ended_;
  std::vector<JobId> submitted_;
  std::vector<JobId> gone_;  // left at this instant, readable until it is over
  std::vector<Plan> plans_;
  std::string because_;
  std::int64_t actions_ = 0;
  Touched touched_;

  // What keeps a run from standing still.
  Time instant_ = kNever;
  std::int64_t passes_at_instant_ = 0;
  std::int64_t idle_passes_ = 0;

  std::unique_ptr<ReservationBook> book_;
};

}  // namespace berth::sim

#pragma once
// The loop of a run: applies all events of an instant in the total order of EventQueue,
// calls the hooks, then the policy, once; if that makes new events at the same instant,
// again (docs/model.md#events).
//
// A pass has two halves: what precedes schedule opens it, what follows closes it.
//
// Left out is a pass of a policy with Passes::kWhenAJobFits at which no member of the
// queue fits, and neither a wake-up nor the refresh of an order is due.  A run stands
// still when its policy wakes itself while nothing else is to come, or suspends and
// starts jobs while none of them makes progress.
//
// Why every run ends: an instant has no more passes than events, and they are finite.
// Between two instants either an arrival is to come or some job makes progress, both of
// which are finite; or no job leaves, and the passes that the policy asked for or acted
// in are counted up to a bound; or the next event is one that no pass moves.

#include <vector>

#include "engine/clock/event.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/machine_events.hpp"
#include "engine/sim/orders.hpp"
#include "engine/sim/plans.hpp"

namespace berth::sim {

class JobReleases;

class Loop {
 public:
  // All outlive it.  `releases`: where jobs wait for others; else null.
  Loop(World& world, Orders& orders, Plans& plans, Policy& policy,
       Simulation& simulation, JobReleases* releases)
      : world_(world),
        orders_(orders),
        plans_(plans),
        policy_(policy),
        simulation_(simulation),
        releases_(releases),
        admits_all_(releases == nullptr && orders.limits() == nullptr),
        machine_(capability<MachineEvents>(world.state().hosts)),
        has_events_(world.machine().life.has_events()) {}

  // As those of Simulation.  Throw Error{kTime} if the run stands still.
  bool advance(Time until);
  bool to_pass(Time until);
  void close_pass();
  // Nothing more will happen: tells the jobs that are left, and the end.
  void finish();

 private:
  void begin();
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool has_come_to_end() const;

  void apply_next();
  void apply(EventKind kind, JobId job);
  void happen_to(JobId job);
  void release_next();
  void come_in();
  void admit(JobId job);
  void submit(JobId job);
  enum class By : std::uint8_t { kMachine, kLinks, kLimit };
  void come_and_go(JobId job, By by);
  void turn_away(JobId job, By by);
  void tell_submit(JobId job, double key);
  void end(JobId job);
  void unfreeze(JobId job);
  void schedule_next_arrival();

  bool find_pass(Time until);
  bool find_pass_of_events(Time until);
  bool find_pass_of_clock(Time until);
  [[nodiscard]] bool is_by_clock() const;
  [[nodiscard]] Time next_of_clock() const;
  bool open_pass();
  void end_pass();
  void end_decision();
  [[nodiscard]] bool has_news() const;
  void run_hooks();
  void run_machine_hooks();
  void tell_of_submits();
  void take_estimate(JobId job);
  void expect_anew();
  void tell_pass();
  void tell_refusal();
  void tell_of_machine();
  [[nodiscard]] bool may_leave_out_pass() const;
  [[nodiscard]] bool any_fits() const;
  void leave_out_pass();
  void run_idle_pass();
  void run_spare_pass();
  void count_pass();
  void count_idle_pass();
  [[noreturn]] void stand_still(const char* how) const;

  World& world_;
  Orders& orders_;
  Plans& plans_;
  Policy& policy_;
  Simulation& simulation_;
  JobReleases* releases_;
  bool admits_all_;         // as they come
  MachineEvents* machine_;  // null: it has none of its own
  bool has_events_;         // hosts go down, or there are windows
  bool has_begun_ = false;
  bool is_open_ = false;          // a pass
  Time last_pass_ = -1;           // of passes by the clock
  bool is_idle_ = false;          // that pass did nothing
  std::int64_t idle_passes_ = 0;  // in a row
  std::int64_t passes_made_ = 0;  // an observer was told of them
  std::size_t departures_ = 0;    // by the last pass that was counted
  std::size_t arrived_ = 0;
  Time last_arrival_ = 0;
  std::vector<JobId> ended_;      // since the last decision
  std::vector<JobId> submitted_;  // likewise
};

}  // namespace berth::sim

#pragma once
// The loop of a run: applies all events of an instant in the total order of EventQueue,
// calls the hooks, then the policy, once; if that makes new events at the same instant,
// again (docs/model.md#events).

#include <vector>

#include "engine/sim/idle_passes.hpp"
#include "engine/sim/orders.hpp"
#include "engine/sim/plans.hpp"

namespace berth::sim {

class Loop {
 public:
  // All outlive it.
  Loop(World& world, Orders& orders, Plans& plans, Policy& policy,
       Simulation& simulation)
      : world_(world),
        orders_(orders),
        plans_(plans),
        policy_(policy),
        simulation_(simulation),
        idle_passes_(world, orders) {}

  // Handles every event up to and including `until`; whether any are left behind it.
  bool advance(Time until);
  // Nothing more will happen: tells the jobs that are left, and the end.
  void finish();

 private:
  void begin();
  [[nodiscard]] bool is_over() const;

  void apply_next();
  void apply(EventKind kind, JobId job);
  void happen_to(JobId job);
  void submit(JobId job);
  void end(JobId job);
  void unfreeze(JobId job);
  void schedule_next_arrival();

  bool advance_by_clock(Time until);
  [[nodiscard]] Time next_of_clock() const;
  std::int64_t decide();  // how many actions it took
  void run_hooks();
  void run_pass();
  void tell_refusal();
  void leave_out_pass();
  void run_idle_pass();
  void run_spare_pass();

  World& world_;
  Orders& orders_;
  Plans& plans_;
  Policy& policy_;
  Simulation& simulation_;
  IdlePasses idle_passes_;
  bool has_begun_ = false;
  Time last_pass_ = -1;   // of passes by the clock
  bool is_idle_ = false;  // that pass did nothing
  std::size_t arrived_ = 0;
  std::vector<JobId> ended_;      // since the last decision
  std::vector<JobId> submitted_;  // likewise
};

}  // namespace berth::sim

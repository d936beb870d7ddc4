#pragma once
// One run, as a policy and its caller use it.
//
// The parts, in the order in which they are best read: World (the state), Loop (events
// and decisions), Orders, Plans, Actions, and one class of actions a capability of the
// machine (TierActions).
//
// Errors       A wrong call throws Error{kPolicy}; the state is unchanged.  "Not now"
//              is a Refusal.  A run that stands still throws Error{kTime}.
// Determinism  Same jobs, machine, settings, model and policy: same records.  Several
//              simulations in one process are independent of each other.

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "engine/sim/actions.hpp"

namespace berth::sim {

class Loop;
class JobReleases;

class Simulation {
 public:
  // `releases`: where jobs wait for others; null: they do not.
  // REQUIRES: jobs by (submit, id), ids unique, or those of `releases`.  Jobs, policy
  // and releases outlive the simulation.
  Simulation(const Machine& machine, const Settings& settings,
             std::span<const Job> jobs, Policy& policy,
             std::unique_ptr<SharingModel> model, JobReleases* releases = nullptr);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Who is told what happens: it is complete before the first advance().
  [[nodiscard]] Audience& audience() { return world_.state().audience; }
  // Handles every event up to and including `until`; whether any are left behind it.
  // Policy and observers are called in the plain locale, whatever that of the thread.
  // The same as: while (to_pass(until)) { policy.schedule(*this); close_pass(); }
  bool advance(Time until);
  // Handles the events up to `until`, as far as the next pass that the policy is to
  // make, and opens that.  False: up to `until` there is none, advance(until) tells
  // whether any event is left.  REQUIRES, as advance(): no pass is open.
  [[nodiscard]] bool to_pass(Time until);
  // Does what follows the policy's decision.  REQUIRES: a pass is open.
  void close_pass();
  // Nothing more will happen: tells the observers which jobs are left, and the end.
  void finish();

  // Ask.
  [[nodiscard]] const World& world() const { return world_; }
  // The queue in one of the orders (see Orders): what is shown of it, and all of it.
  [[nodiscard]] QueueView queue(std::size_t order) const {
    return orders_.queue(order);
  }
  [[nodiscard]] const Orders& orders() const { return orders_; }
  // Whether no limit bars this member of the queue.
  [[nodiscard]] bool shows(JobId job) const;
  [[nodiscard]] Place place(JobId job, std::size_t order) const {
    return orders_.place(job, order);
  }
  // The plans of the present decision.
  [[nodiscard]] const Plans& plans() const { return plans_; }
  [[nodiscard]] const Actions& actions() const { return actions_; }

  // Act.
  [[nodiscard]] Actions& actions() { return actions_; }

  // For the actions of a capability: what they change.
  struct Parts {
    World& world;
    Orders& orders;
    Plans& plans;
  };
  [[nodiscard]] Parts parts() { return {world_, orders_, plans_}; }

 private:
  World world_;
  Orders orders_;
  Plans plans_;
  Actions actions_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace berth::sim

#pragma once
// A policy: decides which jobs run when and where.
//
// All events of an instant are applied; then the hooks run, on_end by job id, on_host
// by host, on_hit by job id, on_submit by (submit, id); then schedule, once.  No
// function of a policy is called while another one runs, except key().  A policy acts
// on the Simulation it is given; every action takes effect at once.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace berth::sim {

class Simulation;

// An order of the queue besides arrival.
struct OrderTraits {
  std::string name;
  // When all keys are computed anew (docs/model.md#orders): at the first pass at or
  // after each multiple of this time; 0: at each pass; nullopt: never, a key is
  // computed once, when its job enters.
  std::optional<Duration> refresh;
};

// What the auditor holds the policy to.
enum class Promise : std::uint8_t {
  kNone,
  kEasy,           // docs/model.md#r1
  kConservative,   // docs/model.md#r2
  kTopFirst,       // docs/model.md#r3
  kInOrder,        // docs/model.md#r4
  kFirstIfItFits,  // docs/model.md#r5
};

// Passes that the engine may leave out, because the author declares that they would do
// nothing.
enum class Passes : std::uint8_t {
  kEvery,  // none
  // Those at which no member of the queue fits, and neither a wake-up nor the refresh
  // of an order with a period is due.
  kWhenAJobFits,
};

struct PolicyTraits {
  std::string label;
  std::vector<OrderTraits> orders;
  // Default order of the queue: 0 is arrival, i + 1 is orders[i]; or fair_share().
  std::size_t default_order = 0;
  Passes passes = Passes::kEvery;
  Promise promise = Promise::kNone;
  // Hooks that do nothing need not be called.
  bool has_on_submit = true;
  bool has_on_end = true;
  bool has_on_host = true;
  bool has_on_hit = true;
  bool has_estimate = false;  // estimate() is asked
  // Whether it may ask for the users of a run, or for the fair order.
  bool asks_for_users = true;

  // The number of the order of the candidates (see Orders).
  [[nodiscard]] std::size_t candidates() const { return orders.size() + 1; }
  // The number of the fair order (docs/model.md#shares).
  [[nodiscard]] std::size_t fair_share() const { return orders.size() + 2; }
};

class Policy {
 public:
  virtual ~Policy() = default;
  // The same object at every call, which does not change during a run.
  [[nodiscard]] virtual const PolicyTraits& traits() const = 0;
  // What the engine charges for its own work in a run of this policy: the same object
  // at every call.  The events of an instant are one piece of it.
  [[nodiscard]] virtual Budget& budget() = 0;
  // Called once, before the first event of the run.
  virtual void begin(Simulation&) {}
  virtual void schedule(Simulation& simulation) = 0;
  // Hooks may read, reject, wake and give reasons; other actions are errors there.
  virtual void on_submit(Simulation&, JobId) {}
  virtual void on_end(Simulation&, JobId) {}
  // The host, by number, went down or is up again.
  virtual void on_host(Simulation&, std::int32_t /*host*/, bool /*is_up*/) {}
  // The job lost a host, and waits again or has failed.
  virtual void on_hit(Simulation&, JobId) {}
  // How long the job will run, as the policy expects it (docs/model.md#own-estimates);
  // nullopt: for its walltime.  Asked as the job has entered the queue, after the hook
  // that tells of it.  Reads only; >= 0.
  [[nodiscard]] virtual std::optional<Duration> estimate(Simulation&, JobId) {
    return std::nullopt;
  }
  // The job's key in orders[order].  Reads only; finite.
  [[nodiscard]] virtual double key(Simulation&, std::size_t /*order*/, JobId) {
    return 0.0;
  }
  // The keys of many jobs, as key() gives them, into `out`.
  // REQUIRES: `out` is as long as `jobs`.
  virtual void keys(Simulation& simulation, std::size_t order,
                    std::span<const JobId> jobs, std::span<double> out) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      out[i] = key(simulation, order, jobs[i]);
    }
  }
  // While it decides: "easy.lua:14", the line that is executed; empty: unknown.
  [[nodiscard]] virtual std::string where() const { return {}; }
  // Random numbers drawn so far.
  [[nodiscard]] virtual std::int64_t drawn() const { return 0; }
};

}  // namespace berth::sim

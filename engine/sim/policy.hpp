#pragma once
// Who decides.  All events of an instant are applied; then the hooks run, on_end by job
// id, on_submit by (submit, id); then schedule, once.  The policy is never called while
// it runs.  It acts on the Simulation it is given; every action takes effect at once.

#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"

namespace berth::sim {

class Simulation;

// An order of the queue besides arrival.
struct Order {
  std::string name;
  std::optional<Duration> refresh;  // recompute all keys at least this far apart
};

// What the auditor may hold the policy to: R1, R2, R3 of spec README 2.
enum class Promise : std::uint8_t { kNone, kEasy, kConservative, kTopFirst };

// Passes that the engine may leave out, because the author declares that they would do
// nothing.
enum class Passes : std::uint8_t {
  kEvery,         // none
  kWhenAJobFits,  // those at which no member of the queue fits and no wake-up is due
};

struct PolicyTraits {
  std::string label;
  std::vector<Order> orders;
  // Default order of the queue: 0 is arrival, i + 1 is orders[i].
  std::size_t default_order = 0;
  Passes passes = Passes::kEvery;
  Promise promise = Promise::kNone;
  // Hooks that do nothing need not be called.
  bool has_on_submit = true;
  bool has_on_end = true;
};

class Policy {
 public:
  virtual ~Policy() = default;
  // The same object at every call, which does not change during a run.
  [[nodiscard]] virtual const PolicyTraits& traits() const = 0;
  virtual void schedule(Simulation& simulation) = 0;
  // Hooks may read, reject, wake and give reasons; other actions are errors there.
  virtual void on_submit(Simulation&, JobId) {}
  virtual void on_end(Simulation&, JobId) {}
  // The job's key in orders[order].  Reads only; finite.
  [[nodiscard]] virtual double key(Simulation&, std::size_t /*order*/, JobId) {
    return 0.0;
  }
};

}  // namespace berth::sim

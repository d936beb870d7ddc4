#pragma once
// The plans of the present decision: promises that filter selections and are charged
// with every start made after them.

#include <cstdint>
#include <vector>

#include "engine/reserve/plan.hpp"
#include "engine/sim/world.hpp"

namespace berth::sim {

// A plan of one decision.  In a later decision its use is a wrong call.
struct PlanId {
  std::int64_t decision;
  std::uint32_t number;
};

class Plans {
 public:
  explicit Plans(const World& world) : world_(world) {}

  // Adds a plan of the present decision and tells it.  Error{kPolicy} beyond 65,536.
  PlanId add(Plan plan);
  // Error{kPolicy} for a plan of an earlier decision.
  [[nodiscard]] const Plan& at(PlanId plan) const;
  // Whether a start of the job now, ending at `ends`, may pass.  A plan never holds its
  // own job.
  [[nodiscard]] bool admits(const Plan& plan, JobId job, Time ends) const {
    return plan.job == job ||
           plan.admits(world_.jobs().job(job).demand(), ends).has_value();
  }
  // Takes the start of a job, which has its allocation, into account.
  void charge(JobId job, Time ends) {
    if (!plans_.empty()) charge_all(job, ends);
  }
  // The decision is over.
  void clear() { plans_.clear(); }

 private:
  void charge_all(JobId job, Time ends);

  const World& world_;
  std::vector<Plan> plans_;
};

}  // namespace berth::sim

#pragma once
// The plans of the present decision: promises that filter selections and are charged
// with every start made after them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/reserve/plan.hpp"
#include "engine/sim/world.hpp"

namespace berth::sim {

// A plan of one decision.  In a later decision its use is a wrong call.
class PlanId {
 public:
  static constexpr std::uint64_t kPerDecision = 65'536;

  PlanId() = default;
  // REQUIRES: number < kPerDecision.
  PlanId(std::int64_t decision, std::uint64_t number)
      : value_(static_cast<std::uint64_t>(decision) * kPerDecision + number) {}
  [[nodiscard]] std::int64_t decision() const {
    return static_cast<std::int64_t>(value_ / kPerDecision);
  }
  // Within its decision.
  [[nodiscard]] std::uint64_t number() const { return value_ % kPerDecision; }

 private:
  std::uint64_t value_;  // one word: see Result
};

class Plans {
 public:
  explicit Plans(const World& world) : world_(world) {}

  // Adds a plan of the present decision and tells it.  Error{kPolicy} beyond 65,536.
  PlanId add(JobId job, const Shadow& shadow, std::optional<Placement> room = {});
  // The same on a machine which is expected to be so at the start.  `slack`: see Plan.
  PlanId add(JobId job, const Shadow& shadow, std::unique_ptr<Outlook> outlook,
             std::int64_t slack = 0);
  // Error{kPolicy} for a plan of an earlier decision.
  [[nodiscard]] const Plan& at(PlanId plan) const {
    const bool is_of_now =
        plan.decision() == world_.decision().number && plan.number() < plans_.size();
    if (!is_of_now) refuse_old_plan();
    return plans_[plan.number()];
  }
  // Those of the present decision, in the order in which they were made.
  [[nodiscard]] std::span<const Plan> all() const { return plans_; }
  // How a start of the job now, ending at `ends`, may pass; nullopt: not.  `there` is
  // its placement; null: where it would sit by the machine's own rule, or where it is
  // pinned to its processors, on those that the plan can spare.
  // REQUIRES: it is not the plan's own job, which no plan holds.
  [[nodiscard]] std::optional<Admission> admission(
      const Plan& plan, JobId job, Time ends, const Placement* there = nullptr) const {
    const auto admitted = plan.admits(world_.jobs().job(job).demand(), ends);
    if (admitted != Admission::kSpare) return admitted;
    const bool is_counted =
        world_.hosts().traits().plans_by_count || plan.outlook == nullptr;
    const bool is_told = is_counted && (there == nullptr || !plan.room);
    return is_told || leaves_room(plan, job, there) ? admitted : std::nullopt;
  }
  // The same of a start whose placement is known only once other jobs have gone: where
  // numbers of processors do not tell, it has to end in time.
  [[nodiscard]] std::optional<Admission> admission_anywhere(const Plan& plan, JobId job,
                                                            Time ends) const {
    const auto admitted = plan.admits(world_.jobs().job(job).demand(), ends);
    if (admitted != Admission::kSpare) return admitted;
    const bool is_counted =
        world_.hosts().traits().plans_by_count || plan.outlook == nullptr;
    return is_counted && !plan.room ? admitted : std::nullopt;
  }
  // Takes the start of a job, which has its allocation, into account.
  void charge(JobId job, Time ends) {
    if (!plans_.empty()) charge_all(job, ends);
  }
  // Takes into account that a running job, which still has its allocation, is to stop.
  void stopped(JobId job) {
    if (!plans_.empty()) release(job);
  }
  // The decision is over.
  void clear() { plans_.clear(); }

 private:
  [[noreturn]] static void refuse_old_plan();
  void charge_all(JobId job, Time ends);
  void release(JobId job);
  [[nodiscard]] bool leaves_room(const Plan& plan, JobId job,
                                 const Placement* there) const;

  const World& world_;
  std::vector<Plan> plans_;
};

}  // namespace berth::sim

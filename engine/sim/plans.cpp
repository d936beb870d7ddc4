#include "engine/sim/plans.hpp"

#include <utility>

#include "engine/base/error.hpp"

namespace berth::sim {

namespace {

constexpr std::size_t kMostPlans = std::size_t{1} << 16U;

}  // namespace

PlanId Plans::add(Plan plan) {
  if (plans_.size() >= kMostPlans) {
    throw Error(ErrorCode::kPolicy,
                "reserve: more than 65,536 plans in one decision; keep the plan of a "
                "job in a variable");
  }
  if (world_.wanted<PlanRecord>()) {
    world_.tell(PlanRecord{world_.now(), plan.job, plan.start, plan.spare});
  }
  plans_.push_back(std::move(plan));
  return {world_.decision().number, static_cast<std::uint32_t>(plans_.size() - 1)};
}

const Plan& Plans::at(PlanId plan) const {
  if (plan.decision != world_.decision().number || plan.number >= plans_.size()) {
    throw Error(ErrorCode::kPolicy, "this plan belongs to an earlier decision");
  }
  return plans_[plan.number];
}

void Plans::charge_all(JobId job, Time ends) {
  const auto demand = world_.jobs().job(job).demand();
  for (auto& plan : plans_) {
    if (plan.job == job) continue;
    plan.charge(demand, ends);
    if (plan.room && ends > plan.start) plan.give_up(world_.hosts().placement(job));
  }
}

}  // namespace berth::sim

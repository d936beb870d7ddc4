#include "engine/sim/plans.hpp"

#include <utility>

#include "engine/base/error.hpp"

namespace berth::sim {

PlanId Plans::add(JobId job, const Shadow& shadow, std::optional<Placement> room) {
  if (plans_.size() >= PlanId::kPerDecision) {
    throw Error(ErrorCode::kPolicy,
                "reserve: more than 65,536 plans in one decision; keep the plan of a "
                "job in a variable");
  }
  if (world_.audience().wants<PlanRecord>()) {
    world_.audience().tell(PlanRecord{world_.now(), job, shadow.start, shadow.spare});
  }
  auto& plan = plans_.emplace_back(job, shadow.start, shadow.spare);
  if (room) plan.room = std::move(room);
  return {world_.decision().number, plans_.size() - 1};
}

PlanId Plans::add(JobId job, const Shadow& shadow, std::unique_ptr<Outlook> outlook,
                  std::int64_t slack) {
  const auto id = add(job, shadow);
  plans_.back().slack = slack;
  plans_.back().outlook = std::move(outlook);
  return id;
}

void Plans::refuse_old_plan() {
  throw Error(ErrorCode::kPolicy, "this plan belongs to an earlier decision");
}

void Plans::charge_all(JobId job, Time ends) {
  const auto demand = world_.jobs().job(job).demand();
  for (auto& plan : plans_) {
    if (plan.job == job) continue;
    plan.charge(demand, ends);
    if (plan.outlook != nullptr && ends > plan.start) plan.outlook->keep(job);
    if (plan.room && ends > plan.start) plan.give_up(world_.hosts().placement(job));
  }
}

// Beside all that run then by what is expected, the job there.
bool Plans::leaves_room(const Plan& plan, JobId job, const Placement* there) const {
  if (plan.room) {
    return plan.room->processors().contains(there->processors());
  }
  return plan.outlook->fits_beside(job, world_.jobs().job(job).demand(), there);
}

// A job that is expected to end by the start of a plan has left its outlook.
void Plans::release(JobId job) {
  const auto now = world_.now();
  const auto ends =
      world_.running().rule().expected_end(world_.jobs()[job].planned_end, now);
  for (auto& plan : plans_) {
    if (plan.job == job || plan.outlook == nullptr) continue;
    if (ends > plan.start) plan.outlook->release(job);
  }
}

}  // namespace berth::sim

#include "engine/hosts/sharing_model.hpp"

#include <fmt/format.h>

#include "engine/base/machine_fact.hpp"

namespace berth {

namespace {

// What the model has chosen is in its own form and for this demand: no model and no
// policy may make the machine larger than it is, or another one.
void require_whole(const Placement& placement, const Demand& demand,
                   const ModelTraits& traits) {
  if (placement.form_tag() != traits.form) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("start: the placement {} is in the form of another machine",
                            placement.text()));
  }
  const auto parts = placement.parts();
  if (parts == demand.processors()) return;
  throw Error(
      ErrorCode::kPolicy,
      fmt::format("start: the placement has {} processors, VMs or tasks, the job "
                  "asks for {}",
                  parts, demand.processors()));
}

}  // namespace

void SharingModel::require_plans(const char* action) const {
  if (traits_.cannot_plan.empty()) return;
  throw Error(ErrorCode::kPolicy, fmt::format("{}: {}", action, traits_.cannot_plan));
}

Result<Done, Refusal> SharingModel::grant(JobId job, const Demand& demand,
                                          const Placement* where, Grant& made) const {
  if (where == nullptr) {
    const bool has_room =
        traits_.fits_by_count ? demand.processors() <= idle_ : fits(job, demand);
    if (!has_room) return unfit(job, demand);
    if (made.placement_) made.placement_.reset();
    made.make(job, demand);
    return Done{};
  }
  auto choice = choose(job, demand, where);
  if (!choice) return choice.reason();
  require_whole(choice.value(), demand, traits_);
  made.placement_ = std::move(choice.value());
  made.make(job, demand);
  return Done{};
}

Result<Done, Refusal> SharingModel::grant(JobId job, const Demand& demand,
                                          const Proposal& proposal, Grant& made) const {
  const bool is_its_own = proposal.job == job && proposal.demand == demand;
  if (!is_its_own) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("start: the placement was made for job {}, and can be that "
                            "of no other job",
                            proposal.number));
  }
  require_whole(proposal.placement, demand, traits_);
  return grant(job, demand, &proposal.placement, made);
}

void SharingModel::allocate(JobId job, const Demand& demand, Affected& affected) {
  Grant made;
  const auto granted = grant(job, demand, nullptr, made);
  BERTH_ASSERT(granted);
  take(made, affected);
}

std::unique_ptr<const MachineFact> Reasons::why_unfit(JobId, const Demand&) const {
  return nullptr;
}

std::unique_ptr<Outlook> SharingModel::outlook(JobId, const Demand&) const {
  return nullptr;
}

}  // namespace berth

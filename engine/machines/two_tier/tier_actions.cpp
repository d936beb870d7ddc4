#include "engine/machines/two_tier/tier_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/limits.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/policy.hpp"

namespace berth::sim {

namespace {

ChangeRecord::Effect effect_of(Promotion how) {
  switch (how) {
    case Promotion::kSwap: return ChangeRecord::Effect::kSwaps;
    case Promotion::kRestart: return ChangeRecord::Effect::kRestarts;
    case Promotion::kMigrate: break;
  }
  return ChangeRecord::Effect::kMigrates;
}

Tiers& tiers_of(World& world) {
  auto* tiers = capability<Tiers>(world.state().hosts);
  if (tiers != nullptr) return *tiers;
  throw Error(ErrorCode::kPolicy, "this machine has no tiers");
}

}  // namespace

TierActions::TierActions(Simulation& simulation)
    : simulation_(simulation),
      world_(simulation.parts().world),
      orders_(simulation.parts().orders),
      plans_(simulation.parts().plans),
      tiers_(tiers_of(world_)) {}

Duration TierActions::freeze_if_promoted(JobId job) const {
  if (queues(world_.jobs().state(job))) {
    return world_.planned(job).frozen;
  }
  require_background(job, "freeze");
  const auto demand = world_.jobs().job(job).demand();
  const bool swaps =
      static_cast<bool>(tiers_.can_promote(job, demand, Promotion::kSwap, nullptr));
  return swaps ? 0 : world_.machine().migration_cost;
}

Result<Done, Refusal> TierActions::start_background(JobId job) {
  world_.require(Phase::kDecision, "start_background");
  const auto state = world_.state();
  auto& jobs = state.jobs;
  world_.require_state(job, jobs.state(job) == JobState::kWaiting, "start_background");
  if (auto* limits = orders_.limits()) {
    if (const auto bar = limits->bar({&job, 1})) return bar->refusal();
  }
  const auto demand = jobs.job(job).demand();
  const auto choice = tiers_.choose_background(demand);
  if (!choice) return choice.reason();
  Grant grant;
  const Proposal proposal{job, jobs.job(job).id, demand, choice.value()};
  const auto granted = state.hosts.grant(job, demand, proposal, grant);
  if (!granted) return granted.reason();

  orders_.tell_keys(job);
  auto& entry = jobs[job];
  const Time now = world_.now();
  const double key = orders_.place(job, world_.traits().default_order).key;
  orders_.leave(job, Orders::From::kQueue);
  state.hosts.take(grant, state.affected);
  entry.first_start = entry.attempt_start = now;
  world_.run(job, {now, kNever});
  world_.conclude([&] {
    return StartRecord{now, world_.subject(job), &world_.hosts().placement(job), false,
                       now, entry.rate,          world_.decision().because,      key};
  });
  return Done{};
}

Result<Done, Refusal> TierActions::promote(JobId job, Promotion how,
                                           const Placement* where) {
  const char* action = name(how).data();
  world_.require(Phase::kDecision, action);
  require_background(job, action);
  const auto& asked = world_.jobs().job(job);
  const auto demand = asked.demand();
  const auto allowed = tiers_.can_promote(job, demand, how, where);
  if (!allowed) return allowed.reason();

  const auto state = world_.state();
  auto& entry = state.jobs[job];
  const auto& machine = world_.machine();
  const Time now = world_.now();
  entry.settle(now);
  orders_.leave(job, Orders::From::kCandidates);
  world_.stop(job);
  state.agenda.cancel(entry);
  count_promotion(entry, how);
  tiers_.promote(job, demand, how, where, state.affected);
  const Time unfreezes =
      how == Promotion::kMigrate ? after(now, machine.migration_cost) : now;
  const Time planned_end = after(unfreezes, world_.planned(job).left);
  world_.run(job, {unfreezes, planned_end});
  plans_.charge(job, planned_end);
  world_.conclude([&] {
    return ChangeRecord{now,
                        world_.subject(job),
                        &world_.hosts().placement(job),
                        name(how),
                        effect_of(how),
                        unfreezes,
                        entry.rate,
                        nullptr,
                        world_.decision().because};
  });
  return Done{};
}

Result<PlanId, Refusal> TierActions::reserve_in_place(JobId job) {
  if (!in_background(job)) return simulation_.actions().reserve(job);
  world_.require(Phase::kDecision, "reserve");
  const Time now = world_.now();
  Time start = now;
  for (const JobId above : tiers_.jobs_above(job)) {
    const Time planned_end = world_.jobs()[above].planned_end;
    start = std::max(start, world_.running().expected_end(planned_end, now));
  }
  auto room = tiers_.idle_without(job);
  const auto spare = room.count();
  return plans_.add(job, {start, spare}, std::move(room));
}

void TierActions::require_background(JobId job, const char* action) const {
  if (in_background(job)) return;
  world_.require_state(job, world_.jobs().state(job) == JobState::kRunning, action);
  throw Error(
      ErrorCode::kPolicy,
      fmt::format("{}: job {} runs in the foreground, where it stays (t={})", action,
                  world_.jobs().job(job).id, seconds_text(world_.now())));
}

// Promotions count what a job loses when it leaves the background.
void TierActions::count_promotion(JobEntry& entry, Promotion how) const {
  auto& account = entry.account;
  switch (how) {
    case Promotion::kSwap: ++account.swaps; return;
    case Promotion::kMigrate: ++account.migrations; return;
    case Promotion::kRestart:
      ++account.kills;
      account.lost_work += std::llround(entry.progress);
      entry.progress = 0.0;
      entry.used = 0;
      entry.attempt_start = world_.now();
  }
}

}  // namespace berth::sim

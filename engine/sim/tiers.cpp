// What Simulation does on machines with two tiers (spec: two-tier 2, 4; README 1.6).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/hosts/two_tier.hpp"
#include "engine/sim/simulation.hpp"
#include "engine/sim/tell.hpp"

namespace berth::sim {

bool Simulation::in_background(JobId job) const {
  return tiers_ != nullptr && table_.state(job) == JobState::kRunning &&
         table_[job].planned_end == kNever;
}

std::size_t Simulation::candidates() const {
  require_tiers("candidates");
  return asked_keys_.size() + 1;
}

Duration Simulation::freeze_if_promoted(JobId job) const {
  require_tiers("freeze");
  if (queues(table_.state(job))) return thaw_time(job);
  require_background(job, "freeze");
  return tiers_->can_swap(job, nullptr) ? 0 : machine_.migration_cost;
}

Result<Done, Refusal> Simulation::start_background(JobId job) {
  require(kDecision, "start_background");
  require_tiers("start_background");
  require_state(job, table_.state(job) == JobState::kWaiting, "start_background");
  auto& entry = table_[job];
  const auto& asked = table_.job(job);
  const auto choice = tiers_->choose_background(asked.needs());
  if (!choice) return choice.reason();

  leave_queue(job);
  tiers_->take(job, asked.needs(), choice.value(), touched_);
  entry.state = JobState::kRunning;
  entry.first_start = entry.attempt_start = now_;
  entry.state_since = entry.settled = now_;
  entry.planned_end = kNever;  // nobody can expect its end
  entry.rate = tiers_->rate(job);
  if (book_) book_->drop(job);
  entry.version = next_version(entry.version);
  predict(job, entry);
  ++actions_;
  tell_book_changes();
  if (wanted<StartRecord>()) {
    tell(StartRecord{now_, subject(job), &tiers_->placement(job), false, now_,
                     entry.rate, because_});
  }
  because_.clear();
  touch();
  return Done{};
}

Result<Done, Refusal> Simulation::promote(JobId job, Promotion how,
                                          const IntervalSet* within) {
  const char* action = name(how).data();
  require(kDecision, action);
  require_tiers(action);
  require_background(job, action);
  const auto& asked = table_.job(job);
  const auto allowed = how == Promotion::kSwap
                           ? tiers_->can_swap(job, within)
                           : tiers_->can_move(asked.needs(), within);
  if (!allowed) return allowed.reason();

  const bool freezes = how == Promotion::kMigrate && machine_.migration_cost > 0;
  const Time thawed = after(now_, freezes ? machine_.migration_cost : 0);
  leave_background(job, how);
  if (how == Promotion::kSwap) {
    tiers_->swap(job, touched_);
  } else {
    tiers_->move(job, asked.needs(), within, touched_);
  }
  run_in_foreground(job, thawed);
  charge_plans(job, table_[job].planned_end);
  ++actions_;
  tell_book_changes();
  if (wanted<PromoteRecord>()) {
    tell(PromoteRecord{now_, subject(job), &tiers_->placement(job), how, thawed,
                       table_[job].rate, because_});
  }
  because_.clear();
  touch();
  return Done{};
}

Result<PlanId, Refusal> Simulation::reserve_in_place(JobId job) {
  require(kDecision, "reserve");
  require_tiers("reserve");
  if (!in_background(job)) return reserve(job);
  Time start = now_;
  for (const JobId above : tiers_->jobs_above(job)) {
    start = std::max(start, running_.expected_end(table_[above].planned_end, now_));
  }
  auto room = tiers_->idle_without(job);
  const auto spare = room.count();
  plans_.push_back({job, start, spare, std::move(room)});
  if (wanted<PlanRecord>()) tell(PlanRecord{now_, job, start, spare});
  return PlanId{decision_, static_cast<std::uint32_t>(plans_.size() - 1)};
}

void Simulation::require_tiers(const char* action) const {
  if (tiers_ != nullptr) return;
  throw Error(ErrorCode::kPolicy, fmt::format("{}: this machine has no tiers", action));
}

void Simulation::require_background(JobId job, const char* action) const {
  if (in_background(job)) return;
  const bool runs = table_.state(job) == JobState::kRunning;
  throw Error(ErrorCode::kPolicy,
              runs ? fmt::format("{}: job {} runs in the foreground, where it stays "
                                 "(t={})",
                                 action, table_.job(job).id, seconds_text(now_))
                   : fmt::format("{}: {}", action, describe(job)));
}

void Simulation::leave_candidates(JobId job) {
  if (tiers_ != nullptr) queues_[candidates()].members.erase(place(job, candidates()));
}

// The job stops running in the tier where it is, or altogether.
void Simulation::stop_running(JobId job, JobEntry& entry) {
  if (tiers_ == nullptr || entry.planned_end != kNever) {
    running_.erase(job, entry.planned_end);
    return;
  }
  entry.account.background += now_ - entry.state_since;
  leave_candidates(job);
}

// The job has come to the foreground, where it stands still until `thawed`.
void Simulation::run_in_foreground(JobId job, Time thawed) {
  auto& entry = table_[job];
  const auto& asked = table_.job(job);
  entry.planned_end = after(thawed, planned_left(job));
  if (machine_.overrun == Overrun::kKill) entry.limit = after(thawed, asked.walltime);
  entry.frozen = thawed > now_;
  if (entry.frozen) {
    tiers_->freeze(job, Frozen::kYes, touched_);
    events_.push(
        {thawed, EventKind::kUnfreeze, index(job), next_version(entry.version)});
  }
  entry.rate = tiers_->rate(job);
  running_.insert(job, asked.size, entry.planned_end);
  cancel_events(entry);
  predict(job, entry);
  if (!book_) return;
  book_->started({job, asked.size, entry.planned_end - now_}, now_, entry.planned_end);
}

// Settles what the job has done in the background, and counts how it leaves it.
void Simulation::leave_background(JobId job, Promotion how) {
  settle(job);
  auto& entry = table_[job];
  stop_running(job, entry);
  entry.state_since = now_;
  auto& account = entry.account;
  switch (how) {
    case Promotion::kSwap: ++account.swaps; return;
    case Promotion::kMigrate: ++account.migrations; return;
    case Promotion::kRestart:
      ++account.kills;
      account.lost_work += std::llround(entry.progress);
      entry.progress = 0.0;
      entry.attempt_start = now_;
  }
}

}  // namespace berth::sim

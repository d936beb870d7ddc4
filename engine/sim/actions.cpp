#include "engine/sim/actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.hpp"
#include "engine/hosts/tiers.hpp"

namespace berth::sim {

namespace {

constexpr std::size_t kLongestReason = 120;

Duration walltime_left(const Job& job, const JobEntry& entry) {
  const Duration done = std::llround(entry.progress);
  return std::max(Duration{0}, job.walltime - done);
}

}  // namespace

Result<Done, Refusal> Actions::start(JobId job, const StartOptions& options) {
  world_.require(Phase::kDecision, "start");
  auto& jobs = world_.jobs();
  world_.require_state(job, jobs.holds(job) && queues(jobs[job].state), "start");
  auto& entry = jobs[job];
  const auto& asked = jobs.job(job);
  const auto demand = asked.demand();
  std::optional<Placement> chosen;
  if (options.where != nullptr) {
    auto choice = world_.hosts().choose(job, demand, options.where);
    if (!choice) return choice.reason();
    chosen = std::move(choice.value());
  } else if (!world_.fits(job)) {
    return Refusal::kBusy;
  }
  const Time now = world_.now();
  const Time unfreezes = after(now, world_.migration_delay(entry));
  const Time planned_end = after(unfreezes, world_.planned_left(asked, entry));
  if (options.under && !plans_.admits(plans_.at(*options.under), job, planned_end)) {
    return Refusal::kHeld;
  }

  const bool resumed = entry.state == JobState::kSuspended;
  if (world_.shares() != nullptr) tell_place(job);
  orders_.leave(job);
  if (chosen) {
    world_.hosts().take(job, demand, *chosen, world_.affected());
  } else {
    world_.hosts().allocate(job, demand, world_.affected());
  }
  plans_.charge(job, planned_end);
  if (resumed) entry.account.suspended += now - entry.state_since;
  if (!resumed) entry.first_start = entry.attempt_start = now;
  const bool kills = world_.machine().overrun == Overrun::kKill;
  world_.run(job, {unfreezes, planned_end,
                   kills ? after(unfreezes, walltime_left(asked, entry)) : kNever});
  world_.conclude([&] {
    return StartRecord{now,
                       {job, &asked, &entry},
                       PlacementOf(world_.hosts(), job),
                       resumed,
                       unfreezes,
                       entry.rate,
                       world_.decision().because};
  });
  return Done{};
}

// Where the job stands in the fair order, if that is the default.
void Actions::tell_place(JobId job) const {
  const auto& traits = world_.traits();
  const bool is_told =
      traits.default_order == traits.fair_share() && world_.wanted<RekeyRecord>();
  if (!is_told) return;
  world_.tell(
      RekeyRecord{world_.now(), job, orders_.place(job, traits.default_order).key});
}

void Actions::suspend(JobId job) {
  world_.require(Phase::kDecision, "suspend");
  world_.require_state(job, world_.jobs().state(job) == JobState::kRunning, "suspend");
  if (!world_.machine().preemption) {
    throw Error(ErrorCode::kPolicy,
                "suspend: this machine allows no preemption (machine.preemption = true "
                "permits it)");
  }
  auto& entry = world_.jobs()[job];
  world_.settle(entry);
  orders_.compute_keys(job, JobState::kSuspended);

  const bool had_expected_end = entry.planned_end != kNever;
  if (!had_expected_end) orders_.leave_candidates(job);
  world_.stop(job);
  world_.agenda().cancel(entry);
  entry.state = JobState::kSuspended;
  entry.state_since = world_.now();
  ++entry.account.suspensions;
  world_.hosts().leave(job, world_.affected());
  auto* book = world_.book_if_used();
  if (book != nullptr && had_expected_end) book->stopped(job, world_.now());
  orders_.enter(job);
  world_.conclude([&] {
    const double key = orders_.place(job, world_.traits().default_order).key;
    return SuspendRecord{world_.now(), world_.subject(job), key,
                         world_.decision().because};
  });
}

void Actions::reject(JobId job) {
  world_.require(Phase::kHook, "reject");
  world_.require_state(job, world_.jobs().state(job) == JobState::kWaiting, "reject");
  orders_.leave(job);
  if (auto* book = world_.book_if_used()) book->drop(job);
  world_.depart(job, JobState::kRejected);
  world_.conclude([&] {
    return RejectRecord{world_.now(), world_.subject(job), false,
                        world_.decision().because};
  });
}

Result<PlanId, Refusal> Actions::reserve(JobId job, std::int64_t keep) {
  world_.require(Phase::kDecision, "reserve");
  world_.require_state(job, may_be_planned(job), "reserve");
  if (keep != 0) require_pool(keep);
  // Idle processors less those that are kept: to free the rest takes the same ends.
  const auto shadow =
      shadow_of(world_.jobs().job(job).demand(), world_.hosts().idle() - keep,
                world_.running(), world_.now(), world_.machine().shadow_ties);
  if (!shadow) return Refusal::kTooBig;
  return plans_.add(job, *shadow);
}

void Actions::require_pool(std::int64_t keep) const {
  const auto& hosts = world_.hosts();
  const bool is_pool = hosts.fits_by_count() && capability<Tiers>(hosts) == nullptr;
  if (keep > 0 && is_pool) return;
  throw Error(ErrorCode::kPolicy,
              keep < 0 ? fmt::format("reserve: keep = {} is less than 0", keep)
                       : std::string("reserve: keep needs a machine that is one pool "
                                     "of processors"));
}

void Actions::wake_at(std::optional<Time> time) {
  world_.require(Phase::kHook, "wake_at");
  if (time && *time <= world_.now()) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("wake_at: {} is not later than now (t={})",
                            seconds_text(*time), seconds_text(world_.now())));
  }
  if (time == world_.agenda().wake()) return;
  world_.agenda().set_wake(time);
  if (world_.wanted<WakeRecord>()) world_.tell(WakeRecord{world_.now(), time});
}

void Actions::because(std::string_view text) {
  world_.require(Phase::kHook, "because");
  if (text.size() > kLongestReason) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("because: the reason has {} bytes, at most {} are kept",
                            text.size(), kLongestReason));
  }
  world_.decision().because = text;
}

std::optional<WhyNot> Actions::why_not(JobId job, std::optional<PlanId> under) const {
  world_.require_state(job, may_be_planned(job), "why_not");
  const std::int64_t size = world_.jobs().job(job).size;
  if (!world_.fits(job)) {
    return WhyNot{Refusal::kBusy, size, world_.hosts().idle(), std::nullopt};
  }
  if (!under) return std::nullopt;
  const auto& held = plans_.at(*under);
  const Time ends = after(world_.now(), world_.planned_span(job));
  if (plans_.admits(held, job, ends)) return std::nullopt;
  return WhyNot{Refusal::kHeld, size, held.spare, held.job};
}

}  // namespace berth::sim

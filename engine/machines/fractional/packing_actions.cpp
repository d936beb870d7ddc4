#include "engine/machines/fractional/packing_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/memory.hpp"
#include "engine/machines/fractional/fraction_facts.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/limits.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/policy.hpp"

namespace berth::sim {

namespace {

Fractions& fractions_of(World& world) {
  auto* fractions = capability<Fractions>(world.state().hosts);
  if (fractions != nullptr) return *fractions;
  throw Error(ErrorCode::kPolicy, "this machine has no packing");
}

// Whether each host has as many tasks of the job as before.
bool stays(const TaskHosts& before, const TaskHosts& after) {
  return before.hosts == after.hosts || moved_tasks(before, after) == 0;
}

void require_yield(const char* action, double yield) {
  if (yield >= 0 && yield <= 1) return;
  throw Error(ErrorCode::kPolicy,
              fmt::format("{}: a yield of {} is not from 0 to 1", action, yield));
}

}  // namespace

struct PackingActions::Step {
  std::vector<JobId> suspended;
  std::vector<std::vector<double>> keys;  // of these, with which they enter the queue
  std::vector<Seat> changed;              // of running jobs
  std::vector<bool> moved;                // by changed
  std::vector<Seat> started;
  std::int64_t moved_kib = 0;
  double yield = 1;

  [[nodiscard]] bool is_empty() const {
    return suspended.empty() && changed.empty() && started.empty();
  }
};

PackingActions::PackingActions(Simulation& simulation)
    : world_(simulation.parts().world),
      orders_(simulation.parts().orders),
      fractions_(fractions_of(world_)) {}

double PackingActions::host_gib() const { return gib_of(fractions_.host_memory()); }

pack::Problem PackingActions::problem(std::span<const JobId> jobs) const {
  std::vector<JobId> sorted(jobs.begin(), jobs.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<pack::JobNeeds> all;
  pack::Problem made;
  made.hosts = world_.machine().processors;
  for (const JobId job : sorted) {
    const auto state = world_.jobs().state(job);
    const bool runs = state == JobState::kRunning;
    world_.require_state(job, runs || queues(state), "packing");
    const auto& asked = world_.jobs().job(job);
    // Its tasks are listed here, and once more for their items.
    world_.decision().budget.charge(2 * std::int64_t{asked.size});
    const auto needs = fractions_.needs(job, asked.demand());
    all.push_back({std::int64_t{index(job)}, asked.size, needs.cpu,
                   static_cast<double>(needs.memory_kib) /
                       static_cast<double>(fractions_.host_memory()),
                   needs.memory_kib});
    if (runs) {
      const auto& hosts = place(job).hosts;
      made.present.insert(made.present.end(), hosts.begin(), hosts.end());
    } else {
      made.present.insert(made.present.end(), static_cast<std::size_t>(asked.size),
                          pack::kNoHost);
    }
  }
  made.items = pack::Items(std::move(all), fractions_.host_memory());
  return made;
}

Result<Done, Refusal> PackingActions::share(JobId job, double yield) {
  world_.require(Phase::kDecision, "share");
  world_.require_state(job, world_.jobs().state(job) == JobState::kRunning, "share");
  require_yield("share", yield);
  if (place(job).yield == yield) return Done{};
  if (!fractions_.can_share(job, yield)) return Refusal::kBusy;
  const Seat seat{job, {place(job).hosts, yield}};
  const auto state = world_.state();
  fractions_.reseat({&seat, 1}, world_.now(), state.affected);
  ++state.decision.actions;
  tell_share(job, false, world_.now());
  state.decision.because.clear();
  world_.update_affected();
  expect_rates({&seat, 1});
  return Done{};
}

Result<Done, Refusal> PackingActions::repack(std::span<const Seat> seats,
                                             LeftOut left_out) {
  world_.require(Phase::kDecision, "apply");
  for (const auto& seat : seats) check(seat);
  const auto step = plan(seats, left_out);
  if (step.moved_kib > fractions_.migration_budget()) return kOverBudget;
  if (!fractions_.can_seat(seats)) return kNoPacking;
  if (auto* limits = orders_.limits()) {
    std::vector<JobId> starting;
    starting.reserve(step.started.size());
    for (const auto& seat : step.started) starting.push_back(seat.job);
    if (const auto bar = limits->bar(starting, step.suspended)) return bar->refusal();
  }
  if (step.is_empty()) return Done{};

  for (const auto& seat : step.started) orders_.tell_keys(seat.job);
  const auto state = world_.state();
  const auto because = state.decision.because;
  const auto tell = [&](MachineRecord::Bracket bracket) {
    if (!world_.audience().wants<MachineRecord>()) return;
    const RepackFact fact(bracket == MachineRecord::Bracket::kEnds, step.yield,
                          step.moved_kib);
    world_.audience().tell(MachineRecord{world_.now(), {}, bracket, &fact, because});
  };
  tell(MachineRecord::Bracket::kBegins);
  for (std::size_t i = 0; i < step.suspended.size(); ++i) {
    suspend(step.suspended[i], step.keys[i]);
  }
  fractions_.reseat(step.changed, world_.now(), state.affected);
  for (std::size_t i = 0; i < step.changed.size(); ++i) {
    move(step.changed[i], step.moved[i]);
  }
  for (const auto& seat : step.started) start(seat);
  ++state.decision.actions;
  tell(MachineRecord::Bracket::kEnds);
  state.decision.because.clear();
  world_.update_affected();
  expect_rates(step.changed);
  return Done{};
}

// A frozen job goes on at its new rate.
void PackingActions::expect_rates(std::span<const Seat> changed) {
  if (fractions_.cap_delay() == 0) return;
  const Time at = after(world_.now(), fractions_.cap_delay());
  for (const auto& seat : changed) {
    const auto& entry = world_.jobs()[seat.job];
    if (entry.frozen) continue;
    world_.state().agenda.add({at, EventKind::kOfJob, index(seat.job), entry.version});
  }
}

void PackingActions::settle(JobId job) {
  fractions_.settle(job, world_.now(), world_.state().affected);
  world_.update_affected();
}

void PackingActions::check(const Seat& seat) const {
  const auto state = world_.jobs().state(seat.job);
  world_.require_state(seat.job, state == JobState::kRunning || queues(state), "apply");
  require_yield("apply", seat.place.yield);
  const auto& hosts = seat.place.hosts;
  const auto& asked = world_.jobs().job(seat.job);
  world_.decision().budget.charge_each(hosts.size());
  const bool exist = std::all_of(hosts.begin(), hosts.end(), [this](auto host) {
    return host >= 0 && host < world_.machine().processors;
  });
  if (exist && std::cmp_equal(hosts.size(), asked.size)) return;
  throw Error(ErrorCode::kPolicy,
              fmt::format("apply: job {} has {} tasks, and each "
                          "needs one of the {} hosts",
                          asked.id, asked.size, world_.machine().processors));
}

// Key functions may raise: all keys are computed before anything changes.
PackingActions::Step PackingActions::plan(std::span<const Seat> seats,
                                          LeftOut left_out) const {
  Step step;
  std::vector<Seat> sorted(seats.begin(), seats.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Seat& a, const Seat& b) { return a.job < b.job; });
  for (auto& seat : sorted) {
    step.yield = std::min(step.yield, seat.place.yield);
    if (world_.jobs().state(seat.job) != JobState::kRunning) {
      step.started.push_back(std::move(seat));
      continue;
    }
    const auto& now = place(seat.job);
    world_.decision().budget.charge_each(now.hosts.size());
    const bool moves = !stays(now, seat.place);
    // Which of its alike tasks sits where is left as it is.
    if (!moves) seat.place.hosts = now.hosts;
    if (!moves && now.yield == seat.place.yield) continue;
    const auto demand = world_.jobs().job(seat.job).demand();
    step.moved_kib +=
        moved_tasks(now, seat.place) * fractions_.needs(seat.job, demand).memory_kib;
    step.changed.push_back(std::move(seat));
    step.moved.push_back(moves);
  }
  step.suspended = without_seat(seats);
  if (step.suspended.empty()) return step;
  if (left_out == LeftOut::kWrong) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("apply: job {} runs and has no place in the packing; give "
                            "it one, or suspend such jobs by {{ pause = true }}",
                            world_.jobs().job(step.suspended.front()).id));
  }
  require_preemption(world_, "apply");
  for (const JobId job : step.suspended) {
    world_.state().jobs[job].settle(world_.now());
    const auto keys = orders_.keys_of(job, JobState::kSuspended);
    step.keys.emplace_back(keys.begin(), keys.end());
  }
  return step;
}

// The running jobs that no seat names, by (submit, id).
std::vector<JobId> PackingActions::without_seat(std::span<const Seat> seats) const {
  std::vector<JobId> seated;
  for (const auto& seat : seats) seated.push_back(seat.job);
  std::sort(seated.begin(), seated.end());
  const auto twice = std::adjacent_find(seated.begin(), seated.end());
  if (twice != seated.end()) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("apply: job {} stands in the packing twice",
                            world_.jobs().job(*twice).id));
  }
  std::vector<JobId> left;
  for (const auto& each : world_.running().releases(world_.now())) {
    if (!std::binary_search(seated.begin(), seated.end(), each.job)) {
      left.push_back(each.job);
    }
  }
  std::sort(left.begin(), left.end());
  return left;
}

// REQUIRES: settled.
void PackingActions::suspend(JobId job, Orders::Keys keys) {
  const auto state = world_.state();
  auto& entry = state.jobs[job];
  world_.stop(job);
  state.agenda.cancel(entry);
  entry.state = JobState::kSuspended;
  entry.state_since = world_.now();
  ++entry.account.suspensions;
  state.hosts.leave(job, state.affected);
  orders_.enter(job, keys);
  if (!world_.audience().wants<SuspendRecord>()) return;
  const double key = orders_.place(job, world_.traits().default_order).key;
  world_.audience().tell(
      SuspendRecord{world_.now(), world_.subject(job), key, world_.decision().because});
}

// Tells a job that has its new seat, and freezes it if moving costs time.
void PackingActions::move(const Seat& seat, bool moved) {
  const Time now = world_.now();
  auto& entry = world_.state().jobs[seat.job];
  if (!moved) return tell_share(seat.job, false, now);
  ++entry.account.migrations;
  const auto cost = world_.machine().migration_cost;
  if (cost == 0) return tell_share(seat.job, true, now);
  const Time unfreezes = after(now, cost);
  entry.settle(now);
  world_.stop(seat.job);
  world_.state().agenda.cancel(entry);
  const auto left = world_.planned(seat.job).left;
  world_.run(seat.job, {unfreezes, after(unfreezes, left)});
  tell_share(seat.job, true, unfreezes);
}

void PackingActions::tell_share(JobId job, bool moved, Time frozen_until) {
  if (!world_.audience().wants<ChangeRecord>()) return;
  using Effect = ChangeRecord::Effect;
  const YieldFact fact(place(job).yield);
  world_.audience().tell(ChangeRecord{
      world_.now(), world_.subject(job), &world_.hosts().placement(job),
      moved ? "move" : "share", moved ? Effect::kMigrates : Effect::kShares,
      frozen_until, world_.jobs()[job].rate, &fact, world_.decision().because});
}

void PackingActions::start(const Seat& seat) {
  const auto state = world_.state();
  auto& entry = state.jobs[seat.job];
  const auto& asked = state.jobs.job(seat.job);
  const Time now = world_.now();
  const bool resumed = entry.state == JobState::kSuspended;
  const double key = orders_.place(seat.job, world_.traits().default_order).key;
  orders_.leave(seat.job);
  Grant grant;
  const auto granted = state.hosts.grant(
      seat.job, asked.demand(),
      {seat.job, asked.id, asked.demand(), placement_of(seat.place)}, grant);
  BERTH_ASSERT(granted);
  state.hosts.take(grant, state.affected);
  if (resumed) entry.account.suspended += now - entry.state_since;
  if (!resumed) entry.first_start = entry.attempt_start = now;
  const Time unfreezes = after(now, resumed ? world_.machine().migration_cost : 0);
  world_.run(seat.job, {unfreezes, after(unfreezes, world_.planned(seat.job).left)});
  if (!world_.audience().wants<StartRecord>()) return;
  world_.audience().tell(
      StartRecord{now, world_.subject(seat.job), PlacementOf(world_.hosts(), seat.job),
                  resumed, unfreezes, entry.rate, world_.decision().because, key});
}

}  // namespace berth::sim

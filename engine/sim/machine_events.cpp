#include "engine/sim/machine_events.hpp"

#include <algorithm>
#include <cmath>

#include "engine/jobs/checkpoints.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/simulation.hpp"

namespace berth::sim {

namespace {

struct WorkOfHit {
  Duration lost;
  std::optional<HitRecord::SavedWork> saved;
};

// Its work is lost, but for what a checkpoint has of it, and the next attempt has all
// of its walltime that is left.
WorkOfHit lose_work(World& world, JobId job, JobEntry& entry, bool fails) {
  entry.settle(world.now());
  WorkOfHit work{std::llround(entry.progress), std::nullopt};
  if (auto* checkpoints = world.state().checkpoints) {
    const auto hit = checkpoints->hit(job, world.jobs().job(job), entry, fails);
    work = {hit.lost, HitRecord::SavedWork{hit.saved, hit.overhead, hit.ran}};
  }
  entry.account.lost_work += work.lost;
  entry.was_hit = true;
  entry.progress = entry.rate = 0.0;
  entry.used = 0;
  entry.ends_at_limit = false;
  return work;
}

// Processors that are held to an expected end, which may have passed.
struct HeldUntil {
  JobId job;
  std::int32_t processors;
  Time until;
};

void claim_in(ReservationBook& book, const World& world, const HeldUntil& held) {
  const Time now = world.now();
  const Time expected = world.running().expected_end(held.until, now);
  book.started({held.job, held.processors, expected - now}, now, expected);
  book.expect(held.job, held.until);
}

// Tells the record of a hit, and of the end if the job fails, while it still has its
// placement.
void tell_hit(World& world, JobId job, const WorkOfHit& work,
              std::optional<Time> returns) {
  const auto& audience = world.audience();
  if (audience.wants<HitRecord>()) {
    const auto who = world.subject(job);
    audience.tell(HitRecord{world.now(), who, who.entry->account.kills, work.lost,
                            returns, work.saved});
  }
  if (returns || !audience.wants<EndRecord>()) return;
  audience.tell(
      EndRecord{world.now(), world.subject(job), PlacementOf(world.hosts(), job)});
}

}  // namespace

void MachineEvents::hold(Simulation& simulation, const SystemClaim& claim) {
  auto& world = simulation.parts().world;
  const JobId job = world.jobs().system_job(claim.number);
  auto& running = world.state().running;
  const Time expected = running.expected_end(claim.until, world.now());
  running.insert(job, claim.processors, expected);
  if (expected != claim.until) running.move(job, expected, claim.until);
  auto* book = world.book_if_used();
  if (book != nullptr && claim.is_in_book) {
    claim_in(*book, world, {job, claim.processors, claim.until});
  }
}

void MachineEvents::expect(Simulation& simulation, const SystemClaim& claim,
                           Time until) {
  auto& world = simulation.parts().world;
  const JobId job = world.jobs().system_job(claim.number);
  world.state().running.move(job, claim.until, until);
  auto* book = world.book_if_used();
  if (book != nullptr && claim.is_in_book) book->prolong(job, until, world.now());
}

void MachineEvents::give_back(Simulation& simulation, const SystemClaim& claim) {
  auto& world = simulation.parts().world;
  const JobId job = world.jobs().system_job(claim.number);
  world.state().running.erase(job, claim.until);
  auto* book = world.book_if_used();
  if (book != nullptr && claim.is_in_book) book->stopped(job, world.now());
}

void MachineEvents::require_room_for_due(Simulation& simulation) {
  auto& world = simulation.parts().world;
  auto* book = world.book_if_used();
  const Time now = world.now();
  if (book == nullptr || !book->may_be_due(now)) return;
  const auto due = book->due(now);
  const bool has_room = std::all_of(due.begin(), due.end(), [&](JobId job) {
    return book->place_now(job).has_value();
  });
  if (!has_room) book->lose();
}

void MachineEvents::announce_gain(Simulation& simulation, JobId job,
                                  std::int32_t processors, Time until) {
  auto& world = simulation.parts().world;
  auto* book = world.book_if_used();
  if (book == nullptr) return;
  const Time now = world.now();
  const Duration span = world.running().expected_end(until, now) - now;
  book->gained({job, processors, span}, now);
}

void MachineEvents::set_left(Simulation& simulation, JobId job,
                             std::int32_t processors) {
  auto& world = simulation.parts().world;
  const Time until = world.jobs()[job].planned_end;
  world.state().running.resize(job, until, processors);
  auto* book = world.book_if_used();
  if (book == nullptr) return;
  book->stopped(job, world.now());
  claim_in(*book, world, {job, processors, until});
}

void MachineEvents::begin_attempt(Simulation& simulation, JobId job) {
  auto& world = simulation.parts().world;
  const auto* checkpoints = world.state().checkpoints;
  auto& entry = world.state().jobs[job];
  const bool begins = entry.state == JobState::kWaiting;
  if (begins) checkpoints->begin(job, world.jobs().job(job), entry);
}

void MachineEvents::announce_loss(Simulation& simulation) {
  auto& world = simulation.parts().world;
  if (auto* book = world.book_if_used()) book->announced(world.now());
}

void MachineEvents::set_down(Simulation& simulation, std::int64_t processors) {
  auto& world = simulation.parts().world;
  world.state().down = processors;
  if (world.audience().wants<CapacityRecord>()) {
    world.audience().tell(CapacityRecord{world.now(), world.capacity()});
  }
}

std::optional<Time> MachineEvents::hit(Simulation& simulation, JobId job) {
  auto& world = simulation.parts().world;
  const auto state = world.state();
  const auto& life = world.machine().life;
  const Time now = world.now();
  auto& entry = state.jobs[job];
  // What it did up to now counts before it leaves the running jobs.
  world.stop(job);
  state.agenda.cancel(entry);
  ++entry.account.kills;
  const bool fails =
      life.on_failure == OnFailure::kKill || entry.account.kills >= life.max_attempts;
  const auto work = lose_work(world, job, entry, fails);
  std::optional<Time> returns;
  if (fails) {
    state.jobs.depart(job, JobState::kFailed, now);
    state.decision.news.failed.push_back(job);
    state.decision.causes |= kEnd;
  } else {
    returns = after(now, life.requeue_delay);
    entry.state = JobState::kReturning;
    entry.state_since = now;
  }
  tell_hit(world, job, work, returns);
  state.hosts.leave(job, state.affected);
  if (auto* book = world.book_if_used()) book->stopped(job, now);
  if (world.traits().has_on_hit) state.decision.news.hit.push_back(job);
  if (returns != now) return returns;
  come_back(simulation, job);
  return std::nullopt;
}

void MachineEvents::come_back(Simulation& simulation, JobId job) {
  auto [world, orders, plans] = simulation.parts();
  const auto state = world.state();
  auto& entry = state.jobs[job];
  BERTH_ASSERT(entry.state == JobState::kReturning);
  const auto keys = orders.keys_of(job, JobState::kWaiting);
  entry.state = JobState::kWaiting;
  entry.state_since = world.now();
  orders.enter(job, keys);
  if (world.traits().has_estimate) state.decision.news.back.push_back(job);
  if (!world.audience().wants<ReturnRecord>()) return;
  const double key = orders.place(job, world.traits().default_order).key;
  world.audience().tell(ReturnRecord{world.now(), world.subject(job), key});
}

}  // namespace berth::sim

#include "engine/sim/actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/hosts/several_kinds.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/inspector.hpp"
#include "engine/sim/limits.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/settings.hpp"

namespace berth::sim {

namespace {

constexpr std::size_t kLongestReason = 120;

// The job starts with the first expected ends after which it fits; what is spare is
// counted in processors, any number where processes share them.  Afterwards `outlook`
// is that of the start.
std::optional<Shadow> look_ahead(Outlook& outlook, const World& world, JobId job) {
  auto spare = world.hosts().most() - world.jobs().job(job).size;
  if (world.fits(job)) return Shadow{world.now(), spare};
  const bool is_literal = world.machine().shadow_ties == ShadowTies::kLiteral &&
                          !world.hosts().traits().joins_equal_ends;
  const auto releases = world.running().releases(world.now());
  for (auto at = releases.begin(); at != releases.end();) {
    const auto& freed = *at++;
    outlook.release(freed.job);
    spare += freed.size;
    const bool is_last = at == releases.end() || at->at != freed.at;
    if ((is_last || is_literal) && outlook.fits()) return Shadow{freed.at, spare};
  }
  return std::nullopt;
}

// Whether the job would fit if these running jobs had left.  One of which no end is
// expected has nothing that the job could get.
bool fits_without(const World& world, JobId job, std::span<const JobId> gone) {
  const auto& hosts = world.hosts();
  const auto demand = world.jobs().job(job).demand();
  const auto later = hosts.outlook(job, demand);
  auto idle = hosts.idle();
  for (const JobId each : gone) {
    if (world.jobs().runs_without_expected_end(each)) continue;
    if (later != nullptr) later->release(each);
    idle += world.jobs().job(each).size;
  }
  return later != nullptr ? later->fits() : demand.processors() <= idle;
}

}  // namespace

Actions::Actions(World& world, Orders& orders, Plans& plans,
                 const Simulation& simulation)
    : world_(world),
      orders_(orders),
      plans_(plans),
      simulation_(simulation),
      starts_are_plain_(world.hosts().kinds() == nullptr && orders.limits() == nullptr),
      reserves_freely_(world.hosts().traits().cannot_plan.empty() &&
                       world.settings().departures && orders.limits() == nullptr) {}

Result<Done, Refusal> Actions::start(JobId job, const StartOptions& options) {
  world_.require(Phase::kDecision, "start");
  // A start takes as long as so many units.
  constexpr std::int64_t kUnits = 64;
  const auto state = world_.state();
  state.decision.budget.charge(kUnits);
  auto& jobs = state.jobs;
  world_.require_state(job, jobs.holds(job) && queues(jobs[job].state), "start");
  std::span<const JobId> leaving;
  if (options.instead_of) leaving = read_makers_of_way(job, *options.instead_of);
  Prepared made;
  if (const auto ready = prepare(job, options, made); !ready) {
    return refused(job, ready.reason());
  }
  orders_.tell_keys(job);
  if (!leaving.empty()) suspend_all(leaving);

  auto& entry = jobs[job];
  const auto& asked = jobs.job(job);
  const Time now = world_.now();
  const bool resumed = entry.state == JobState::kSuspended;
  tell_place(job);
  const double key = orders_.place(job, world_.traits().default_order).key;
  orders_.leave(job);
  if (leaving.empty()) {
    state.hosts.take(made.grant, state.affected);
  } else {
    state.hosts.allocate(job, asked.demand(), state.affected);
    const auto left = world_.planned(job, &state.hosts.placement(job)).left;
    made.planned_end = after(made.unfreezes, left);
  }
  plans_.charge(job, made.planned_end);
  if (resumed) {
    entry.account.suspended += now - entry.state_since;
    if (resumes_elsewhere(job)) ++entry.account.migrations;
  }
  if (!resumed) {
    entry.attempt_start = now;
    if (!entry.was_hit) entry.first_start = now;
  }
  world_.run(job, {made.unfreezes, made.planned_end});
  world_.conclude([&] {
    return StartRecord{now,
                       {job, &asked, &entry},
                       PlacementOf(world_.hosts(), job),
                       resumed,
                       made.unfreezes,
                       entry.rate,
                       world_.decision().because,
                       key};
  });
  return Done{};
}

Refusal Actions::refused(JobId job, Refusal why) const {
  if (auto* inspector = world_.audience().inspector())
    inspector->refused(simulation_, job, why);
  return why;
}

// Where the job stands in the fair order, if that is the default.
void Actions::tell_place(JobId job) const {
  const auto& traits = world_.traits();
  const bool is_told = traits.default_order == traits.fair_share() &&
                       world_.audience().wants<RekeyRecord>();
  if (!is_told) return;
  world_.audience().tell(
      RekeyRecord{world_.now(), job, orders_.place(job, traits.default_order).key});
}

Result<Done, Refusal> Actions::prepare(JobId job, const StartOptions& options,
                                       Prepared& made) const {
  const auto& asked = world_.jobs().job(job);
  const bool makes_way = options.instead_of && !options.instead_of->empty();
  const bool is_plain =
      options.where == nullptr && options.place == nullptr && starts_are_plain_;
  if (!makes_way) {
    const auto granted =
        is_plain ? world_.hosts().grant(job, asked.demand(), nullptr, made.grant)
                 : find_grant(job, options, made.grant);
    if (!granted) return granted;
  }
  const auto planned = makes_way ? world_.planned(job)
                                 : planned_now(world_, job, made.grant.placement());
  made.unfreezes = after(world_.now(), planned.frozen);
  made.planned_end = after(made.unfreezes, planned.left);
  if (makes_way) return prepare_instead(job, options, made);
  if (!options.under) return Done{};
  const bool is_placed = options.where != nullptr || options.place != nullptr;
  if (!is_held(plans_.at(*options.under), job, is_placed, made)) return Done{};
  return Refusal::kHeld;
}

// Where the job will sit is known once the others have gone.
Result<Done, Refusal> Actions::prepare_instead(JobId job, const StartOptions& options,
                                               const Prepared& made) const {
  if (const auto bar = barred(job, *options.instead_of)) return bar->reason;
  if (!fits_without(world_, job, *options.instead_of)) {
    return world_.hosts().unfit(job, world_.jobs().job(job).demand());
  }
  if (!options.under) return Done{};
  const auto& plan = plans_.at(*options.under);
  const bool is_admitted =
      plan.job == job || plans_.admission_anywhere(plan, job, made.planned_end);
  if (is_admitted) return Done{};
  return Refusal::kHeld;
}

Result<Done, Refusal> Actions::find_grant(JobId job, const StartOptions& options,
                                          Grant& grant) const {
  if (const auto bar = barred(job)) return bar->reason;
  const auto& hosts = world_.hosts();
  const auto& asked = world_.jobs().job(job);
  const auto demand = asked.demand();
  if (options.place != nullptr) return hosts.grant(job, demand, *options.place, grant);
  if (options.where == nullptr && hosts.kinds() != nullptr &&
      world_.book_if_used() != nullptr && world_.fits(job)) {
    if (auto there = reserved_place(job)) {
      return hosts.grant(job, demand, {job, asked.id, demand, *std::move(there)},
                         grant);
    }
  }
  return hosts.grant(job, demand, options.where, grant);
}

// By a limit, once these running jobs have gone.
std::optional<WhyNot> Actions::barred(JobId job, std::span<const JobId> gone) const {
  auto* const limits = orders_.limits();
  if (limits == nullptr || !queues(world_.jobs().state(job))) return std::nullopt;
  const auto bar = limits->bar({&job, 1}, gone);
  if (!bar) return std::nullopt;
  const bool by_processors = bar->kind == LimitBar::Kind::kProcessors ||
                             bar->kind == LimitBar::Kind::kBorrowing;
  const std::int64_t needed = by_processors ? world_.jobs().job(job).size : 1;
  const auto left = std::max(std::int64_t{0}, bar->limit - bar->held);
  return WhyNot{Shortage{needed, left}, bar->refusal()};
}

// The plan is asked about the placement that will be taken.  A job that is free to sit
// anywhere keeps to what a plan pinned to its processors can spare.
bool Actions::is_held(const Plan& plan, JobId job, bool is_placed,
                      Prepared& made) const {
  if (plan.job == job) return false;
  const auto ends = made.planned_end;
  const auto admitted = plans_.admission(plan, job, ends, made.grant.placement());
  if (!admitted || *admitted == Admission::kInTime) return !admitted;
  if (is_placed || !plan.room) return false;
  const auto demand = world_.jobs().job(job).demand();
  return !world_.hosts().grant(job, demand, &*plan.room, made.grant);
}

// The hosts that a reservation which is due names, if there is room; else the machine's
// own rule counts.
std::optional<Placement> Actions::reserved_place(JobId job) const {
  const auto* book = world_.book_if_used();
  if (book == nullptr || book->of(job).value_or(kNever) > world_.now()) {
    return std::nullopt;
  }
  return book->place_now(job);
}

void require_preemption(const World& world, const char* action) {
  if (world.machine().preemption) return;
  throw Error(ErrorCode::kPolicy,
              fmt::format("{}: this machine allows no preemption (machine.preemption = "
                          "true permits it)",
                          action));
}

// The job has resumed.  Whether that is a migration: the machine tells that parts of
// the job have moved.
bool Actions::resumes_elsewhere(JobId job) {
  const auto left = left_.extract(job);
  return !left.empty() && world_.hosts().placement(job).moved_from(left.mapped()) > 0;
}

// By (submit, id).
std::span<const JobId> Actions::read_makers_of_way(JobId job,
                                                   std::span<const JobId> jobs) {
  require_preemption(world_, "instead_of");
  auto& sorted = makers_of_way_;
  sorted.assign(jobs.begin(), jobs.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw Error(ErrorCode::kPolicy, fmt::format("instead_of: job {} is named twice",
                                                world_.jobs().job(*twice).id));
  }
  for (const JobId each : sorted) {
    if (each == job) {
      throw Error(ErrorCode::kPolicy,
                  fmt::format("instead_of: job {} cannot make way for itself",
                              world_.jobs().job(job).id));
    }
    world_.require_state(each, world_.jobs().state(each) == JobState::kRunning,
                         "instead_of");
  }
  return sorted;
}

void Actions::suspend(JobId job) {
  world_.require(Phase::kDecision, "suspend");
  world_.require_state(job, world_.jobs().state(job) == JobState::kRunning, "suspend");
  require_preemption(world_, "suspend");
  world_.state().jobs[job].settle(world_.now());
  do_suspend(job, orders_.keys_of(job, JobState::kSuspended));
}

// All keys are computed before the first job is suspended, because a key function may
// raise.
void Actions::suspend_all(std::span<const JobId> jobs) {
  std::vector<std::vector<double>> keys;
  for (const JobId job : jobs) {
    world_.state().jobs[job].settle(world_.now());
    const auto own = orders_.keys_of(job, JobState::kSuspended);
    keys.emplace_back(own.begin(), own.end());
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) do_suspend(jobs[i], keys[i]);
}

// REQUIRES: settled.
void Actions::do_suspend(JobId job, Orders::Keys keys) {
  const auto state = world_.state();
  auto& entry = state.jobs[job];
  const bool had_expected_end = entry.planned_end != kNever;
  if (had_expected_end) {
    plans_.stopped(job);
  } else {
    orders_.leave(job, Orders::From::kCandidates);
  }
  world_.stop(job);
  state.agenda.cancel(entry);
  entry.state = JobState::kSuspended;
  entry.state_since = world_.now();
  ++entry.account.suspensions;
  const auto& placement = state.hosts.placement(job);
  if (placement.has_form()) left_[job] = placement;
  state.hosts.leave(job, state.affected);
  auto* book = world_.book_if_used();
  if (book != nullptr && had_expected_end) book->stopped(job, world_.now());
  orders_.enter(job, keys);
  world_.conclude([&] {
    const double key = orders_.place(job, world_.traits().default_order).key;
    return SuspendRecord{world_.now(), world_.subject(job), key,
                         world_.decision().because};
  });
}

void Actions::reject(JobId job) {
  world_.require(Phase::kHook, "reject");
  world_.require_state(job, world_.jobs().state(job) == JobState::kWaiting, "reject");
  orders_.tell_keys(job);
  orders_.leave(job);
  if (auto* book = world_.book_if_used()) book->drop(job);
  world_.state().jobs.depart(job, JobState::kRejected, world_.now());
  world_.conclude([&] {
    return RejectRecord{world_.now(), world_.subject(job), false,
                        world_.decision().because};
  });
}

Result<PlanId, Refusal> Actions::reserve(JobId job, std::int64_t keep) {
  world_.require(Phase::kDecision, "reserve");
  if (!reserves_freely_) {
    require_plans(world_, "reserve");
    if (const auto bar = barred(job)) return refused(job, bar->reason);
  }
  world_.require_state(job, may_be_planned(job), "reserve");
  if (keep != 0) require_pool(keep);
  const auto demand = world_.jobs().job(job).demand();
  if (auto outlook = world_.hosts().outlook(job, demand)) {
    if (outlook->seeks()) return reserve_sought(job, std::move(outlook));
    const auto found = look_ahead(*outlook, world_, job);
    if (!found) return refused(job, Refusal::kTooBig);
    return plans_.add(job, *found, std::move(outlook));
  }
  // Idle processors less those that are kept: to free the rest takes the same ends.
  const auto shadow = shadow_of(demand, world_.hosts().idle() - keep, world_.running(),
                                world_.now(), world_.machine().shadow_ties);
  if (!shadow) return refused(job, Refusal::kTooBig);
  return plans_.add(job, *shadow);
}

Result<PlanId, Refusal> Actions::reserve_sought(JobId job,
                                                std::unique_ptr<Outlook> outlook) {
  const auto found = outlook->seek();
  if (!found) return refused(job, Refusal::kTooBig);
  return plans_.add(job, Shadow{found->at, found->spare}, std::move(outlook),
                    found->most - found->spare);
}

void Actions::require_pool(std::int64_t keep) const {
  if (keep > 0 && world_.hosts().traits().is_pool()) return;
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
  auto& agenda = world_.state().agenda;
  if (time == agenda.wake()) return;
  agenda.set_wake(time);
  if (world_.audience().wants<WakeRecord>())
    world_.audience().tell(WakeRecord{world_.now(), time});
}

void Actions::because(std::string_view text) {
  world_.require(Phase::kHook, "because");
  if (text.size() > kLongestReason) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("because: the reason has {} bytes, at most {} are kept",
                            text.size(), kLongestReason));
  }
  world_.state().decision.because = text;
}

std::optional<WhyNot> Actions::why_not(JobId job, std::optional<PlanId> under) const {
  world_.require_state(job, may_be_planned(job), "why_not");
  if (auto bar = barred(job)) return bar;
  const auto demand = world_.jobs().job(job).demand();
  if (!world_.fits(job)) {
    const auto& hosts = world_.hosts();
    return WhyNot{hosts.shortage(job, demand), hosts.unfit(job, demand)};
  }
  if (!under) return std::nullopt;
  const auto& held = plans_.at(*under);
  const auto there =
      world_.hosts().kinds() != nullptr ? reserved_place(job) : std::nullopt;
  const auto* const place = there ? &*there : nullptr;
  const Time ends = after(world_.now(), planned_now(world_, job, place).span);
  if (held.job == job || plans_.admission(held, job, ends, place)) return std::nullopt;
  const auto lacks = held.outlook ? held.outlook->shortage(job) : std::nullopt;
  return WhyNot{lacks.value_or(Shortage{demand.processors(), held.spare}),
                Refusal::kHeld, held.job};
}

}  // namespace berth::sim

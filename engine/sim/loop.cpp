#include "engine/sim/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/machine_fact.hpp"
#include "engine/base/plain_locale.hpp"
#include "engine/jobs/checkpoints.hpp"
#include "engine/jobs/own_estimates.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/share/shares.hpp"
#include "engine/sim/agenda.hpp"
#include "engine/sim/inspector.hpp"
#include "engine/sim/limits.hpp"
#include "engine/sim/machine.hpp"
#include "engine/sim/machine_events.hpp"
#include "engine/sim/policy.hpp"
#include "engine/sim/releases.hpp"
#include "engine/sim/settings.hpp"

namespace berth::sim {

bool Loop::advance(Time until) {
  const PlainLocale locale;
  while (find_pass(until)) {
    policy_.schedule(simulation_);
    end_pass();
  }
  return !is_over();
}

bool Loop::to_pass(Time until) {
  const PlainLocale locale;
  return find_pass(until);
}

void Loop::close_pass() {
  const PlainLocale locale;
  end_pass();
}

bool Loop::find_pass(Time until) {
  BERTH_ASSERT(!is_open_);
  if (!has_begun_) begin();
  return is_by_clock() ? find_pass_of_clock(until) : find_pass_of_events(until);
}

bool Loop::find_pass_of_events(Time until) {
  const bool whole_instants = world_.settings().pass == PassMode::kInstant;
  auto& agenda = world_.state().agenda;
  Time next = agenda.next_at();
  while (next <= until && !is_over()) {
    world_.come_to(next);
    do {
      apply_next();
      agenda.drop_void();
      next = agenda.next_at();
    } while (whole_instants && next == world_.now());
    // What happens to a running job is no reason for a pass.
    if (world_.decision().causes != 0 && open_pass()) return true;
    agenda.drop_void();
    next = agenda.next_at();
  }
  return false;
}

// Events and hooks keep their time; a pass comes after the events of its instant.
bool Loop::find_pass_of_clock(Time until) {
  auto& agenda = world_.state().agenda;
  while (!is_over()) {
    const Time next = std::min(agenda.next_at(), next_of_clock());
    if (next > until) return false;
    world_.come_to(next);
    while (agenda.next_at() == next) {
      is_idle_ = false;
      apply_next();
      agenda.drop_void();
    }
    if (next_of_clock() == next) {
      last_pass_ = next;
      if (open_pass()) return true;
    } else if (has_news()) {
      ++world_.state().decision.number;
      expect_anew();
      run_hooks();
    }
    agenda.drop_void();
  }
  return false;
}

bool Loop::is_by_clock() const { return world_.settings().cycle > 0; }

// The next pass; kNever: no job waits, or nothing can happen that would let one start.
Time Loop::next_of_clock() const {
  if (!orders_.queue(0).head()) return kNever;
  if (is_idle_ && world_.state().agenda.empty()) return kNever;
  const auto cycle = world_.settings().cycle;
  if (world_.now() > kNever - 2 * cycle) return kNever;
  const Time next = (world_.now() + cycle - 1) / cycle * cycle;
  return next == last_pass_ ? next + cycle : next;
}

void Loop::finish() {
  if (!has_begun_) begin();
  const auto& audience = world_.audience();
  if (audience.wants<KeyRecord>()) {
    orders_.all(0).for_each(
        [&](const JobQueue::Member& each) { orders_.tell_keys(each.place.job); });
  }
  const auto& jobs = world_.jobs();
  const bool is_told = arrived_ > jobs.departures() && audience.wants<LeftRecord>();
  for (std::uint32_t i = 0; is_told && i < jobs.size(); ++i) {
    const JobId job{i};
    const auto state = jobs.state(job);
    const bool runs = state == JobState::kRunning;
    if (!runs && !queues(state) && state != JobState::kReturning) continue;
    if (const auto* attempts = world_.state().checkpoints) {
      attempts->close(job, jobs.job(job), world_.state().jobs[job], world_.now());
    }
    audience.tell(
        LeftRecord{world_.now(), world_.subject(job),
                   runs ? PlacementOf(world_.hosts(), job) : PlacementOf(nullptr)});
  }
  audience.finish(world_.now());
}

void Loop::begin() {
  has_begun_ = true;
  policy_.begin(simulation_);
  if (world_.audience().wants<CapacityRecord>()) {
    world_.audience().tell(CapacityRecord{world_.now(), world_.machine().processors});
  }
  if (machine_ != nullptr) machine_->begin(simulation_);
  if (releases_ != nullptr) {
    releases_->begin(world_.state().agenda);
  } else {
    schedule_next_arrival();
  }
}

// Wake-ups alone keep no run alive, but where passes are made by the clock.
bool Loop::is_over() const {
  const auto& agenda = world_.state().agenda;
  const bool nothing_comes = is_by_clock()
                                 ? std::min(agenda.next_at(), next_of_clock()) == kNever
                                 : agenda.empty();
  return nothing_comes || has_come_to_end();
}

// Where no job leaves, the pass after the last arrival is the last.
bool Loop::has_come_to_end() const {
  const auto jobs = world_.jobs().size();
  if (world_.jobs().departures() == jobs) return true;
  if (world_.settings().departures || arrived_ < jobs) return false;
  return world_.settings().cycle == 0 || last_pass_ >= last_arrival_;
}

// Arrivals and job ends, which are most of the events, are handled inline.
void Loop::apply_next() {
  world_.state().agenda.pop_to(
      [this](std::uint32_t job) {
        if (!admits_all_) return come_in();
        ++arrived_;
        schedule_next_arrival();
        submit(JobId{job});
      },
      [this](const Event& event) {
        if (event.kind == EventKind::kJobEnd) {
          end(JobId{event.subject});
        } else {
          apply(event.kind, JobId{event.subject});
        }
      });
}

void Loop::apply(EventKind kind, JobId job) {
  const auto state = world_.state();
  switch (kind) {
    case EventKind::kJobEnd: BERTH_ASSERT(false); return;
    case EventKind::kJobSubmit: return release_next();  // one of several that are due
    case EventKind::kUnfreeze: return unfreeze(job);
    case EventKind::kOfJob: return happen_to(job);
    case EventKind::kOfMachine:
      if (machine_->happen(index(job), simulation_)) {
        state.decision.causes |= kCapacityChanged;
      }
      return;
    case EventKind::kWake:
      state.agenda.set_wake(std::nullopt);
      state.decision.causes |= kWoken;
      return;
  }
}

void Loop::happen_to(JobId job) {
  if (world_.jobs().state(job) != JobState::kRunning) return;
  machine_->happen_to(job, simulation_);
}

void Loop::schedule_next_arrival() {
  const auto& jobs = world_.jobs();
  if (arrived_ == jobs.size()) return;
  const auto next = static_cast<std::uint32_t>(arrived_);
  world_.state().agenda.add(
      {jobs.job(JobId{next}).submit, EventKind::kJobSubmit, next, 0});
  jobs.fetch_ahead(JobId{next});
}

// Where jobs wait for others, or have limits.
void Loop::come_in() {
  if (releases_ != nullptr) return release_next();
  const JobId job{static_cast<std::uint32_t>(arrived_++)};
  schedule_next_arrival();
  admit(job);
}

void Loop::release_next() {
  const JobId job{static_cast<std::uint32_t>(arrived_++)};
  if (releases_->submit_next(world_.now())) return admit(job);
  come_and_go(job, By::kLinks);
}

void Loop::admit(JobId job) {
  auto* const limits = orders_.limits();
  const bool is_barred = limits != nullptr && limits->arrive(job, world_.now());
  if (is_barred) return come_and_go(job, By::kLimit);
  submit(job);
}

// The job is rejected before the machine sees it.
void Loop::come_and_go(JobId job, By by) {
  last_arrival_ = world_.now();
  world_.state().decision.causes |= kSubmit;
  world_.state().jobs.admit(job);
  turn_away(job, by);
}

void Loop::submit(JobId job) {
  last_arrival_ = world_.now();
  const auto state = world_.state();
  state.decision.causes |= kSubmit;
  state.jobs.admit(job);
  const auto& asked = state.jobs.job(job);
  if (state.shares != nullptr) state.shares->submitted(asked);
  if (state.hosts.arrive(job, asked.demand())) return turn_away(job, By::kMachine);
  state.jobs[job].state = JobState::kWaiting;
  orders_.enter(job, orders_.keys_of(job, JobState::kWaiting));
  const auto& traits = world_.traits();
  if (traits.has_on_submit || traits.has_estimate) submitted_.push_back(job);
  if (world_.audience().wants<SubmitRecord>()) {
    const double key = orders_.place(job, traits.default_order).key;
    tell_submit(job, key);
  }
}

void Loop::tell_submit(JobId job, double key) {
  SubmitRecord record{world_.now(), world_.subject(job), key};
  if (releases_ != nullptr) record.recorded = releases_->as_recorded(job).submit;
  world_.audience().tell(record);
}

void Loop::turn_away(JobId job, By by) {
  const Time now = world_.now();
  world_.state().jobs.depart(job, JobState::kRejected, now);
  const auto who = world_.subject(job);
  const auto& audience = world_.audience();
  if (audience.wants<SubmitRecord>()) tell_submit(job, 0.0);
  if (!audience.wants<RejectRecord>()) return;
  RejectRecord record{now, who, by == By::kMachine, {}};
  record.by_links = by == By::kLinks;
  record.by_limit = by == By::kLimit;
  record.never_fits = record.by_machine && who.job->size <= world_.hosts().widest();
  audience.tell(record);
}

void Loop::end(JobId job) {
  const auto state = world_.state();
  auto& entry = state.jobs[job];
  const Time now = world_.now();
  if (entry.ends_at_limit) {
    entry.settle(now);
    const auto* attempts = state.checkpoints;
    if (attempts != nullptr) attempts->close(job, state.jobs.job(job), entry, now);
  } else {  // the event is exact; a difference that rounding leaves is not work
    entry.progress = static_cast<double>(state.jobs.job(job).length);
    entry.settled = now;
  }
  const bool had_expected_end = entry.planned_end != kNever;
  const auto ends_as = entry.ends_at_limit ? JobState::kFailed : JobState::kFinished;
  if (!had_expected_end) orders_.leave(job, Orders::From::kCandidates);
  if (entry.frozen) state.agenda.cancel(entry);
  world_.stop(job);
  state.jobs.depart(job, ends_as, now);
  if (world_.audience().wants<EndRecord>()) {
    world_.audience().tell(
        EndRecord{now, world_.subject(job), PlacementOf(state.hosts, job)});
  }
  state.hosts.leave(job, state.affected);
  if (auto* book = world_.book_if_used(); book != nullptr && had_expected_end) {
    book->stopped(job, now);
  }
  if (world_.traits().has_on_end) ended_.push_back(job);
  state.decision.causes |= kEnd;
  if (!had_expected_end) {
    state.decision.causes |= kBackgroundEnd;
  } else if (state.hosts.traits().runs_without_expected_end) {
    state.decision.causes |= kForegroundEnd;
  }
  world_.update_affected();
}

void Loop::unfreeze(JobId job) {
  const auto state = world_.state();
  auto& entry = state.jobs[job];
  entry.account.frozen += world_.now() - entry.state_since;
  entry.frozen = false;
  entry.state_since = world_.now();
  state.hosts.freeze(job, Frozen::kNo, state.affected);
  state.decision.causes |= kUnfrozen;
  if (world_.audience().wants<UnfreezeRecord>()) {
    world_.audience().tell(UnfreezeRecord{world_.now(), world_.subject(job)});
  }
  world_.update_affected();
}

// Whether the pass is to be made; else it is over.
bool Loop::open_pass() {
  auto& decision = world_.state().decision;
  ++decision.number;
  decision.actions = 0;
  decision.budget.charge();
  if (has_events_ || world_.traits().has_estimate) expect_anew();
  if (has_news()) run_hooks();
  if (may_leave_out_pass()) {
    leave_out_pass();
    count_pass();
    end_decision();
    return false;
  }
  orders_.refresh();
  decision.phase = Phase::kDecision;
  is_open_ = true;
  return true;
}

void Loop::end_pass() {
  BERTH_ASSERT(is_open_);
  is_open_ = false;
  world_.state().decision.phase = Phase::kOutside;
  world_.tell_book_changes();
  tell_pass();
  count_pass();
  if (auto* inspector = world_.audience().inspector()) {
    inspector->passed(simulation_, PassKind::kMade);
  }
  end_decision();
  world_.state().agenda.drop_void();
}

void Loop::end_decision() {
  auto& decision = world_.state().decision;
  is_idle_ = decision.actions == 0;
  plans_.clear();
  decision.because.clear();
  decision.causes = 0;
}

bool Loop::has_news() const {
  if (!ended_.empty() || !submitted_.empty()) return true;
  if (!has_events_) return false;
  const auto& news = world_.decision().news;
  return !news.hosts.empty() || !news.hit.empty() || !news.back.empty() ||
         !news.failed.empty();
}

void Loop::run_hooks() {
  auto& phase = world_.state().decision.phase;
  phase = Phase::kHook;
  const auto& traits = world_.traits();
  if (has_events_ && traits.has_on_end) {
    const auto& failed = world_.state().decision.news.failed;
    ended_.insert(ended_.end(), failed.begin(), failed.end());
  }
  if (ended_.size() > 1) std::sort(ended_.begin(), ended_.end());
  for (const JobId job : ended_) policy_.on_end(simulation_, job);
  if (has_events_) run_machine_hooks();
  if (traits.has_on_submit || traits.has_estimate) tell_of_submits();
  ended_.clear();
  submitted_.clear();
  phase = Phase::kOutside;
}

// A hook may reject jobs.
void Loop::tell_of_submits() {
  const auto& traits = world_.traits();
  for (const JobId job : submitted_) {
    const auto waits = [&] { return world_.jobs().state(job) == JobState::kWaiting; };
    if (traits.has_on_submit && waits()) policy_.on_submit(simulation_, job);
    if (traits.has_estimate && waits()) take_estimate(job);
  }
}

// Hosts and jobs are told in their order.
void Loop::run_machine_hooks() {
  const auto news = std::exchange(world_.state().decision.news, {});
  const auto& traits = world_.traits();
  if (traits.has_on_host) {
    for (const auto& [host, is_up] : news.hosts) {
      policy_.on_host(simulation_, host, is_up);
    }
  }
  for (const JobId job : news.hit) policy_.on_hit(simulation_, job);
  for (const JobId job : news.back) {
    if (world_.jobs().state(job) == JobState::kWaiting) take_estimate(job);
  }
}

// The job takes the place in each order that its key has with the estimate.
void Loop::take_estimate(JobId job) {
  auto& estimates = *world_.state().estimates;
  const auto walltime = world_.jobs().job(job).walltime;
  const auto before = estimates.of(job, walltime);
  {
    const World::ReadingOnly reading(world_);
    estimates.tell(job, policy_.estimate(simulation_, job).value_or(kNever));
  }
  const auto expected = estimates.of(job, walltime);
  if (expected == before) return;
  const auto& audience = world_.audience();
  if (audience.wants<EstimateRecord>()) {
    audience.tell(EstimateRecord{world_.now(), world_.subject(job), expected});
  }
  const auto keys = orders_.keys_of(job, JobState::kWaiting);
  orders_.leave(job);
  orders_.enter(job, keys);
  const auto order = world_.traits().default_order;
  if (!audience.wants<RekeyRecord>() || order == 0) return;
  audience.tell(RekeyRecord{world_.now(), job, orders_.place(job, order).key});
}

// A job that has outlived its estimate is expected to end at a later instant.
void Loop::expect_anew() {
  const auto state = world_.state();
  auto* const own = state.estimates;
  while (const auto late = own ? own->take_late(world_.now()) : std::nullopt) {
    auto& entry = state.jobs[late->job];
    state.running.move(late->job, entry.planned_end, late->expected);
    entry.planned_end = late->expected;
    if (auto* book = world_.book_if_used()) book->expect(late->job, late->expected);
  }
  if (has_events_) machine_->expect_anew(simulation_);
}

void Loop::tell_pass() {
  constexpr std::int64_t kToldEach = 64;  // passes, between figures of the machine
  const auto& audience = world_.audience();
  if (!audience.wants<PassRecord>()) return;
  if (audience.wants<MachineRecord>()) {
    tell_refusal();
    if (++passes_made_ % kToldEach == 0) tell_of_machine();
  }
  const auto& decision = world_.decision();
  const auto& traits = world_.traits();
  const auto order = traits.default_order;
  const auto first = order == traits.fair_share() ? orders_.queue(order).head()
                                                  : orders_.all(order).least();
  audience.tell(PassRecord{world_.now(), decision.number, decision.causes,
                           decision.actions, first});
}

void Loop::tell_refusal() {
  const auto* reasons = world_.hosts().reasons();
  const auto oldest = reasons != nullptr ? orders_.queue(0).head() : std::nullopt;
  if (!oldest) return;
  const auto demand = world_.jobs().job(oldest->job).demand();
  const auto why = reasons->why_unfit(oldest->job, demand);
  if (why == nullptr) return;
  world_.audience().tell(MachineRecord{world_.now(),
                                       world_.subject(oldest->job),
                                       MachineRecord::Bracket::kAlone,
                                       why.get(),
                                       {}});
}

void Loop::tell_of_machine() {
  const auto fact = machine_ != nullptr ? machine_->tell() : nullptr;
  if (fact == nullptr) return;
  world_.audience().tell(MachineRecord{
      world_.now(), std::nullopt, MachineRecord::Bracket::kAlone, fact.get(), {}});
}

bool Loop::may_leave_out_pass() const {
  return world_.traits().passes == Passes::kWhenAJobFits &&
         (world_.decision().causes & kWoken) == 0 && !orders_.is_refresh_due() &&
         !any_fits();
}

bool Loop::any_fits() const {
  const auto& queue = orders_.queue(0);
  const auto idle = world_.hosts().most();
  if (!queue.has_up_to(idle)) return false;
  if (world_.hosts().traits().fits_by_count) return true;
  const Staircase under(idle);
  for (auto at = queue.next(nullptr, under); at; at = queue.next(&*at, under)) {
    if (world_.fits(at->job)) return true;
  }
  return false;
}

// For an inspector the pass is made where it asks for that.
void Loop::leave_out_pass() {
  auto* inspector = world_.audience().inspector();
  const bool is_asked = inspector != nullptr && inspector->wants_spare_pass();
  if (is_asked) {
    run_idle_pass();
  } else if (world_.audience().wants<SparePassRecord>()) {
    run_spare_pass();
  }
  if (inspector != nullptr) inspector->passed(simulation_, PassKind::kLeftOut);
}

// Throws Error{kPolicy} if the pass does something.
void Loop::run_idle_pass() {
  const auto state = [this] {
    const auto* book = world_.book_if_used();
    return std::tuple(world_.decision().actions, policy_.drawn(),
                      world_.state().agenda.wake(),
                      book == nullptr ? 0 : book->version());
  };
  const auto before = state();
  run_spare_pass();
  if (state() == before) return;
  throw Error(
      ErrorCode::kPolicy,
      fmt::format("{}: it acts at t={} in a pass at which no job fits, although "
                  "it says passes = \"when_a_job_fits\": leave that out, "
                  "`berth check` says more",
                  world_.traits().label, seconds_text(world_.now())));
}

// A pass that may be left out.  Records that only a pass which is made would have, such
// as plans, are not told, so that observers see the same with and without it.
void Loop::run_spare_pass() {
  auto& decision = world_.state().decision;
  auto& audience = world_.state().audience;
  const auto drawn = policy_.drawn();
  audience.tell(SparePassRecord{world_.now(), decision.number, false, false});
  const auto wanted = audience.mute(kinds<PlanRecord>());
  decision.phase = Phase::kDecision;
  policy_.schedule(simulation_);
  decision.phase = Phase::kOutside;
  world_.tell_book_changes();
  audience.want(wanted);
  const bool has_drawn = policy_.drawn() != drawn;
  audience.tell(SparePassRecord{world_.now(), decision.number, true, has_drawn});
}

// The pass was made or left out.
void Loop::count_pass() {
  if ((world_.decision().causes & (kEnd | kSubmit)) == 0) return count_idle_pass();
  idle_passes_ = 0;
  departures_ = world_.jobs().departures();
}

// Counts a pass that follows neither an end nor an arrival.
void Loop::count_idle_pass() {
  const auto& decision = world_.decision();
  const auto& agenda = world_.state().agenda;
  const auto before = std::exchange(departures_, world_.jobs().departures());
  if (before != departures_ || agenda.goes_on()) return void(idle_passes_ = 0);
  const bool acts = decision.actions != 0;
  const auto asks = world_.machine().life.failures ? kWoken | kCapacityChanged : kWoken;
  const bool is_asked_for = (decision.causes & asks) != 0;
  // The clock made this pass, or an event that the policy leaves alone ends the wait.
  if (!acts && (!is_asked_for || agenda.awaits_event())) return;
  if (++idle_passes_ < world_.settings().idle_passes_in_a_row) return;
  stand_still(acts ? "without an event or a job that gets on; the policy suspends and "
                     "starts jobs, no more"
              : (asks & kCapacityChanged) != 0
                  ? "without an action or an event but failures of hosts; the policy "
                    "does nothing"
                  : "without an action or an event; the policy wakes itself but does "
                    "nothing");
}

void Loop::stand_still(const char* how) const {
  throw Error(ErrorCode::kTime,
              fmt::format("{}: the run stands still at t={}: {} passes in a row {}",
                          world_.traits().label, seconds_text(world_.now()),
                          idle_passes_, how));
}

}  // namespace berth::sim

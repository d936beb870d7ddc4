#include "engine/sim/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/machine_fact.hpp"
#include "engine/base/plain_locale.hpp"
#include "engine/reserve/reservation_book.hpp"
#include "engine/sim/inspector.hpp"
#include "engine/sim/machine_events.hpp"

namespace berth::sim {

bool Loop::advance(Time until) {
  const PlainLocale locale;
  if (!has_begun_) begin();
  if (world_.settings().cycle > 0) return advance_by_clock(until);
  const bool whole_instants = world_.settings().pass == PassMode::kInstant;
  auto& agenda = world_.agenda();
  Time next = agenda.next_at();
  while (next <= until && !is_over()) {
    world_.come_to(next);
    do {
      apply_next();
      agenda.drop_void();
      next = agenda.next_at();
    } while (whole_instants && next == world_.now());
    // What happens to a running job is no reason for a pass.
    if (world_.decision().causes != 0) (void)decide();
    agenda.drop_void();
    next = agenda.next_at();
  }
  return !is_over();
}

// Events and hooks keep their time; a pass comes after the events of its instant.
bool Loop::advance_by_clock(Time until) {
  auto& agenda = world_.agenda();
  for (;;) {
    const Time next = std::min(agenda.next_at(), next_of_clock());
    const bool is_over =
        next == kNever || (world_.in_system() == 0 && arrived_ == world_.jobs().size());
    if (is_over) return false;
    if (next > until) return true;
    world_.come_to(next);
    while (agenda.next_at() == next) {
      is_idle_ = false;
      apply_next();
      agenda.drop_void();
    }
    if (next_of_clock() == next) {
      last_pass_ = next;
      const auto actions = decide();
      is_idle_ = actions == 0;
    } else if (!ended_.empty() || !submitted_.empty()) {
      ++world_.decision().number;
      run_hooks();
    }
    agenda.drop_void();
  }
}

// The next pass; kNever: no job waits, or nothing can happen that would let one start.
Time Loop::next_of_clock() const {
  if (!orders_.queue(0).head()) return kNever;
  if (is_idle_ && world_.agenda().empty()) return kNever;
  const auto cycle = world_.settings().cycle;
  if (world_.now() > kNever - 2 * cycle) return kNever;
  const Time next = (world_.now() + cycle - 1) / cycle * cycle;
  return next == last_pass_ ? next + cycle : next;
}

void Loop::finish() {
  if (!has_begun_) begin();
  if (world_.audience().wants<KeyRecord>()) {
    orders_.queue(0).for_each(
        [&](const JobQueue::Member& each) { orders_.tell_keys(each.place.job); });
  }
  const auto& jobs = world_.jobs();
  const bool is_told = world_.in_system() > 0 && world_.audience().wants<LeftRecord>();
  for (std::uint32_t i = 0; is_told && i < jobs.size(); ++i) {
    const JobId job{i};
    const auto state = jobs.state(job);
    const bool runs = state == JobState::kRunning;
    if (!runs && !queues(state)) continue;
    world_.audience().tell(
        LeftRecord{world_.now(), world_.subject(job),
                   runs ? PlacementOf(world_.hosts(), job) : PlacementOf(nullptr)});
  }
  world_.audience().finish(world_.now());
}

void Loop::begin() {
  has_begun_ = true;
  policy_.begin(simulation_);
  if (world_.audience().wants<CapacityRecord>()) {
    world_.audience().tell(CapacityRecord{world_.now(), world_.capacity()});
  }
  if (auto* machine = capability<MachineEvents>(world_.hosts())) {
    machine->begin(simulation_);
  }
  schedule_next_arrival();
}

// Wake-ups alone keep no run alive.
bool Loop::is_over() const {
  return world_.agenda().empty() ||
         (world_.in_system() == 0 && arrived_ == world_.jobs().size());
}

// Arrivals and job ends, which are most of the events, are handled inline.
void Loop::apply_next() {
  world_.agenda().pop_to([this](std::uint32_t job) { submit(JobId{job}); },
                         [this](const Event& event) {
                           if (event.kind == EventKind::kJobEnd) {
                             end(JobId{event.subject});
                           } else {
                             apply(event.kind, JobId{event.subject});
                           }
                         });
}

void Loop::apply(EventKind kind, JobId job) {
  switch (kind) {
    case EventKind::kJobEnd:
    case EventKind::kJobSubmit: BERTH_ASSERT(false); return;
    case EventKind::kUnfreeze: return unfreeze(job);
    case EventKind::kOfJob: return happen_to(job);
    case EventKind::kOfMachine:
      if (capability<MachineEvents>(world_.hosts())->happen(index(job), simulation_)) {
        world_.decision().causes |= kCapacityChanged;
      }
      return;
    case EventKind::kWake:
      world_.agenda().woken();
      world_.decision().causes |= kWoken;
      return;
  }
}

void Loop::happen_to(JobId job) {
  if (world_.jobs().state(job) != JobState::kRunning) return;
  capability<MachineEvents>(world_.hosts())->happen_to(job, simulation_);
}

void Loop::schedule_next_arrival() {
  const auto& jobs = world_.jobs();
  if (arrived_ == jobs.size()) return;
  const auto next = static_cast<std::uint32_t>(arrived_);
  world_.agenda().add({jobs.job(JobId{next}).submit, EventKind::kJobSubmit, next, 0});
  jobs.fetch_ahead(JobId{next});
}

void Loop::submit(JobId job) {
  ++arrived_;
  schedule_next_arrival();
  world_.decision().causes |= kSubmit;
  if (!world_.admit(job)) {
    const auto who = world_.subject(job);
    const bool is_too_wide = who.job->size > world_.hosts().widest();
    if (world_.audience().wants<SubmitRecord>()) {
      world_.audience().tell(SubmitRecord{world_.now(), who, 0.0});
    }
    if (world_.audience().wants<RejectRecord>()) {
      world_.audience().tell(RejectRecord{world_.now(), who, true, {}, !is_too_wide});
    }
    return;
  }
  orders_.enter(job, orders_.keys_of(job, JobState::kWaiting));
  const auto& traits = world_.traits();
  if (traits.has_on_submit) submitted_.push_back(job);
  if (world_.audience().wants<SubmitRecord>()) {
    const double key = orders_.place(job, traits.default_order).key;
    world_.audience().tell(SubmitRecord{world_.now(), world_.subject(job), key});
  }
}

void Loop::end(JobId job) {
  auto& entry = world_.jobs()[job];
  const Time now = world_.now();
  if (entry.ends_at_limit) {
    world_.settle(entry);
  } else {  // the event is exact; a difference that rounding leaves is not work
    entry.progress = static_cast<double>(world_.jobs().job(job).length);
    entry.settled = now;
  }
  const bool had_expected_end = entry.planned_end != kNever;
  const auto ends_as = entry.ends_at_limit ? JobState::kFailed : JobState::kFinished;
  if (!had_expected_end) orders_.leave(job, Orders::From::kCandidates);
  if (entry.frozen) world_.agenda().cancel(entry);
  world_.stop(job);
  world_.depart(job, ends_as);
  if (world_.audience().wants<EndRecord>()) {
    world_.audience().tell(
        EndRecord{now, world_.subject(job), PlacementOf(world_.hosts(), job)});
  }
  world_.hosts().leave(job, world_.affected());
  if (auto* book = world_.book_if_used(); book != nullptr && had_expected_end) {
    book->stopped(job, now);
  }
  if (world_.traits().has_on_end) ended_.push_back(job);
  auto& causes = world_.decision().causes;
  causes |= kEnd;
  if (!had_expected_end) {
    causes |= kBackgroundEnd;
  } else if (world_.hosts().traits().runs_without_expected_end) {
    causes |= kForegroundEnd;
  }
  world_.update_affected();
}

void Loop::unfreeze(JobId job) {
  auto& entry = world_.jobs()[job];
  entry.account.frozen += world_.now() - entry.state_since;
  entry.frozen = false;
  entry.state_since = world_.now();
  world_.hosts().freeze(job, Frozen::kNo, world_.affected());
  world_.decision().causes |= kUnfrozen;
  if (world_.audience().wants<UnfreezeRecord>()) {
    world_.audience().tell(UnfreezeRecord{world_.now(), world_.subject(job)});
  }
  world_.update_affected();
}

std::int64_t Loop::decide() {
  auto& decision = world_.decision();
  ++decision.number;
  decision.actions = 0;
  world_.budget().charge();
  if (!ended_.empty() || !submitted_.empty()) run_hooks();
  if (idle_passes_.may_be_left_out()) {
    leave_out_pass();
    idle_passes_.count();
  } else {
    run_pass();
    idle_passes_.count();
    if (auto* inspector = world_.audience().inspector()) {
      inspector->passed(simulation_, PassKind::kMade);
    }
  }
  plans_.clear();
  decision.because.clear();
  decision.causes = 0;
  return decision.actions;
}

void Loop::run_hooks() {
  auto& phase = world_.decision().phase;
  phase = Phase::kHook;
  if (ended_.size() > 1) std::sort(ended_.begin(), ended_.end());
  for (const JobId job : ended_) policy_.on_end(simulation_, job);
  for (const JobId job : submitted_) {
    const bool waits = world_.jobs().state(job) == JobState::kWaiting;
    if (waits) policy_.on_submit(simulation_, job);
  }
  ended_.clear();
  submitted_.clear();
  phase = Phase::kOutside;
}

void Loop::run_pass() {
  auto& decision = world_.decision();
  orders_.refresh();
  decision.phase = Phase::kDecision;
  policy_.schedule(simulation_);
  decision.phase = Phase::kOutside;
  world_.tell_book_changes();
  if (world_.audience().wants<PassRecord>()) {
    if (world_.audience().wants<MachineRecord>()) tell_refusal();
    const auto& traits = world_.traits();
    const bool is_fair = traits.default_order == traits.fair_share();
    world_.audience().tell(PassRecord{
        world_.now(), decision.number, decision.causes, decision.actions,
        is_fair ? orders_.queue(traits.default_order).head() : std::nullopt});
  }
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
                      world_.agenda().wake(), book == nullptr ? 0 : book->version());
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
  auto& decision = world_.decision();
  const auto drawn = policy_.drawn();
  world_.audience().tell(SparePassRecord{world_.now(), decision.number, false, false});
  const auto wanted = world_.audience().mute(kinds<PlanRecord>());
  decision.phase = Phase::kDecision;
  policy_.schedule(simulation_);
  decision.phase = Phase::kOutside;
  world_.tell_book_changes();
  world_.audience().want(wanted);
  const bool has_drawn = policy_.drawn() != drawn;
  world_.audience().tell(
      SparePassRecord{world_.now(), decision.number, true, has_drawn});
}

}  // namespace berth::sim

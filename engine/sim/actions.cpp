// The actions of Simulation: each asks everything first, then changes, then tells.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/sim/simulation.hpp"
#include "engine/sim/tell.hpp"

namespace berth::sim {

namespace {

constexpr std::size_t kLongestReason = 120;

Duration walltime_left(const Job& job, const JobEntry& entry) {
  const Duration done = std::llround(entry.progress);
  return std::max(Duration{0}, job.walltime - done);
}

// `ticks` behind `now`, to the nearest tick; kNever beyond what a Time can hold.
Time later_by(Time now, double ticks) {
  if (ticks >= static_cast<double>(kNever - now)) return kNever;
  return after(now, std::max(Duration{0}, Duration{std::llround(ticks)}));
}

}  // namespace

Result<Done, Refusal> Simulation::start(JobId job, const StartOptions& options) {
  require(kDecision, "start");
  require_state(job, table_.holds(job) && queues(table_[job].state), "start");
  auto& entry = table_[job];
  const auto& asked = table_.job(job);
  const auto needs = asked.needs();
  if (const auto reason = refuses(needs, options)) return *reason;
  const Time thawed = after(now_, thaw_time(entry));
  const Time planned_end = after(thawed, planned_left(asked, entry));
  if (options.under && !admits(plan(*options.under), job, planned_end)) {
    return Refusal::kHeld;
  }

  const bool resumed = entry.state == JobState::kSuspended;
  dequeue(job);
  sit(job, needs, options);
  if (!plans_.empty()) charge_plans(job, planned_end);
  entry.state = JobState::kRunning;
  if (resumed) entry.account.suspended += now_ - entry.state_since;
  if (!resumed) entry.first_start = entry.attempt_start = now_;
  entry.state_since = entry.settled = now_;
  entry.planned_end = planned_end;
  if (machine_.overrun == Overrun::kKill) {
    entry.limit = after(thawed, walltime_left(asked, entry));
  }
  entry.frozen = thawed > now_;
  if (entry.frozen) {
    model_->freeze(job, Frozen::kYes, touched_);
    schedule({thawed, EventKind::kUnfreeze, index(job), next_version(entry.version)});
  }
  entry.rate = model_->rate(job);
  running_.insert(job, asked.size, planned_end);
  entry.version = next_version(entry.version);
  predict(job, entry);
  if (book_) book_->started({job, asked.size, planned_end - now_}, now_, planned_end);
  ++actions_;
  tell_book_changes();
  if (wanted<StartRecord>()) {
    tell(StartRecord{now_,
                     {job, &asked, &entry},
                     Seated(*model_, job),
                     resumed,
                     thawed,
                     entry.rate,
                     because_});
  }
  because_.clear();
  touch();
  return Done{};
}

std::optional<Refusal> Simulation::refuses(const Needs& needs,
                                           const StartOptions& options) const {
  if (options.within == nullptr) return model_->refuses(needs);
  const auto choice = model_->choose(needs, options.within);
  return choice ? std::nullopt : std::optional(choice.reason());
}

// REQUIRES: nothing is refused.
void Simulation::sit(JobId job, const Needs& needs, const StartOptions& options) {
  if (options.within == nullptr) return model_->seat(job, needs, touched_);
  const auto choice = model_->choose(needs, options.within);
  model_->take(job, needs, choice.value(), touched_);
}

void Simulation::suspend(JobId job) {
  require(kDecision, "suspend");
  require_state(job, table_.state(job) == JobState::kRunning, "suspend");
  auto& entry = table_[job];
  if (!machine_.preemption) {
    throw Error(ErrorCode::kPolicy,
                "suspend: this machine allows no preemption (machine.preemption = true "
                "permits it)");
  }
  settle(job);
  ask_keys(job, JobState::kSuspended);
  const bool background = in_background(job);

  stop_running(job, entry);
  if (entry.frozen) entry.account.frozen += now_ - entry.state_since;
  entry.frozen = false;
  entry.state = JobState::kSuspended;
  entry.state_since = now_;
  ++entry.account.suspensions;
  cancel_events(entry);
  model_->leave(job, touched_);
  if (book_ && !background) book_->stopped(job, now_);
  enqueue(job);
  ++actions_;
  if (wanted<SuspendRecord>()) {
    const double key = place(job, traits_.default_order).key;
    tell(SuspendRecord{now_, subject(job), key, because_});
  }
  because_.clear();
  touch();
}

void Simulation::reject(JobId job) {
  require(kHook, "reject");
  require_state(job, table_.state(job) == JobState::kWaiting, "reject");
  auto& entry = table_[job];
  dequeue(job);
  if (book_) book_->drop(job);
  tell_book_changes();
  entry.state = JobState::kRejected;
  entry.state_since = now_;
  gone_.push_back(job);
  --in_system_;
  ++actions_;
  if (wanted<RejectRecord>()) tell(RejectRecord{now_, subject(job), false, because_});
  because_.clear();
}

Result<PlanId, Refusal> Simulation::reserve(JobId job) {
  require(kDecision, "reserve");
  require_state(job, queues(table_.state(job)) || in_background(job), "reserve");
  const auto shadow = shadow_of(table_.job(job).size, model_->idle(), running_, now_,
                                machine_.shadow_ties);
  if (!shadow) return Refusal::kTooBig;
  plans_.push_back({job, shadow->start, shadow->spare});
  if (wanted<PlanRecord>()) tell(PlanRecord{now_, job, shadow->start, shadow->spare});
  return PlanId{decision_, static_cast<std::uint32_t>(plans_.size() - 1)};
}

void Simulation::wake_at(std::optional<Time> time) {
  require(kHook, "wake_at");
  if (time && *time <= now_) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("wake_at: {} is not later than now (t={})",
                            seconds_text(*time), seconds_text(now_)));
  }
  if (time == wake_) return;
  wake_ = time;
  wake_version_ = next_version(wake_version_);
  may_hold_void_events_ = true;
  if (time) schedule({*time, EventKind::kWake, 0, wake_version_});
  if (wanted<WakeRecord>()) tell(WakeRecord{now_, time});
}

void Simulation::because(std::string_view text) {
  require(kHook, "because");
  if (text.size() > kLongestReason) {
    throw Error(ErrorCode::kPolicy,
                fmt::format("because: the reason has {} bytes, at most {} are kept",
                            text.size(), kLongestReason));
  }
  because_ = text;
}

ReservationBook& Simulation::book() {
  if (!book_) {
    book_ = std::make_unique<ReservationBook>(now_, capacity(), running_.rule());
    for (const auto& each : running_.releases(now_)) {
      const Request request{each.job, each.size, each.planned_end - now_};
      book_->started(request, now_, each.planned_end);
    }
  }
  return *book_;
}

void Simulation::tell_changes_of_book() {
  if (wanted<ReservationRecord>()) {
    for (const auto& change : book_->changes()) {
      tell(ReservationRecord{now_, change.job, change.start});
    }
  }
  book_->clear_changes();
}

Place Simulation::place(JobId job, std::size_t order) const {
  if (order == 0 || order > asked_keys_.size()) return {0.0, job};
  require_state(job, table_.holds(job), "place");
  return {table_.keys(job)[order - 1], job};
}

Duration Simulation::planned_left(JobId job) const {
  return planned_left(table_.job(job), table_[job]);
}

Duration Simulation::planned_left(const Job& job, const JobEntry& entry) const {
  const auto planned = job.planned(machine_.min_planned);
  const bool is_unseen = tiers_ != nullptr;  // nobody knows how far it has come
  if (entry.progress == 0.0 || is_unseen) return planned;
  const auto done = Duration{std::llround(entry.progress)};
  return std::max(machine_.min_planned, planned - done);
}

const Plan& Simulation::plan(PlanId plan) const {
  if (plan.decision != decision_ || plan.number >= plans_.size()) {
    throw Error(ErrorCode::kPolicy, "this plan belongs to an earlier decision");
  }
  return plans_[plan.number];
}

std::optional<WhyNot> Simulation::why_not(JobId job,
                                          std::optional<PlanId> under) const {
  require_state(job, queues(table_.state(job)) || in_background(job), "why_not");
  const std::int64_t size = table_.job(job).size;
  const auto idle = model_->idle();
  if (size > idle) return WhyNot{Refusal::kBusy, size, idle, std::nullopt};
  if (!under) return std::nullopt;
  const auto& held = plan(*under);
  const Time ends = after(now_, thaw_time(job) + planned_left(job));
  if (admits(held, job, ends)) return std::nullopt;
  return WhyNot{Refusal::kHeld, size, held.spare, held.job};
}

void Simulation::refuse_here(const char* action) const {
  const char* where = phase_ == kHook      ? "a hook"
                      : phase_ == kReading ? "a function passed in"
                                           : "no decision";
  throw Error(ErrorCode::kPolicy, fmt::format("{}: not allowed in {}", action, where));
}

void Simulation::refuse_state(JobId job, const char* action) const {
  throw Error(ErrorCode::kPolicy, fmt::format("{}: {}", action, describe(job)));
}

std::string Simulation::describe(JobId job) const {
  const auto state = table_.state(job);
  const bool gone = state == JobState::kFinished || state == JobState::kRejected ||
                    state == JobState::kFailed;
  return fmt::format(
      "job {} {} {} (t={})", table_.job(job).id, gone ? "has already" : "is",
      gone && state == JobState::kRejected ? "been rejected" : name(state),
      seconds_text(now_));
}

JobQueue::Member Simulation::member(JobId job, double key) const {
  const auto& asked = table_.job(job);
  const auto& entry = table_[job];
  return {{key, job}, asked.size, after(thaw_time(entry), planned_left(asked, entry))};
}

// The keys with which the job would come into the queue in this state.  Asked before
// anything changes, for a function of the policy may fail.
void Simulation::ask_keys(JobId job, JobState as) {
  if (asked_keys_.empty()) return;
  const ReadingOnly reading(*this);
  auto& state = table_[job].state;
  const auto before = std::exchange(state, as);
  try {
    for (std::size_t i = 0; i < asked_keys_.size(); ++i) {
      asked_keys_[i] = policy_.key(*this, i, job);
    }
  } catch (...) {
    state = before;
    throw;
  }
  state = before;
}

// With the keys asked last.
void Simulation::enqueue(JobId job) {
  const auto newcomer = member(job, 0.0);
  queues_[0].members.insert(newcomer);
  if (!asked_keys_.empty()) enter_orders(newcomer);
  if (tiers_ != nullptr) queues_[candidates()].members.insert(newcomer);
}

void Simulation::enter_orders(JobQueue::Member member) {
  const auto keys = table_.keys(member.place.job);
  std::copy(asked_keys_.begin(), asked_keys_.end(), keys.begin());
  for (std::size_t i = 0; i < asked_keys_.size(); ++i) {
    auto& order = queues_[i + 1];
    member.place.key = asked_keys_[i];
    if (order.in_use) order.members.insert(member);
  }
}

void Simulation::dequeue(JobId job) {
  leave_queue(job);
  leave_candidates(job);
}

void Simulation::leave_queue(JobId job) {
  queues_[0].members.erase({0.0, job});
  for (std::size_t order = 1; order <= asked_keys_.size(); ++order) {
    if (queues_[order].in_use) queues_[order].members.erase(place(job, order));
  }
}

void Simulation::settle(JobId job) {
  auto& entry = table_[job];
  entry.progress += entry.rate * static_cast<double>(now_ - entry.settled);
  entry.settled = now_;
}

// Schedules the end at the present rate, or at the walltime where the machine kills.
void Simulation::predict(JobId job, JobEntry& entry) {
  const auto& asked = table_.job(job);
  Time end = kNever;
  if (entry.rate == 1.0 && entry.progress == 0.0) {
    end = after(now_, asked.length);
  } else if (entry.rate > 0.0) {
    const double left = static_cast<double>(asked.length) - entry.progress;
    end = later_by(now_, left / entry.rate);
  }
  entry.ends_at_limit = entry.limit < end;
  end = std::min(end, entry.limit);
  if (end != kNever) schedule({end, EventKind::kJobEnd, index(job), entry.version});
}

// Settles and predicts anew whoever the sharing model named.
void Simulation::touch_named() {
  for (const JobId job : touched_) {
    auto& entry = table_[job];
    if (entry.state != JobState::kRunning) continue;
    const double rate = model_->rate(job);
    if (rate == entry.rate) continue;
    settle(job);
    entry.rate = rate;
    cancel_events(entry);
    predict(job, entry);
    if (wanted<RateRecord>()) tell(RateRecord{now_, subject(job), rate});
  }
  touched_.clear();
}

// A plan never holds its own job.
bool Simulation::admits(const Plan& plan, JobId job, Time ends) const {
  return plan.job == job || plan.admits(table_.job(job).size, ends).has_value();
}

void Simulation::charge_plans(JobId job, Time ends) {
  const std::int64_t size = table_.job(job).size;
  for (auto& plan : plans_) {
    if (plan.job == job) continue;
    plan.charge(size, ends);
    if (plan.room && ends > plan.start) plan.give_up(model_->placement(job));
  }
}

// How long the job would stand still before it runs.
Duration Simulation::thaw_time(JobId job) const { return thaw_time(table_[job]); }

}  // namespace berth::sim

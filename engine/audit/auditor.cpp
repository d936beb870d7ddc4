#include "engine/audit/auditor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace berth::audit {

using sim::kKind;
using sim::Promise;

Auditor::Auditor(const AuditedRun& run, std::unique_ptr<Law> law,
                 Thoroughness thoroughness)
    : machine_(run.machine),
      jobs_(run.jobs),
      label_(run.policy.label),
      promise_(run.policy.promise),
      law_(std::move(law)),
      fit_(law_->fit()),
      widest_(law_->widest(machine_.processors)),
      counts_moves_(law_->terms().counts_moves),
      asks_law_(thoroughness == Thoroughness::kFull || !law_->terms().is_countable),
      judges_spares_(thoroughness == Thoroughness::kFull &&
                     run.policy.passes == sim::Passes::kWhenAJobFits),
      judges_keys_(thoroughness == Thoroughness::kFull),
      now_(jobs_.empty() ? 0 : jobs_.front().submit),
      states_(jobs_.size(), JobState::kFuture),
      head_(machine_.processors, {machine_.overrun_grace, machine_.overrun_growth},
            run.settings.pass == sim::PassMode::kInstant ? Instants::kWhole
                                                         : Instants::kByEvent) {
  const bool rests_on_fit =
      promise_ == Promise::kTopFirst || promise_ == Promise::kFirstIfItFits;
  // Passes by the clock come later than what was promised.
  const bool rests_on_time =
      promise_ == Promise::kEasy || promise_ == Promise::kConservative;
  if (run.settings.cycle > 0 && rests_on_time) promise_ = Promise::kNone;
  if (fit_ != nullptr && promise_ == Promise::kEasy) ask_law_of_head();
  const bool is_told = promise_ == Promise::kTopFirst &&
                       law_->terms().reads == LawTerms::Reads::kForPromises;
  // What starts by its estimate may take, by its walltime, the room in a window on
  // which a promise rests.
  const bool is_by_two = run.policy.has_estimate && machine_.life.windows != nullptr;
  if (is_by_two && rests_on_time) promise_ = Promise::kNone;
  if (!knows_what_fits() && rests_on_fit && !is_told) promise_ = Promise::kNone;
  if (thoroughness == Thoroughness::kFull) law_->be_thorough();
  if (run.links) releases_.emplace(*run.links);
  if (machine_.life.has_events()) up_.emplace(machine_.life);
  if (machine_.life.windows != nullptr) ask_windows(run.settings.pass);
  if (up_) watch_hosts();
  if (machine_.life.has_checkpoints()) attempts_.emplace(machine_.life.checkpoints);
  spans_are_plain_ = !law_->terms().speeds && !attempts_;
  if (run.policy.default_order == run.policy.fair_share()) {
    fair_.emplace(run.settings.shares.value_or(ShareSettings()),
                  kinds_of(machine_.processors, machine_.resources));
  }
  if (run.settings.limits != nullptr) {
    limits_.emplace(run.settings.limits, !fair_);
    head_.ask_head([this] { settle_head(); });
    // What overtook an oldest job that a limit barred at times is not known, nor which
    // jobs of a background tier come first.
    const bool is_judged = promise_ != Promise::kTopFirst && law_->order() == nullptr;
    if (!is_judged) promise_ = Promise::kNone;
  }
  lines_are_plain_ = !fair_ && !limits_ && promise_ != Promise::kTopFirst;
}

sim::RecordKinds Auditor::wants() const {
  auto kinds = RecordVisitor::wants();
  if (!judges_spares_) kinds &= ~sim::kinds<sim::SparePassRecord, sim::WakeRecord>();
  using Reads = LawTerms::Reads;
  const auto reads = law_->terms().reads;
  const bool is_read = reads == Reads::kAll ||
                       (reads == Reads::kForPromises && promise_ == Promise::kTopFirst);
  if (!is_read) kinds &= ~sim::kinds<sim::MachineRecord>();
  if (!judges_keys_) kinds &= ~sim::kinds<sim::KeyRecord>();
  return kinds;
}

template <class Kind>
inline void Auditor::on(const Kind& record) {
  ++records_[kKind<Kind>];
  if (asks_law_ && !std::is_same_v<Kind, sim::RateRecord>) check_affected();
  if (is_spare_) [[unlikely]]
    refuse_act(record);
  come_to(record.at);
  judge(record);
}

inline void Auditor::come_to(Time at) {
  require(at >= now_, kTimeOrder, std::nullopt, "time went back");
  held_ += Int128{used_} * (at - now_);
  if (up_) [[unlikely]] {
    missing_ += Int128{down_ + away_->idle_of_draining()} * (at - now_);
    require(up_->come_to(at), std::nullopt);
    if (windows_) require(windows_->come_to(at), std::nullopt);
  }
  now_ = at;
  if (asks_law_) check_rates(law_->come_to(at));
}

inline void Auditor::move(JobId id, JobState from, JobState to) {
  auto& state = state_of(id);
  if (state != from) [[unlikely]] {
    fail(kJobStates, id, fmt::format("it became {} while {}", name(to), name(state)));
  }
  if (promise_ == Promise::kConservative) note_reserved(id, from, to);
  state = to;
}

// Adds what the running job did since its last change, at the rate it had.
// REQUIRES: it runs.
inline Auditor::Life& Auditor::resettle(JobId id) {
  auto& life = lives_.unchecked(id);
  const Duration span = now_ - life.since;
  const double work = life.rate * static_cast<double>(span);
  life.since = now_;
  life.work += work;
  delivered_ += work * static_cast<double>(job(id).size);
  (life.is_frozen ? past_of(id, life).froze : life.ran) += span;
  return life;
}

Auditor::Past& Auditor::past_of(JobId id, Life& life) {
  if (!std::exchange(life.has_past, true)) pasts_.insert(id, {});
  return pasts_.at(id);
}

inline void Auditor::end_life(JobId id, const Life& life) {
  if (life.has_past) (void)pasts_.take(id);
  if (counts_moves_) last_places_.erase(id);
  if (!estimates_.empty()) [[unlikely]]
    estimates_.erase(id);
  lives_.close(id);
}

inline void Auditor::judge(const sim::SubmitRecord& record) {
  const JobId id = record.who.id;
  move(id, JobState::kFuture, JobState::kWaiting);
  require(record.at == job(id).submit, kTimeOrder, id,
          "it came in at another time than its submit time");
  if (releases_) require(releases_->submit(id, record.at), id);
  if (fit_ != nullptr) fit_->arrive(id);
  auto& life = lives_.open(id);
  life.since = now_;
  life.key = record.key;
  if (!never_starts(id)) join_line(id, life);
}

void Auditor::judge(const sim::RejectRecord& record) {
  const JobId id = record.who.id;
  move(id, JobState::kWaiting, JobState::kRejected);
  if (releases_) require(releases_->reject(id, record.at, record.by_links), id);
  if (limits_) require(limits_->reject(id, job(id), record.by_limit), id);
  require(!record.by_limit || limits_, kLimits, id, "no job of this run has a limit");
  const bool is_believed = record.never_fits && !knows_what_fits();
  const bool is_aside = record.by_links || record.by_limit;
  require(
      is_believed || is_aside || record.by_machine == never_starts(id), kJobStates, id,
      fit_ == nullptr ? "the machine rejects jobs that are wider than it, and no others"
                      : "the machine rejects jobs that can never start, and no others");
  require(!record.by_machine || record.never_fits == (job(id).size <= widest_),
          kJobStates, id, "a job that never embeds is not one that is too wide");
  leave_line(id, lives_[id]);
  end_life(id, lives_[id]);
}

inline void Auditor::judge(const sim::StartRecord& record) {
  const JobId id = record.who.id;
  const auto from = record.resumed ? JobState::kSuspended : JobState::kWaiting;
  move(id, from, JobState::kRunning);
  require(record.at >= job(id).submit, kTimeOrder, id,
          "it starts before its submit time");
  if (releases_) require(releases_->start(id, record.at), id);
  auto& life = lives_.unchecked(id);
  (record.resumed ? past_of(id, life).suspended : life.waited) += now_ - life.since;
  life.since = now_;
  if (up_) {
    require(up_->start(id, *record.placement), id);
    if (attempts_ && !record.resumed) begin_attempt(id, life);
  }
  place(id, record.placement, record.resumed);
  if (counts_moves_) count_move(id, life, record);
  const auto* order = asks_law_ ? law_->order() : nullptr;
  life.is_candidate = order != nullptr && !order->occupies(id);
  if (!life.is_candidate) judge_start(id);
  if (!lines_are_plain_) note_start(id);
  const Duration cost = record.resumed ? machine_.migration_cost : 0;
  require(record.frozen_until == after(record.at, cost), kRates, id,
          "a resumed job is frozen for the migration delay, a new one not at all");
  freeze_until(id, life, record.frozen_until);
  life.rate = record.rate;
  require_rate(id, life);
  if (!life.is_candidate) run_from(id, life, record.frozen_until);
  if (!estimates_.empty()) [[unlikely]]
    judge_estimate(record, life);
}

void Auditor::judge(const sim::ChangeRecord& record) {
  using Effect = sim::ChangeRecord::Effect;
  const JobId id = record.who.id;
  require(state_of(id) == JobState::kRunning, kJobStates, id,
          "it is moved, or its share is set, while it does not run");
  auto& life = resettle(id);
  require(law_->change(record), id);
  used_ = law_->used();
  const bool migrates = record.effect == Effect::kMigrates;
  const Duration cost = migrates ? machine_.migration_cost : 0;
  require(record.frozen_until == after(record.at, cost), kRates, id,
          "a migrating job is frozen for the migration delay, others not at all");
  count_change(id, life, record.effect);
  if (life.is_candidate) {
    ++promoted_;
    judge_start(id);
    leave_background(id, life);
    freeze_until(id, life, record.frozen_until);
    life.rate = record.rate;
    require_rate(id, life);
    run_from(id, life, record.frozen_until);
  } else if (cost > 0) {
    freeze_until(id, life, record.frozen_until);
    life.rate = 0;
  }
}

void Auditor::judge(const sim::SuspendRecord& record) {
  const JobId id = record.who.id;
  move(id, JobState::kRunning, JobState::kSuspended);
  require(machine_.preemption, kJobStates, id, "this machine allows no preemption");
  if (up_) require(up_->leave(id, false), id);
  auto& life = resettle(id);
  leave_place(id, life);
  ++past_of(id, life).suspensions;
  life.is_frozen = false;
  life.rate = 0;
  life.key = record.key;
  join_line(id, life);
}

void Auditor::judge(const sim::HitRecord& record) {
  const JobId id = record.who.id;
  require(up_.has_value(), kHostsUp, id, "no host of this machine goes down");
  require(state_of(id) == JobState::kRunning, kJobStates, id,
          "it is hit while it does not run");
  auto& life = resettle(id);
  auto& past = past_of(id, life);
  const Duration ran = life.ran - past.unlimited;
  require(record.attempt == ++past.hits, kAttempts, id,
          "it is not the attempt that follows the one before");
  require(judge_lost(record, ran, life.work), id);
  const auto& life_of = machine_.life;
  const bool should_fail =
      life_of.on_failure == OnFailure::kKill || past.hits >= life_of.max_attempts;
  require(should_fail == !record.returns, kAttempts, id,
          "whether it fails is not what the machine says of a job that is hit");
  require(!record.returns || *record.returns == after(now_, life_of.requeue_delay),
          kAttempts, id, "it returns at another time than the machine says");
  if (!life.is_candidate) head_.hit(life.place, now_);
  past.unlimited = life.ran;
  lost_ += life.work * static_cast<double>(job(id).size);
  past.lost += static_cast<double>(record.lost);
  life.work = 0;
  life.is_hit = !record.returns;
  if (life.is_hit) return;  // the next record is its end
  move(id, JobState::kRunning, JobState::kReturning);
  require(up_->leave(id, !is_by_window(id)), id);
  leave_place(id, life);
  life.is_frozen = false;
  life.rate = 0;
}

void Auditor::judge(const sim::ReturnRecord& record) {
  const JobId id = record.who.id;
  move(id, JobState::kReturning, JobState::kWaiting);
  auto& life = lives_[id];
  const Duration away = now_ - life.since;
  require(away == machine_.life.requeue_delay, kAttempts, id,
          "it returns at another time than the machine says");
  past_of(id, life).away += away;
  life.since = now_;
  life.key = record.key;
  join_line(id, life);
}

void Auditor::judge(const sim::UnfreezeRecord& record) {
  const JobId id = record.who.id;
  require(state_of(id) == JobState::kRunning, kJobStates, id,
          "its freeze ends while it does not run");
  auto& life = resettle(id);
  require(life.is_frozen && record.at == past_of(id, life).unfreezes, kRates, id,
          "its freeze ends at another time than the migration delay after the move");
  freeze_until(id, life, record.at);
}

void Auditor::judge(const sim::RateRecord& record) {
  const JobId id = record.who.id;
  require(state_of(id) == JobState::kRunning, kJobStates, id,
          "its rate changes while it does not run");
  auto& life = resettle(id);
  life.rate = record.rate;
  require_rate(id, life);
}

inline void Auditor::judge(const sim::EndRecord& record) {
  const JobId id = record.who.id;
  const bool failed = record.who.entry->state == JobState::kFailed;
  if (releases_) releases_->end(id, record.at, !failed);
  move(id, JobState::kRunning, failed ? JobState::kFailed : JobState::kFinished);
  auto& life = resettle(id);
  const bool is_hit = failed && life.is_hit;
  if (!is_hit) judge_work(id, life, failed);
  judge_account(id, life, record.who.entry->account);
  require(!failed || is_hit || machine_.overrun == sim::Overrun::kKill, kJobStates, id,
          "it failed on a machine that kills no job");
  if (up_) {
    require(up_->leave(id, is_hit && !is_by_window(id)), id);
    missing_at_end_ = missing_;
    if (attempts_) require(judge_attempt(id, *record.who.entry, life), id);
  }
  in_finished_ += life.work * static_cast<double>(job(id).size);
  leave_place(id, life);
  end_life(id, life);
}

// A job is killed when it has run for its walltime, whatever work it did in that time,
// or where walltimes are of work when it has done as much; in the background no
// walltime limits it.
inline void Auditor::judge_work(JobId id, const Life& life, bool killed) const {
  const auto* const terms = spans_are_plain_ ? nullptr : speeds();
  const Rule& rule = terms != nullptr ? terms->rule : kWorkDone;
  const Duration length = job(id).length;
  const double left = static_cast<double>(length) - life.work;
  const double tolerance =
      work_tolerance(length) + (terms != nullptr ? life.rate : 0.0);
  WorkLimit limit{ran_of(life, id), std::max(Duration{0}, job(id).walltime)};
  if (!spans_are_plain_) [[unlikely]]
    adjust(id, life, limit);
  const auto& [ran, most, slack] = limit;
  if (killed) {
    require(ran + slack >= most && !life.is_candidate, rule, id,
            "it was killed before its walltime");
    require(ran <= most + slack && left >= -tolerance, rule, id,
            "it was killed after its walltime, or after its work was done");
    return;
  }
  require(std::abs(left) <= tolerance, rule, id, "its work is not its length");
  const bool is_limited = machine_.overrun == sim::Overrun::kKill && !life.is_candidate;
  require(!is_limited || ran <= most + slack, rule, id,
          "it ran longer than its walltime on a machine that kills");
}

inline void Auditor::judge_account(JobId id, const Life& life, const Account& account) {
  using Effect = sim::ChangeRecord::Effect;
  static constexpr Past kNone{};
  const Past& past = life.has_past ? pasts_.at(id) : kNone;
  const auto elsewhere = past.froze + past.suspended + past.away;
  require(now_ - job(id).submit == life.waited + life.ran + elsewhere, kTimeBalance, id,
          "its response is not wait + running + frozen + suspended + return delays");
  require(account.suspensions == past.suspensions &&
              account.swaps == past.number_of(Effect::kSwaps) &&
              account.kills == past.number_of(Effect::kRestarts) + past.hits &&
              account.migrations == past.number_of(Effect::kMigrates),
          kActionCount, id, "its counters differ from the actions recorded");
  const auto moves = account.swaps + account.kills - past.hits + account.migrations;
  require(moves <= law_->terms().most_moves, kActionCount, id,
          "it was promoted more often than this machine allows");
  require(std::abs(static_cast<double>(account.lost_work) - past.lost) <= 1.0,
          kActionCount, id, "its account of lost work differs from the records");
  require(account.frozen == past.froze && account.suspended == past.suspended,
          kTimeBalance, id,
          "its account of frozen and suspended time differs from the records");
}

void Auditor::judge(const sim::LeftRecord& record) {
  const JobId id = record.who.id;
  const auto state = state_of(id);
  const bool holds = record.placement != nullptr;
  require(holds == (state == JobState::kRunning), kWholePlacement, id,
          "only a running job holds processors");
  if (state == JobState::kRunning) (void)resettle(id);
}

void Auditor::finish(Time at) {
  if (asks_law_) check_affected();
  come_to(at);
  is_over_ = true;
  if (limits_) require(limits_->finish(), std::nullopt);
  if (releases_) {
    if (const auto late = releases_->finish()) fail(late->rule, {}, late->what);
  } else {
    require(!is_any(JobState::kFuture), kJobStates, std::nullopt,
            "a job was never submitted");
  }
  const bool is_present = is_any(JobState::kRunning) || is_any(JobState::kSuspended);
  const double present = is_present ? work_of_present() : 0.0;
  const double wanted = in_finished_ + lost_ + present;
  require(std::abs(delivered_ - wanted) <= 1e-6 * std::max(1.0, wanted), kWorkBalance,
          std::nullopt,
          "work delivered is not work of finished and present jobs and work lost");
}

// Placements and rates.

inline void Auditor::place(JobId id, const sim::PlacementOf& placement, bool resumed) {
  if (asks_law_) {
    require(law_->start(id, placement, resumed), id);
    used_ = law_->used() - down_;
    return;
  }
  require(used_ + down_ + job(id).size <= machine_.processors, kCapacity, id,
          "more processors are in use than there are");
  used_ += job(id).size;
}

// What a job did in the background is before all that it does in the foreground.
void Auditor::leave_background(JobId id, Life& life) {
  if (!std::exchange(life.is_candidate, false)) return;
  past_of(id, life).unlimited = life.ran;
}

// A candidate leaves the queue that it never left.
inline void Auditor::leave_place(JobId id, Life& life) {
  if (!lines_are_plain_) note_stop(id);
  if (life.is_candidate) {
    leave_line(id, life);
  } else {
    head_.stop(life.place, now_);
    if (windows_) windows_->leave(id);
    if (promise_ == Promise::kTopFirst) top_.stop(id);
  }
  leave_background(id, life);
  if (asks_law_) {
    law_->leave(id);
    used_ = law_->used() - down_;
  } else {
    used_ -= job(id).size;
  }
  if (away_) [[unlikely]]
    away_->settle();
}

// The job leaves the queue and is planned to end when its walltime from then on is
// over.
inline void Auditor::run_from(JobId id, Life& life, Time from) {
  leave_line(id, life);
  const auto planned = planned_from(id, life);
  life.planned_end = after(from, planned);
  if (windows_) {
    const Duration span = life.planned_end - now_;
    require(windows_->start(id, {job(id).user, job(id).size, span}), id);
  }
  life.place = head_.start(job(id).size, life.planned_end);
  if (fit_ != nullptr) {
    if (by_place_.size() <= life.place) by_place_.resize(life.place + 1);
    by_place_[life.place] = id;
  }
  if (promise_ == Promise::kTopFirst) top_.start(id);
}

// From the instant on at which it runs.
inline Duration Auditor::planned_from(JobId id, const Life& life) const {
  if (!spans_are_plain_) [[unlikely]]
    return planned_otherwise(id, life);
  const auto whole = job(id).walltime;
  if (life.work == 0.0) return std::max(whole, machine_.min_planned);
  return left_of(id, whole, life);
}

inline void Auditor::freeze_until(JobId id, Life& life, Time until) {
  life.is_frozen = until > now_;
  if (life.is_frozen) past_of(id, life).unfreezes = until;
  if (asks_law_) law_->freeze(id, life.is_frozen);
}

inline double Auditor::expected_rate(JobId id, const Life& life) const {
  if (asks_law_) return law_->rate(id);
  return life.is_frozen ? 0.0 : 1.0;
}

inline void Auditor::require_rate(JobId id, const Life& life) {
  require(life.rate == expected_rate(id, life), kRates, id,
          "its rate is not that of its placement");
}

// Once all changes of rate that follow an event or an action are told, every job that
// it affected runs as fast as its placement allows.
void Auditor::check_rates(const std::vector<JobId>& jobs) {
  for (const JobId id : jobs) {
    if (!law_->is_placed(id)) continue;
    ++rates_checked_;
    require_rate(id, lives_[id]);
  }
}

// The queue and promises.

inline void Auditor::join_line(JobId id, Life& life) {
  if (!lines_are_plain_) return join_lines(id, life);
  life.place = head_.join(id, life.key, job(id).size);
}

inline void Auditor::leave_line(JobId id, const Life& life) {
  if (!lines_are_plain_) return leave_lines(id, life);
  head_.leave(id, life.key, life.place);
}

inline void Auditor::judge_start(JobId id) {
  if (promise_ != Promise::kNone) judge_promised_start(id);
}

inline void Auditor::judge(const sim::PassRecord& record) {
  if (promise_ != Promise::kNone) judge_pass(record.causes);
}

// P1 and P2.

void Auditor::judge(const sim::SparePassRecord& record) {
  is_spare_ = !record.is_over;
  if (record.is_over && record.has_drawn) acted("it drew a random number");
}

template <class Kind>
void Auditor::refuse_act(const Kind& record) const {
  const auto act = [&](std::string_view verb, const sim::Subject& who) {
    acted(fmt::format("it {} job {}", verb, who.job->id));
  };
  if constexpr (std::is_same_v<Kind, sim::StartRecord>) {
    act(record.resumed ? "resumed" : "started", record.who);
  } else if constexpr (std::is_same_v<Kind, sim::SuspendRecord>) {
    act("suspended", record.who);
  } else if constexpr (std::is_same_v<Kind, sim::RejectRecord>) {
    act("rejected", record.who);
  } else if constexpr (std::is_same_v<Kind, sim::ChangeRecord>) {
    act("changed", record.who);
  } else if constexpr (std::is_same_v<Kind, sim::ReservationRecord>) {
    acted(fmt::format("it changed the reservation of job {}", job(record.job).id));
  } else if constexpr (std::is_same_v<Kind, sim::WakeRecord>) {
    acted(record.wake
              ? fmt::format("it set a wake-up at {}", seconds_text(*record.wake))
              : std::string("it cleared its wake-up"));
  }
}

void Auditor::acted(std::string_view what) const {
  fail(kPassesLeftOut, std::nullopt,
       fmt::format("policy {} declares passes = \"when_a_job_fits\", but in a pass at "
                   "which no job fits {}",
                   label_, what));
}

void Auditor::fail(const Rule& rule, std::optional<JobId> id,
                   std::string_view what) const {
  Violation violation{rule, now_, {}, std::string(what)};
  if (id) violation.jobs.push_back(job(*id).id);
  throw AuditFailure(violation);
}

// RecordVisitor calls these from other files.
template void Auditor::on(const sim::SubmitRecord&);
template void Auditor::on(const sim::RejectRecord&);
template void Auditor::on(const sim::StartRecord&);
template void Auditor::on(const sim::ChangeRecord&);
template void Auditor::on(const sim::SuspendRecord&);
template void Auditor::on(const sim::UnfreezeRecord&);
template void Auditor::on(const sim::RateRecord&);
template void Auditor::on(const sim::EndRecord&);
template void Auditor::on(const sim::LeftRecord&);
template void Auditor::on(const sim::ReservationRecord&);
template void Auditor::on(const sim::WakeRecord&);
template void Auditor::on(const sim::EstimateRecord&);
template void Auditor::on(const sim::RekeyRecord&);
template void Auditor::on(const sim::PassRecord&);
template void Auditor::on(const sim::SparePassRecord&);
template void Auditor::on(const sim::KeyRecord&);
template void Auditor::on(const sim::MachineRecord&);
template void Auditor::on(const sim::HostRecord&);
template void Auditor::on(const sim::HitRecord&);
template void Auditor::on(const sim::ReturnRecord&);
template void Auditor::on(const sim::WindowRecord&);

}  // namespace berth::audit

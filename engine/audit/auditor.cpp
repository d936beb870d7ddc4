#include "engine/audit/auditor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace berth::audit {

namespace {

using sim::Promise;

// Tolerance of work (spec README 2, W1): one millionth of the length, one tick more.
double work_tolerance(Duration length) {
  return 1e-6 * static_cast<double>(std::max(kSecond, length)) + 1.0;
}

}  // namespace

Auditor::Auditor(const sim::Machine& machine, const sim::Settings& settings,
                 std::span<const Job> jobs, const sim::PolicyTraits& policy,
                 Thoroughness thoroughness)
    : machine_(machine),
      jobs_(jobs),
      promise_(policy.promise),
      judges_heads_(policy.promise == Promise::kEasy),
      looks_at_processors_(thoroughness == Thoroughness::kFull ||
                           machine.sharing == "two_tier"),
      is_plain_(!looks_at_processors_ && promise_ != Promise::kConservative),
      now_(jobs.empty() ? 0 : jobs.front().submit),
      idle_(0, machine.processors - 1),
      states_(jobs.size(), JobState::kFuture),
      head_(machine.processors, settings.pass == sim::PassMode::kInstant
                                    ? Lateness::kAtPlannedEnd
                                    : Lateness::kAfterPlannedEnd) {
  if (machine.sharing == "two_tier") tiers_.emplace(machine, jobs);
}

sim::RecordKinds Auditor::wants() const {
  return sim::kinds<sim::SubmitRecord, sim::RejectRecord, sim::StartRecord,
                    sim::SuspendRecord, sim::UnfreezeRecord, sim::RateRecord,
                    sim::EndRecord, sim::LeftRecord, sim::ReservationRecord,
                    sim::RekeyRecord, sim::PassRecord, sim::PromoteRecord>();
}

// What every record of a run goes through is inline: a call costs as much as a check.

[[gnu::always_inline]] inline void Auditor::see(Time at) {
  check<"W6", "time went back">(at >= now_, std::nullopt);
  if (tiers_) held_ += static_cast<double>(tiers_->used() * (at - now_));
  now_ = at;
}

// Adds what the job did since its last change, at the rate it had.
inline void Auditor::settle(JobId id, Life& life) {
  const auto state = state_of(id);
  const Duration span = now_ - life.since;
  life.since = now_;
  if (state == JobState::kRunning) {
    const auto width = static_cast<double>(jobs_[index(id)].size);
    const double work = life.rate * static_cast<double>(span);
    life.work += work;
    delivered_ += work * width;
    if (!tiers_) held_ += static_cast<double>(span) * width;
    (life.frozen ? past_of(id, life).froze : life.ran) += span;
  } else if (state == JobState::kWaiting) {
    life.waited += span;
  } else if (state == JobState::kSuspended) {
    past_of(id, life).suspended += span;
  }
}

inline void Auditor::move(JobId id, Life& life, JobState from, JobState to) {
  settle(id, life);
  auto& state = state_of(id);
  if (state != from) misplaced(id, state, to);
  ++checked_[number("W7")];
  if (promise_ == Promise::kConservative) owe(id, from, to);
  state = to;
}

// Of a job that is not in the system: as if it had just got into its state.
inline Auditor::Life& Auditor::life_of(JobId id) {
  const auto state = state_of(id);
  const bool is_inside = state == JobState::kWaiting || state == JobState::kRunning ||
                         state == JobState::kSuspended;
  return is_inside ? lives_[id] : outside();
}

// Of a job that comes in; of any other, what it has.
inline Auditor::Life& Auditor::begin_life(JobId id) {
  return state_of(id) == JobState::kFuture ? lives_.open(id) : life_of(id);
}

inline void Auditor::end_life(JobId id, const Life& life) {
  if (!life.is_undisturbed && pasts_.contains(id)) (void)pasts_.take(id);
  lives_.close(id);
}

inline void Auditor::judge_start(JobId id) {
  if (judges_heads_) {
    if (const auto broken = head_.judge_start(id, now_)) started_late(*broken);
  }
  if (promise_ == Promise::kConservative) judge_reserved_start(id);
}

inline void Auditor::seat(JobId id, const sim::Seated& placement) {
  if (looks_at_processors_) return seat_on_processors(id, placement);
  check<"C1", "more processors are in use than there are">(
      jobs_[index(id)].size <= head_.idle(), id);
}

inline void Auditor::unseat(JobId id, const Life& life) {
  if (now_ > life.planned_end) reservations_.forgive();
  if (looks_at_processors_) unseat_from_processors(id);
}

inline double Auditor::expected_rate(JobId id, const Life& life) const {
  if (tiers_) return tiers_->rate(id);
  return life.frozen ? 0.0 : 1.0;
}

inline void Auditor::freeze_until(JobId id, Life& life, Time until) {
  life.frozen = until > now_;
  if (life.frozen) past_of(id, life).thaws = until;
  if (tiers_) tiers_->freeze(id, life.frozen);
}

inline void Auditor::wait_for_head(JobId id, Life& life) {
  life.place = head_.join(id, life.key, jobs_[index(id)].size);
}

inline void Auditor::leave_line(JobId id, const Life& life) {
  head_.leave(id, life.key, life.place);
}

inline void Auditor::run_in_foreground(JobId id, Life& life, Time from) {
  const auto& job = jobs_[index(id)];
  leave_line(id, life);
  const bool is_fresh = tiers_ || life.work == 0.0;
  const auto done = is_fresh ? 0 : static_cast<Duration>(std::llround(life.work));
  const Duration left =
      std::max(machine_.min_planned, job.planned(machine_.min_planned) - done);
  life.planned_end = after(from, left);
  life.place = head_.start(job.size, life.planned_end);
}

// A background job is still a candidate for the foreground, and no longer one now.
inline void Auditor::stop(JobId id, Life& life) {
  if (life.background) {
    leave_line(id, life);
  } else {
    head_.stop(life.place, now_);
  }
  life.background = false;
}

void Auditor::check_end(JobId id, const Life& life, const JobEntry& entry) {
  const auto& job = jobs_[index(id)];
  const bool failed = state_of(id) == JobState::kFailed;
  const Duration wanted = failed ? job.walltime : job.length;
  const double off = std::abs(life.work - static_cast<double>(wanted));
  const bool is_done = off <= work_tolerance(wanted);
  if (failed) {
    check<"W1", "it was killed before its walltime">(is_done, id);
  } else {
    check<"W1", "its work is not its length">(is_done, id);
  }
  const auto* const kept = life.is_undisturbed ? nullptr : pasts_.find(id);
  const Past past = kept == nullptr ? Past{} : *kept;
  check<"W3", "its response is not wait + running + frozen + suspended">(
      now_ - job.submit == life.waited + life.ran + past.froze + past.suspended, id);
  const auto& account = entry.account;
  check<"W8", "its counters differ from the actions recorded">(
      account.suspensions == past.suspensions && account.swaps == past.promotions[0] &&
          account.kills == past.promotions[1] &&
          account.migrations == past.promotions[2],
      id);
  check<"W8", "it came to the foreground more than once">(
      account.swaps + account.kills + account.migrations <= 1, id);
  check<"W8", "its account of lost work differs from the records">(
      std::abs(static_cast<double>(account.lost_work) - past.lost) <= 1.0, id);
  check<"W3", "its account of frozen and suspended time differs from the records">(
      account.frozen == past.froze && account.suspended == past.suspended, id);
  const bool by_rule = !failed || machine_.overrun == sim::Overrun::kKill;
  check<"W7", "it failed on a machine that kills nobody">(by_rule, id);
}

// One byte each, and a million of them: not one by one.
bool Auditor::is_any(JobState state) const {
  static_assert(sizeof(JobState) == 1);
  return !states_.empty() && std::memchr(states_.data(), static_cast<int>(state),
                                         states_.size()) != nullptr;
}

double Auditor::work_of_present() const {
  double work = 0;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    const JobId id{i};
    const auto state = state_of(id);
    const bool inside = state == JobState::kRunning || state == JobState::kSuspended;
    if (inside) work += lives_[id].work * static_cast<double>(jobs_[i].size);
  }
  return work;
}

void Auditor::finish(Time at) {
  see(at);
  checked_[number("W7")] += static_cast<std::int64_t>(jobs_.size());
  if (is_any(JobState::kFuture)) fail("W7", std::nullopt, "a job was never submitted");
  const bool is_present = is_any(JobState::kRunning) || is_any(JobState::kSuspended);
  const double left = is_present ? work_of_present() : 0.0;
  const double delivered = delivered_ + merely_ran_;
  const double wanted = in_finished_ + merely_ran_ + lost_ + left;
  check<"W2", "work delivered is not work of finished and present jobs and work lost">(
      std::abs(delivered - wanted) <= 1e-6 * std::max(1.0, wanted), std::nullopt);
}

void Auditor::check_utilisation(double reported, Duration span) {
  const double offered = static_cast<double>(machine_.processors) * to_seconds(span);
  const double used = (held_ + merely_ran_) / static_cast<double>(kSecond);
  check<"W5", "the utilisation reported is not that of the processors held">(
      std::abs(reported * offered - used) <= 1e-9 * std::max(1.0, used), std::nullopt);
}

inline void Auditor::on(const sim::SubmitRecord& record) {
  const JobId id = record.who.id;
  auto& life = begin_life(id);
  move(id, life, JobState::kFuture, JobState::kWaiting);
  const auto& job = jobs_[index(id)];
  check<"W6", "it came in at another time than its submit time">(
      record.at == job.submit, id);
  life.key = record.key;
  if (job.size <= machine_.processors) wait_for_head(id, life);
}

void Auditor::on(const sim::RejectRecord& record) {
  auto& life = life_of(record.who.id);
  const auto& job = jobs_[index(record.who.id)];
  move(record.who.id, life, JobState::kWaiting, JobState::kRejected);
  check<"W7", "the machine rejects jobs that are wider than it, and no others">(
      record.by_machine == (job.size > machine_.processors), record.who.id);
  leave_line(record.who.id, life);
  end_life(record.who.id, life);
}

inline void Auditor::on(const sim::StartRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  const auto& job = jobs_[index(id)];
  move(id, life, record.resumed ? JobState::kSuspended : JobState::kWaiting,
       JobState::kRunning);
  check<"W6", "it starts before its submit time">(record.at >= job.submit, id);
  life.background = tiers_ && tier_of(*record.placement) == Tier::kBackground;
  if (tiers_) {
    check<"C5", "a suspended job resumes in the foreground">(
        !life.background || !record.resumed, id);
  }
  if (!life.background) judge_start(id);
  seat(id, record.placement);
  const Duration cost = record.resumed ? machine_.migration_cost : 0;
  check<"W4",
        "a resumed job stands still for the migration cost, a new one not at all">(
      record.frozen_until == after(record.at, cost), id);
  freeze_until(id, life, record.frozen_until);
  life.rate = record.rate;
  check<"W4", "its rate is not that of its place">(life.rate == expected_rate(id, life),
                                                   id);
  if (!life.background) run_in_foreground(id, life, record.frozen_until);
}

void Auditor::on(const sim::PromoteRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  settle(id, life);
  check<"C5", "only a job in the background can come to the foreground">(
      life.background && state_of(id) == JobState::kRunning, id);
  auto& past = past_of(id, life);
  judge_start(id);
  const IntervalSet before = seats_.at(id);
  unseat(id, life);
  life.background = false;
  seat(id, record.placement);
  check<"C5", "it is promoted to another tier or, by a swap, to other processors">(
      tier_of(*record.placement) == Tier::kForeground &&
          (record.how != sim::Promotion::kSwap ||
           before == processors_of(*record.placement)),
      id);
  const bool migrates = record.how == sim::Promotion::kMigrate;
  check<"W4", "a migrating job stands still for the migration cost, others not at all">(
      record.frozen_until == after(record.at, migrates ? machine_.migration_cost : 0),
      id);
  if (record.how == sim::Promotion::kRestart) {
    lost_ += life.work * static_cast<double>(jobs_[index(id)].size);
    past.lost += life.work;
    life.work = 0;
  }
  ++past.promotions[static_cast<std::size_t>(record.how)];
  freeze_until(id, life, record.frozen_until);
  life.rate = record.rate;
  check<"W4", "its rate is not that of its place">(life.rate == expected_rate(id, life),
                                                   id);
  run_in_foreground(id, life, record.frozen_until);
}

void Auditor::on(const sim::SuspendRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  move(id, life, JobState::kRunning, JobState::kSuspended);
  check<"W7", "this machine allows no preemption">(machine_.preemption, id);
  stop(id, life);
  unseat(id, life);
  ++past_of(id, life).suspensions;
  life.frozen = false;
  life.rate = 0;
  life.key = record.key;
  wait_for_head(id, life);
}

void Auditor::on(const sim::UnfreezeRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  settle(id, life);
  check<"W4", "it thaws at another time than its migration cost after the move">(
      life.frozen && record.at == past_of(id, life).thaws, id);
  freeze_until(id, life, record.at);
}

void Auditor::on(const sim::RateRecord& record) {
  auto& life = life_of(record.who.id);
  settle(record.who.id, life);
  life.is_undisturbed = false;
  life.rate = record.rate;
  check<"W4", "its rate is not that of its place">(
      life.rate == expected_rate(record.who.id, life), record.who.id);
}

inline void Auditor::on(const sim::EndRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  const auto& job = jobs_[index(id)];
  const bool failed = record.who.entry->state == JobState::kFailed;
  move(id, life, JobState::kRunning, failed ? JobState::kFailed : JobState::kFinished);
  check_end(id, life, *record.who.entry);
  in_finished_ += life.work * static_cast<double>(job.size);
  stop(id, life);
  unseat(id, life);
  end_life(id, life);
}

void Auditor::on(const sim::LeftRecord& record) {
  auto& life = life_of(record.who.id);
  settle(record.who.id, life);
  const bool holds = record.placement != nullptr;
  check<"C7", "only a running job holds processors">(
      holds == (state_of(record.who.id) == JobState::kRunning), record.who.id);
}

void Auditor::on(const sim::ReservationRecord& record) {
  if (promise_ != Promise::kConservative) return;
  if (record.start) {
    unreserved_.erase(record.job);
  } else if (state_of(record.job) == JobState::kWaiting) {
    unreserved_.insert(record.job);
  }
  const auto broken =
      reservations_.reserve(record.job, record.start, head_.any_overrun(record.at));
  checked_[number("R2")] = reservations_.judged();
  if (!broken) return;
  fail("R2", record.job,
       fmt::format("its reservation moved from {} to {}", seconds_text(*broken),
                   seconds_text(*record.start)));
}

void Auditor::on(const sim::RekeyRecord&) { judges_heads_ = false; }

// With tiers the head may change while only the background is looked at: a promise is
// judged at the passes at which it is made.
inline void Auditor::on(const sim::PassRecord& record) {
  const bool looks = !tiers_ || (record.causes & (sim::kSubmit | sim::kForegroundEnd));
  if (judges_heads_ && looks) judge_head(record.at);
  if (promise_ != Promise::kConservative || unreserved_.empty()) return;
  fail("R2", *unreserved_.begin(), "it waits without a reservation in the book");
}

template <class Kind>
inline void Auditor::see_and_judge(const Kind& record) {
  constexpr bool kIsRate = std::is_same_v<Kind, sim::RateRecord>;
  if (!kIsRate && tiers_) check_rates();
  see(record.at);
  on(record);
}

void Auditor::note(const sim::Record& record) {
  std::visit([this](const auto& it) { see_and_judge(it); }, record);
}

// What most records tell is plain: all laws are seen to hold at once and little is to
// be noted.  Of every other record each law is checked for itself.

inline bool Auditor::is_plain(const sim::SubmitRecord& record) const {
  const auto& job = jobs_[index(record.who.id)];
  return is_plain_ && record.at >= now_ && record.at == job.submit &&
         state_of(record.who.id) == JobState::kFuture &&
         job.size <= machine_.processors;
}

void Auditor::submitted(const sim::SubmitRecord& record) {
  if (!is_plain(record)) return look_closely(record);
  const JobId id = record.who.id;
  ++plain_.submits;
  now_ = record.at;
  state_of(id) = JobState::kWaiting;
  auto& life = lives_.open(id);
  life.since = record.at;
  life.key = record.key;
  wait_for_head(id, life);
}

inline bool Auditor::is_plain(const sim::StartRecord& record) const {
  const JobId id = record.who.id;
  const auto& job = jobs_[index(id)];
  const bool merely_starts = is_plain_ && record.at >= now_ && !record.resumed &&
                             state_of(id) == JobState::kWaiting &&
                             record.at >= job.submit &&
                             record.frozen_until == record.at && record.rate == 1.0;
  const bool may_be_late = judges_heads_ && head_.may_start_late(id, record.at);
  return merely_starts && job.size <= head_.idle() && !may_be_late;
}

void Auditor::started(const sim::StartRecord& record) {
  if (!is_plain(record)) return look_closely(record);
  const JobId id = record.who.id;
  const auto& job = jobs_[index(id)];
  ++plain_.starts;
  now_ = record.at;
  state_of(id) = JobState::kRunning;
  auto& life = lives_[id];
  life.waited = record.at - life.since;
  life.since = record.at;
  life.rate = 1.0;
  leave_line(id, life);
  life.planned_end = after(record.at, job.planned(machine_.min_planned));
  life.place = head_.start(job.size, life.planned_end);
}

// Of a job whose whole life was plain, work and time it ran are one.
inline bool Auditor::is_plain(const sim::EndRecord& record) const {
  const JobId id = record.who.id;
  if (!is_plain_ || record.at < now_ || state_of(id) != JobState::kRunning)
    return false;
  const auto& entry = *record.who.entry;
  const auto& account = entry.account;
  const bool merely_ran =
      entry.state == JobState::kFinished &&
      (account.suspended | account.frozen | account.lost_work) == 0 &&
      (account.kills | account.migrations | account.swaps | account.suspensions) == 0;
  const auto& job = jobs_[index(id)];
  const auto& life = lives_[id];
  return merely_ran && life.is_undisturbed && record.at - life.since == job.length &&
         record.at - job.submit == life.waited + job.length;
}

void Auditor::ended(const sim::EndRecord& record) {
  if (!is_plain(record)) return look_closely(record);
  const JobId id = record.who.id;
  const auto& job = jobs_[index(id)];
  ++plain_.ends;
  now_ = record.at;
  state_of(id) = JobState::kFinished;
  merely_ran_ += static_cast<double>(job.length) * static_cast<double>(job.size);
  head_.stop(lives_[id].place, record.at);
  lives_.close(id);
}

void Auditor::passed(const sim::PassRecord& record) {
  if (!is_plain_ || record.at < now_) return look_closely(record);
  ++plain_.passes;
  now_ = record.at;
  if (judges_heads_) judge_head(record.at);
}

void Auditor::judge_head(Time at) {
  const auto broken = head_.judge(at);
  checked_[number("R1")] = head_.judged();
  if (broken) promised_earlier(*broken);
}

void Auditor::promised_earlier(const HeadPromise::Broken& broken) const {
  fail("R1", broken.head,
       fmt::format("it is head of the queue and was promised a start at {}, now {}",
                   seconds_text(broken.promised), seconds_text(broken.now)));
}

void Auditor::started_late(const HeadPromise::Broken& broken) const {
  fail("R1", broken.head,
       fmt::format("head of the queue, it starts later than promised ({})",
                   seconds_text(broken.promised)));
}

void Auditor::judge_reserved_start(JobId id) {
  const auto broken = reservations_.start(id, now_, head_.any_overrun(now_));
  if (!broken) return;
  fail("R2", id,
       fmt::format("it starts later than reserved ({})", seconds_text(*broken)));
}

// Whether the policy has to have a reservation for it.
void Auditor::owe(JobId id, JobState from, JobState to) {
  if (from == JobState::kWaiting) unreserved_.erase(id);
  if (to == JobState::kWaiting) unreserved_.insert(id);
}

void Auditor::misplaced(JobId id, JobState is, JobState to) const {
  fail("W7", id, fmt::format("it became {} while {}", name(to), name(is)));
}

Auditor::Past& Auditor::past_of(JobId id, Life& life) {
  life.is_undisturbed = false;
  if (!pasts_.contains(id)) pasts_.insert(id, {});
  return pasts_.at(id);
}

Auditor::Life& Auditor::outside() {
  outside_ = {};
  return outside_;
}

void Auditor::seat_on_processors(JobId id, const Placement* placement) {
  return tiers_ ? seat_in_tier(id, placement) : seat_on(id, placement);
}

// What a tier lets its jobs do shows only where they sit: light looks are no use.
void Auditor::seat_in_tier(JobId id, const Placement* placement) {
  check<"C7", "it runs and sits nowhere">(placement != nullptr, id);
  const auto why = tiers_->seat(id, *placement);
  ++checked_[number("C5")];
  if (why) fail("C5", id, *why);
  seats_.insert(id, processors_of(*placement));
}

void Auditor::seat_on(JobId id, const Placement* placement) {
  const auto* processors =
      placement == nullptr ? nullptr : std::get_if<IntervalSet>(placement);
  check<"C7", "it does not hold as many processors as it asked for">(
      processors != nullptr && processors->count() == jobs_[index(id)].size, id);
  check<"C1", "it was given a processor that serves another job or does not exist">(
      idle_.contains(*processors), id);
  idle_.erase(*processors);
  seats_.insert(id, *processors);
}

void Auditor::unseat_from_processors(JobId id) {
  const auto processors = seats_.take(id);
  if (tiers_) return tiers_->unseat(id);
  idle_.insert(processors);
}

// Once all changes of rate that follow an event or an action are told, everybody whom
// it concerned runs as fast as its place lets it.
void Auditor::check_rates() {
  for (const JobId id : tiers_->take_concerned()) {
    if (!tiers_->seated(id)) continue;
    check<"W4", "its rate is not that of its place">(
        life_of(id).rate == tiers_->rate(id), id);
  }
}

std::map<std::string, std::int64_t> Auditor::checked() const {
  auto checked = checked_;
  checked[number("C1")] += plain_.starts;
  checked[number("W1")] += plain_.ends;
  checked[number("W3")] += 2 * plain_.ends;
  checked[number("W4")] += 2 * plain_.starts;
  checked[number("W6")] +=
      2 * (plain_.submits + plain_.starts) + plain_.ends + plain_.passes;
  checked[number("W7")] += plain_.submits + plain_.starts + 2 * plain_.ends;
  checked[number("W8")] += 3 * plain_.ends;
  std::map<std::string, std::int64_t> out;
  for (std::size_t i = 0; i < kRules; ++i) {
    if (checked[i] == 0) continue;
    const char letter = static_cast<char>('A' + i / 10);
    const char digit = static_cast<char>('0' + i % 10);
    out.emplace(std::string{letter, digit}, checked[i]);
  }
  return out;
}

void Auditor::fail(std::string_view rule, std::optional<JobId> job,
                   std::string_view what) const {
  Violation violation{std::string(rule), now_, {}, std::string(what)};
  if (job) violation.jobs.push_back(jobs_[index(*job)].id);
  throw AuditFailure(violation);
}

}  // namespace berth::audit

#include "engine/audit/auditor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
      thoroughness_(thoroughness),
      now_(jobs.empty() ? 0 : jobs.front().submit),
      idle_(0, machine.processors - 1),
      idle_count_(machine.processors),
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

void Auditor::note(const sim::Record& record) {
  std::visit(
      [this](const auto& it) {
        using Kind = std::decay_t<decltype(it)>;
        if constexpr (!std::is_same_v<Kind, sim::RateRecord>) check_rates();
        see(it.at);
        on(it);
      },
      record);
}

void Auditor::finish(Time at) {
  see(at);
  double left = 0;
  for (std::uint32_t i = 0; i < jobs_.size(); ++i) {
    const JobId id{i};
    const auto state = state_of(id);
    const bool inside = state == JobState::kRunning || state == JobState::kSuspended;
    if (inside) left += lives_[id].work * static_cast<double>(jobs_[i].size);
    check("W7", state != JobState::kFuture, {}, "a job was never submitted");
  }
  const double wanted = in_finished_ + lost_ + left;
  check("W2", std::abs(delivered_ - wanted) <= 1e-6 * std::max(1.0, wanted), {},
        "work delivered is not work of finished and present jobs and work lost");
}

void Auditor::check_utilisation(double reported, Duration span) {
  const double offered = static_cast<double>(machine_.processors) * to_seconds(span);
  const double used = held_ / static_cast<double>(kSecond);
  check("W5", std::abs(reported * offered - used) <= 1e-9 * std::max(1.0, used), {},
        "the utilisation reported is not that of the processors held");
}

void Auditor::on(const sim::SubmitRecord& record) {
  const bool is_new = state_of(record.who.id) == JobState::kFuture;
  auto& life = is_new ? lives_.open(record.who.id) : life_of(record.who.id);
  move(record.who.id, life, JobState::kFuture, JobState::kWaiting);
  check("W6", record.at == jobs_[index(record.who.id)].submit, {record.who.id},
        "it came in at another time than its submit time");
  life.key = record.key;
  const auto size = jobs_[index(record.who.id)].size;
  if (size <= machine_.processors) head_.join(record.who.id, life.key, size);
}

void Auditor::on(const sim::RejectRecord& record) {
  auto& life = life_of(record.who.id);
  const auto& job = jobs_[index(record.who.id)];
  move(record.who.id, life, JobState::kWaiting, JobState::kRejected);
  check("W7", record.by_machine == (job.size > machine_.processors), {record.who.id},
        "the machine rejects jobs that are wider than it, and no others");
  head_.leave(record.who.id, life.key, job.size);
  forget(record.who.id, life);
}

void Auditor::on(const sim::StartRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  const auto& job = jobs_[index(id)];
  move(id, life, record.resumed ? JobState::kSuspended : JobState::kWaiting,
       JobState::kRunning);
  check("W6", record.at >= job.submit, {id}, "it starts before its submit time");
  life.background = tiers_ && tier_of(*record.placement) == Tier::kBackground;
  if (tiers_) {
    check("C5", !life.background || !record.resumed, {id},
          "a suspended job resumes in the foreground");
  }
  if (!life.background) judge_start(id);
  seat(id, life, record.placement);
  const Duration cost = record.resumed ? machine_.migration_cost : 0;
  check("W4", record.frozen_until == after(record.at, cost), {id},
        "a resumed job stands still for the migration cost, a new one not at all");
  life.thaws = record.frozen_until;
  set_frozen(id, life, record.frozen_until > record.at);
  life.rate = record.rate;
  life.resumes += record.resumed ? 1 : 0;
  check("W4", life.rate == expected_rate(id, life), {id},
        "its rate is not that of its place");
  if (!life.background) run_in_foreground(id, life);
}

void Auditor::on(const sim::PromoteRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  settle(id, life, record.at);
  check("C5", life.background && life.state == JobState::kRunning, {id},
        "only a job in the background can come to the foreground");
  judge_start(id);
  const IntervalSet before = life.processors;
  unseat(id, life);
  life.background = false;
  seat(id, life, record.placement);
  check("C5",
        tier_of(*record.placement) == Tier::kForeground &&
            (record.how != sim::Promotion::kSwap ||
             before == processors_of(*record.placement)),
        {id}, "it is promoted to another tier or, by a swap, to other processors");
  const bool migrates = record.how == sim::Promotion::kMigrate;
  check("W4",
        record.frozen_until == after(record.at, migrates ? machine_.migration_cost : 0),
        {id}, "a migrating job stands still for the migration cost, others not at all");
  if (record.how == sim::Promotion::kRestart) {
    lost_ += life.work * static_cast<double>(jobs_[index(id)].size);
    life.lost += life.work;
    life.work = 0;
  }
  ++life.promotions[static_cast<std::size_t>(record.how)];
  life.thaws = record.frozen_until;
  set_frozen(id, life, record.frozen_until > record.at);
  life.rate = record.rate;
  check("W4", life.rate == expected_rate(id, life), {id},
        "its rate is not that of its place");
  run_in_foreground(id, life);
}

void Auditor::on(const sim::SuspendRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  settle(id, life, record.at);
  move(id, life, JobState::kRunning, JobState::kSuspended);
  check("W7", machine_.preemption, {id}, "this machine allows no preemption");
  stop(id, life);
  unseat(id, life);
  ++life.suspensions;
  life.frozen = false;
  life.rate = 0;
  life.key = record.key;
  head_.join(id, life.key, jobs_[index(id)].size);
}

void Auditor::on(const sim::UnfreezeRecord& record) {
  auto& life = life_of(record.who.id);
  settle(record.who.id, life, record.at);
  check("W4", life.frozen && record.at == life.thaws, {record.who.id},
        "it thaws at another time than its migration cost after the move");
  set_frozen(record.who.id, life, false);
}

void Auditor::on(const sim::RateRecord& record) {
  auto& life = life_of(record.who.id);
  settle(record.who.id, life, record.at);
  life.rate = record.rate;
  check("W4", life.rate == expected_rate(record.who.id, life), {record.who.id},
        "its rate is not that of its place");
}

void Auditor::on(const sim::EndRecord& record) {
  const JobId id = record.who.id;
  auto& life = life_of(id);
  const auto& job = jobs_[index(id)];
  settle(id, life, record.at);
  const bool failed = record.who.entry->state == JobState::kFailed;
  move(id, life, JobState::kRunning, failed ? JobState::kFailed : JobState::kFinished);
  check_end(id, life, *record.who.entry);
  in_finished_ += life.work * static_cast<double>(job.size);
  stop(id, life);
  unseat(id, life);
  forget(id, life);
}

void Auditor::on(const sim::LeftRecord& record) {
  auto& life = life_of(record.who.id);
  settle(record.who.id, life, record.at);
  const bool holds = record.placement != nullptr;
  check("C7", holds == (life.state == JobState::kRunning), {record.who.id},
        "only a running job holds processors");
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
  fail("R2", {record.job},
       fmt::format("its reservation moved from {} to {}", seconds_text(*broken),
                   seconds_text(*record.start)));
}

void Auditor::on(const sim::RekeyRecord&) { order_changes_ = true; }

// With tiers the head may change while only the background is looked at: a promise is
// judged at the passes at which it is made.
void Auditor::on(const sim::PassRecord& record) {
  const bool looks = !tiers_ || (record.causes & (sim::kSubmit | sim::kForegroundEnd));
  if (promise_ == Promise::kEasy && !order_changes_ && looks) judge_head(record.at);
  if (promise_ != Promise::kConservative || unreserved_.empty()) return;
  fail("R2", {*unreserved_.begin()}, "it waits without a reservation in the book");
}

void Auditor::judge_head(Time at) {
  const auto broken = head_.judge(at);
  checked_[number("R1")] = head_.judged();
  if (!broken) return;
  fail("R1", {broken->head},
       fmt::format("it is head of the queue and was promised a start at {}, now {}",
                   seconds_text(broken->promised), seconds_text(broken->now)));
}

void Auditor::judge_start(JobId id) {
  if (promise_ == Promise::kEasy && !order_changes_) {
    if (const auto broken = head_.judge_start(id, now_)) {
      fail("R1", {id},
           fmt::format("head of the queue, it starts later than promised ({})",
                       seconds_text(broken->promised)));
    }
  }
  if (promise_ != Promise::kConservative) return;
  if (const auto broken = reservations_.start(id, now_, head_.any_overrun(now_))) {
    fail("R2", {id},
         fmt::format("it starts later than reserved ({})", seconds_text(*broken)));
  }
}

// Of a job that is not in the system: as if it had just got into its state.
Auditor::Life& Auditor::life_of(JobId id) {
  if (auto* const life = lives_.find(id)) return *life;
  outside_ = {};
  outside_.state = states_[index(id)];
  return outside_;
}

JobState Auditor::state_of(JobId id) const {
  const auto* const life = lives_.find(id);
  return life != nullptr ? life->state : states_[index(id)];
}

void Auditor::forget(JobId id, const Life& life) {
  states_[index(id)] = life.state;
  lives_.close(id);
}

// Adds what the job did since its last change, at the rate it had.
void Auditor::settle(JobId id, Life& life, Time now) {
  const Duration span = now - life.since;
  life.since = now;
  switch (life.state) {
    case JobState::kRunning: {
      const auto width = static_cast<double>(jobs_[index(id)].size);
      const double work = life.rate * static_cast<double>(span);
      life.work += work;
      delivered_ += work * width;
      if (!tiers_) held_ += static_cast<double>(span) * width;
      (life.frozen ? life.froze : life.ran) += span;
      return;
    }
    case JobState::kSuspended: life.suspended += span; return;
    case JobState::kWaiting: life.waited += span; return;
    default: return;
  }
}

void Auditor::seat(JobId id, Life& life, const sim::Seated& placement) {
  if (tiers_) return seat_in_tier(id, life, placement);
  if (thoroughness_ == Thoroughness::kFull) return seat_on(id, life, placement);
  idle_count_ -= jobs_[index(id)].size;
  check("C1", idle_count_ >= 0, {id}, "more processors are in use than there are");
}

// What a tier lets its jobs do shows only where they sit: light looks are no use.
void Auditor::seat_in_tier(JobId id, Life& life, const Placement* placement) {
  check("C7", placement != nullptr, {id}, "it runs and sits nowhere");
  const auto why = tiers_->seat(id, *placement);
  check("C5", !why.has_value(), {id}, why.value_or(""));
  life.processors = processors_of(*placement);
}

void Auditor::seat_on(JobId id, Life& life, const Placement* placement) {
  const auto* processors =
      placement == nullptr ? nullptr : std::get_if<IntervalSet>(placement);
  check("C7", processors != nullptr && processors->count() == jobs_[index(id)].size,
        {id}, "it does not hold as many processors as it asked for");
  check("C1", idle_.contains(*processors), {id},
        "it was given a processor that serves another job or does not exist");
  idle_.erase(*processors);
  life.processors = *processors;
}

void Auditor::unseat(JobId id, Life& life) {
  if (now_ > life.planned_end) reservations_.forgive();
  if (tiers_) return tiers_->unseat(id);
  if (thoroughness_ == Thoroughness::kLight) {
    idle_count_ += jobs_[index(id)].size;
    return;
  }
  idle_.insert(life.processors);
  life.processors = {};
}

void Auditor::check_end(JobId id, const Life& life, const JobEntry& entry) {
  const auto& job = jobs_[index(id)];
  const bool failed = life.state == JobState::kFailed;
  const Duration wanted = failed ? job.walltime : job.length;
  check("W1",
        std::abs(life.work - static_cast<double>(wanted)) <= work_tolerance(wanted),
        {id},
        failed ? "it was killed before its walltime" : "its work is not its length");
  check("W3", now_ - job.submit == life.waited + life.ran + life.froze + life.suspended,
        {id}, "its response is not wait + running + frozen + suspended");
  const auto& account = entry.account;
  check("W8",
        account.suspensions == life.suspensions &&
            account.swaps == life.promotions[0] &&
            account.kills == life.promotions[1] &&
            account.migrations == life.promotions[2],
        {id}, "its counters differ from the actions recorded");
  check("W8", account.swaps + account.kills + account.migrations <= 1, {id},
        "it came to the foreground more than once");
  check("W8", std::abs(static_cast<double>(account.lost_work) - life.lost) <= 1.0, {id},
        "its account of lost work differs from the records");
  check("W3", account.frozen == life.froze && account.suspended == life.suspended, {id},
        "its account of frozen and suspended time differs from the records");
  const bool by_rule = !failed || machine_.overrun == sim::Overrun::kKill;
  check("W7", by_rule, {id}, "it failed on a machine that kills nobody");
}

double Auditor::expected_rate(JobId id, const Life& life) const {
  if (tiers_) return tiers_->rate(id);
  return life.frozen ? 0.0 : 1.0;
}

// Once all changes of rate that follow an event or an action are told, everybody whom
// it concerned runs as fast as its place lets it.
void Auditor::check_rates() {
  if (!tiers_) return;
  for (const JobId id : tiers_->take_concerned()) {
    if (!tiers_->seated(id)) continue;
    check("W4", lives_[id].rate == tiers_->rate(id), {id},
          "its rate is not that of its place");
  }
}

void Auditor::set_frozen(JobId id, Life& life, bool frozen) {
  life.frozen = frozen;
  if (tiers_) tiers_->freeze(id, frozen);
}

void Auditor::run_in_foreground(JobId id, Life& life) {
  const auto& job = jobs_[index(id)];
  head_.leave(id, life.key, job.size);
  const auto done = tiers_ ? 0 : static_cast<Duration>(std::llround(life.work));
  const Duration left =
      std::max(machine_.min_planned, job.planned(machine_.min_planned) - done);
  life.planned_end = after(life.thaws, left);
  head_.start(id, job.size, life.planned_end);
}

// A background job is still a candidate for the foreground, and no longer one now.
void Auditor::stop(JobId id, Life& life) {
  const auto size = jobs_[index(id)].size;
  if (life.background) {
    head_.leave(id, life.key, size);
  } else {
    head_.stop(id, size, life.planned_end, now_);
  }
  life.background = false;
}

void Auditor::see(Time at) {
  check("W6", at >= now_, {}, "time went back");
  if (tiers_) held_ += static_cast<double>(tiers_->used() * (at - now_));
  now_ = at;
}

void Auditor::move(JobId id, Life& life, JobState from, JobState to) {
  if (life.state != from) {
    fail("W7", {id}, fmt::format("it became {} while {}", name(to), name(life.state)));
  }
  ++checked_[number("W7")];
  if (from == JobState::kWaiting || from == JobState::kSuspended)
    settle(id, life, now_);
  if (from == JobState::kWaiting && !unreserved_.empty()) unreserved_.erase(id);
  const bool owed = promise_ == Promise::kConservative && to == JobState::kWaiting;
  if (owed) unreserved_.insert(id);
  life.state = to;
  life.since = now_;
}

std::map<std::string, std::int64_t> Auditor::checked() const {
  std::map<std::string, std::int64_t> out;
  for (std::size_t i = 0; i < kRules; ++i) {
    if (checked_[i] == 0) continue;
    const char letter = static_cast<char>('A' + i / 10);
    const char digit = static_cast<char>('0' + i % 10);
    out.emplace(std::string{letter, digit}, checked_[i]);
  }
  return out;
}

void Auditor::fail(std::string_view rule, std::initializer_list<JobId> jobs,
                   std::string what) const {
  Violation violation{std::string(rule), now_, {}, std::move(what)};
  for (const JobId job : jobs) violation.jobs.push_back(jobs_[index(job)].id);
  throw AuditFailure(violation);
}

}  // namespace berth::audit

// What the auditor holds policies to: R1 to R5; W9; and what it makes of what the
// machine does: records of its own, moves, hosts that go down (L2), places that differ
// in speed, checkpoints (L5).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/audit/auditor.hpp"
#include "engine/hosts/host_ranges.hpp"

namespace berth::audit {

using sim::Promise;

// R1 where numbers of processors do not tell when the head fits.
void Auditor::ask_law_of_head() {
  if (!fit_->tells_expected_fit()) {
    promise_ = Promise::kNone;
    return;
  }
  head_.ask([this](JobId id, std::span<const std::uint32_t> gone) {
    gone_.clear();
    for (const auto place : gone) gone_.push_back(by_place_[place]);
    return fit_->fits_without(id, gone_);
  });
}

void Auditor::judge_promised_start(JobId id) {
  if (promise_ == Promise::kEasy) {
    if (const auto broken = head_.judge_start(id, now_)) {
      fail(kHeadPromise, id,
           fmt::format("head of the queue, it starts later than promised ({})",
                       seconds_text(broken->promised)));
    }
  } else if (promise_ == Promise::kConservative) {
    if (const auto promised = reservations_.start(id, now_, lateness(id))) {
      fail(kKeptReservation, id,
           fmt::format("it starts later than reserved ({})", seconds_text(*promised)));
    }
  } else if (promise_ == Promise::kInOrder) {
    const auto first = first_of_order();
    if (first.empty()) return;
    ++promises_checked_;
    if (std::find(first.begin(), first.end(), id) != first.end()) return;
    fail(kInOrder, id,
         fmt::format("it starts while job {} is the first of the default order",
                     job(first.front()).id));
  }
}

void Auditor::judge(const sim::ReservationRecord& record) {
  if (promise_ != Promise::kConservative) return;
  const JobId id = record.job;
  if (record.start) {
    unreserved_.erase(id);
  } else if (state_of(id) == JobState::kWaiting) {
    unreserved_.insert(id);
  }
  const auto broken = reservations_.reserve(id, record.start, lateness(id));
  if (!broken) return;
  fail(kKeptReservation, id,
       fmt::format("its reservation moved from {} to {}", seconds_text(*broken),
                   seconds_text(*record.start)));
}

ReservationPromise::Lateness Auditor::lateness() {
  return {head_.misses(now_) + head_.late_stops(), head_.any_late() || any_drains()};
}

// A promise to a job ends where a limit bars it.
ReservationPromise::Lateness Auditor::lateness(JobId id) {
  auto late = lateness();
  if (limits_) late.barred = limits_->times_barred(id, job(id));
  return late;
}

void Auditor::count_move(JobId id, Life& life, const sim::StartRecord& record) {
  const Placement& now = *record.placement;
  const auto [last, is_first] = last_places_.try_emplace(id, now);
  if (is_first) return;
  if (record.resumed && now.moved_from(last->second) > 0) {
    count_change(id, life, sim::ChangeRecord::Effect::kMigrates);
  }
  last->second = now;
}

// Which waiting jobs a policy has to have a reservation for.
void Auditor::note_reserved(JobId id, JobState from, JobState to) {
  if (from == JobState::kWaiting) unreserved_.erase(id);
  if (to == JobState::kWaiting) unreserved_.insert(id);
}

// Whether the jobs in the system, one after the other, would pass the end of the clock:
// what lies behind it cannot be reserved.
bool Auditor::clock_may_end() const {
  Int128 end = now_;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const bool is_in = queues(states_[i]) || states_[i] == JobState::kRunning;
    if (!is_in) continue;
    const auto planned = jobs_[i].planned(machine_.min_planned);
    const JobId id{static_cast<std::uint32_t>(i)};
    end += attempts_ ? attempts_->left(id, planned, planned, 0) : planned;
  }
  return end >= kNever;
}

// What is expected while running jobs hold a part of a host that drains is not derived.
void Auditor::judge_pass(sim::Causes causes) {
  if (any_drains() && !is_plain_while_draining()) return head_.forgive();
  switch (promise_) {
    case Promise::kEasy:
      if (law_->order() != nullptr && !law_->order()->serves_head(causes)) return;
      if (const auto broken = head_.judge(now_)) {
        fail(kHeadPromise, broken->head,
             fmt::format("head of the queue, it was promised a start at {}, now {}",
                         seconds_text(broken->promised), seconds_text(broken->now)));
      }
      return;
    case Promise::kConservative:
      if (!any_drains()) reservations_.passed();
      if (!is_any_unreserved() || clock_may_end()) return note_passed();
      fail(kKeptReservation, *unreserved_.begin(),
           "it waits without a reservation in the book");
    case Promise::kTopFirst:
      if (const auto oldest = top_.oldest(); oldest && knows_if_fits(*oldest)) {
        ++promises_checked_;
        require(!would_fit(*oldest, top_.overtakers()), kTopFirst, *oldest,
                "oldest of the queue, it would fit without the younger jobs that "
                "overtook an older one");
      }
      return;
    case Promise::kFirstIfItFits: return judge_first();
    case Promise::kInOrder:
    case Promise::kNone: return;
  }
}

void Auditor::note_passed() {
  if (!limits_) return;
  reservations_.forgive_missed(now_, [this](JobId id) {
    return queues(state_of(id)) && !limits_->shows(id, job(id), lives_[id].key);
  });
}

// Of jobs that no limit bars.
bool Auditor::is_any_unreserved() const {
  if (!limits_) return !unreserved_.empty();
  return std::any_of(unreserved_.begin(), unreserved_.end(), [this](JobId id) {
    return limits_->shows(id, job(id), lives_[id].key) &&
           !limits_->may_be_new(id, now_);
  });
}

// --- more than the line of all that wait ---

void Auditor::join_lines(JobId id, Life& life) {
  if (limits_) {
    limits_->join(id, job(id), life.key, state_of(id));
    head_.look_again();
  } else {
    life.place = head_.join(id, life.key, job(id).size);
  }
  if (fair_) fair_->join(id, job(id));
  if (promise_ == Promise::kTopFirst) top_.join(id);
}

void Auditor::leave_lines(JobId id, const Life& life) {
  if (limits_) {
    limits_->leave(id, job(id), life.key, now_);
    head_.look_again();
  } else {
    head_.leave(id, life.key, life.place);
  }
  if (fair_) fair_->leave(id, job(id));
  if (promise_ == Promise::kTopFirst) top_.leave(id);
}

void Auditor::note_start(JobId id) {
  if (limits_) {
    const auto first = limits_->head(jobs_);
    require(limits_->start(id, job(id), lives_[id].key, now_), id);
    head_.look_again();
    // What is first then was behind a plan for that one in this pass.
    const bool bars_first = first && first->job != id &&
                            !limits_->shows(first->job, job(first->job), first->key);
    if (bars_first) limits_->ease(now_);
  }
  if (fair_) fair_->hold(job(id), now_, amounts(id));
}

void Auditor::note_stop(JobId id) {
  if (limits_) {
    limits_->stop(id, job(id));
    if (state_of(id) == JobState::kSuspended) limits_->ease(now_);
    head_.look_again();
  }
  if (fair_) fair_->release(job(id), now_, amounts(id));
}

// More than one where the auditor cannot tell which is first; empty: no member, or it
// does not judge this order.
std::vector<JobId> Auditor::first_of_order() {
  if (fair_ && limits_) return {};
  if (fair_) return fair_->judges() ? fair_->first(now_) : std::vector<JobId>{};
  if (limits_) settle_head();
  const auto* const first = head_.head();
  return first == nullptr ? std::vector<JobId>{} : std::vector{first->job};
}

void Auditor::judge_first() {
  const auto first = first_of_order();
  if (first.empty()) return;
  ++promises_checked_;
  const bool none_starts = std::any_of(
      first.begin(), first.end(), [&](JobId each) { return !would_fit(each, {}); });
  require(none_starts, kFirstIfItFits, first.front(),
          "first of the default order, it fits and was not started");
}

void Auditor::check_usage(const std::map<std::int32_t, double>& reported, Time at) {
  if (!fair_) return;
  for (const auto& [user, usage] : reported) {
    ++usages_checked_;
    require(fair_->is_usage(usage, user, at), kUsage, std::nullopt,
            "the usage reported of a user is not the sum over the user's jobs");
  }
}

void Auditor::judge(const sim::KeyRecord& record) {
  if (record.entered == record.now) return;
  fail(kConstantKey, record.job,
       fmt::format("order '{}' of job {} was {} and is {} now: give it refresh = {}",
                   record.order, job(record.job).id, record.entered + 0.0,
                   record.now + 0.0, "\"every_pass\""));
}

void Auditor::judge(const sim::EstimateRecord& record) {
  const auto id = record.who.id;
  require(state_of(id) == JobState::kWaiting, kEstimates, id,
          "a policy expects something else of it though it does not wait");
  require(record.estimate >= 0 && record.estimate <= job(id).walltime, kEstimates, id,
          "what is expected of it is below 0 or beyond its walltime");
  estimates_[id] = record.estimate;
}

// The job has started, and is held by its walltime: it is expected to end sooner.
void Auditor::judge_estimate(const sim::StartRecord& record, Life& life) {
  const JobId id = record.who.id;
  const auto found = estimates_.find(id);
  if (found == estimates_.end()) return;
  const Time last = life.planned_end;
  life.planned_end = after(record.frozen_until, left_of(id, found->second, life));
  head_.stop(life.place, now_);
  life.place = head_.start(job(id).size, life.planned_end, last);
  if (windows_) windows_->expect(id, life.planned_end);
  ++estimates_judged_;
  require(record.who.entry->planned_end == life.planned_end, kEstimates, id,
          "its expected end is not that of the estimate");
}

void Auditor::judge(const sim::RekeyRecord& record) {
  const auto state = state_of(record.job);
  if (!queues(state) && state != JobState::kRunning) return;
  auto& life = lives_[record.job];
  if (limits_) {
    if (queues(state)) {
      limits_->leave(record.job, job(record.job), life.key, now_);
      limits_->join(record.job, job(record.job), record.key, state);
      head_.look_again();
    }
    life.key = record.key;
    return;
  }
  life.place =
      head_.rekey({record.key, record.job, job(record.job).size}, life.key, life.place);
  life.key = record.key;
}

std::int64_t Auditor::promises_judged() const {
  return head_.judged() + reservations_.judged() + promises_checked_;
}

// What is left of a job that is expected to work for `whole`.
Duration Auditor::left_of(JobId id, Duration whole, const Life& life) const {
  const auto least = machine_.min_planned;
  if (attempts_) return attempts_->left(id, whole, least, ran_of(life, id));
  const auto planned = std::max(whole, least);
  if (life.work == 0.0 || !law_->terms().guarantees_speed) return planned;
  return std::max(machine_.min_planned,
                  planned - static_cast<Duration>(std::llround(life.work)));
}

// Whether walltimes are of work.
bool Auditor::limits_work() const {
  const auto& speeds = law_->terms().speeds;
  return speeds && speeds->walltime_of == WalltimeOf::kWork;
}

const SpeedTerms* Auditor::speeds() const {
  const auto& all = law_->terms().speeds;
  return all ? &*all : nullptr;
}

// Where walltimes are of work, or checkpoints take time that does not count.
void Auditor::adjust(JobId id, const Life& life, WorkLimit& limit) const {
  if (attempts_) limit.most = attempts_->takes(id, job(id).walltime);
  if (!limits_work()) return;
  limit.ran = std::llround(life.work);
  limit.slack = std::llround(work_tolerance(limit.most) + life.rate);
}

Duration Auditor::planned_otherwise(JobId id, const Life& life) const {
  return attempts_ ? left_of(id, job(id).walltime, life) : planned_at_speed(id, life);
}

Duration Auditor::planned_at_speed(JobId id, const Life& life) const {
  const auto walltime = static_cast<double>(job(id).walltime);
  const double left = limits_work() ? (walltime - life.work) / fit_->speed(id)
                                    : walltime - static_cast<double>(life.ran);
  return std::max(machine_.min_planned, Duration{std::llround(std::max(0.0, left))});
}

// The plan of a job that waits is for its walltime, less what it has done.
WindowCheck::Wish Auditor::wish_of(JobId id) const {
  const auto& life = lives_[id];
  const bool resumes = states_[index(id)] == JobState::kSuspended;
  const auto planned = left_of(id, job(id).walltime, life);
  return {job(id).user, job(id).size,
          after(resumes ? machine_.migration_cost : 0, planned)};
}

void Auditor::ask_windows(sim::PassMode pass) {
  const bool is_by_event = pass == sim::PassMode::kEvent;
  windows_.emplace(machine_.life, machine_.processors,
                   Overruns{machine_.overrun_grace, machine_.overrun_growth},
                   is_by_event ? machine_.min_planned : 0);
  ranges_ = host_ranges(machine_.processors, machine_.resources);
  windows_->ask({ranges_, [this](JobId id) { return up_->held(id); }, fit_});
  head_.ask_first(
      [this](JobId id, Time last) { return windows_->shadow(id, wish_of(id), last); });
}

void Auditor::judge(const sim::WindowRecord& record) {
  require(windows_.has_value(), kWindows, std::nullopt, "this machine has no windows");
  require(windows_->note(record), std::nullopt);
  if (record.event == sim::WindowRecord::Event::kAnnounced) set_aside();
}

// There is less of the machine than the promises in force rest on.
void Auditor::set_aside() {
  if (promise_ == Promise::kEasy) head_.set_aside(now_);
  if (promise_ == Promise::kConservative) reservations_.set_aside(lateness());
}

// The work that the attempt begins with was done in earlier ones; what is more than its
// length lacks will go to checkpoints.
void Auditor::begin_attempt(JobId id, Life& life) {
  const auto length = job(id).length;
  life.work = static_cast<double>(length - attempts_->takes(id, length));
  lost_ -= life.work * static_cast<double>(job(id).size);
}

// `ran`: for so long the attempt that is hit, in which the job did `work`.
Verdict Auditor::judge_lost(const sim::HitRecord& record, Duration ran, double work) {
  if (attempts_) return attempts_->hit(record.who.id, record, ran);
  const double lost = static_cast<double>(record.lost);
  const bool is_right = std::abs(lost - work) <= 1.0 && record.lost == ran;
  if (is_right) return std::nullopt;
  return Fault{kAttempts, "what it lost is not what it did since it started last"};
}

// The job has left the machine.
Verdict Auditor::judge_attempt(JobId id, const JobEntry& entry, const Life& life) {
  if (life.is_hit) return attempts_->end_hit(id, entry);
  return attempts_->end(id, job(id), entry, ran_of(life, id));
}

void Auditor::judge(const sim::HostRecord& record) {
  require(up_.has_value(), kHostsUp, std::nullopt, "no host of this machine goes down");
  require(up_->note(record), std::nullopt);
  if (!record.is_up) set_aside();
  away_->note(record);
}

void Auditor::watch_hosts() {
  away_.emplace(jobs_.size(), head_, *up_, windows_);
  away_->watch({[this](const auto& record, auto place) { take_down(record, place); },
                [this](std::int32_t host) { bring_up(host); }});
}

void Auditor::take_down(const sim::HostRecord& record, std::uint32_t place) {
  const JobId system = away_->system_job(record.host);
  if (fit_ != nullptr) {
    if (by_place_.size() <= place) by_place_.resize(place + 1);
    by_place_[place] = system;
  }
  down_ = away_->processors();
  if (!asks_law_) return;
  const Placement there(IntervalSet(record.processors.first, record.processors.last));
  if (const auto fault = law_->start(system, &there, false)) {
    fail(kHostsUp, std::nullopt, fault->what);
  }
  used_ = law_->used() - down_;
}

void Auditor::bring_up(std::int32_t host) {
  down_ = away_->processors();
  if (!asks_law_) return;
  law_->leave(away_->system_job(host));
  used_ = law_->used() - down_;
}

// Whether the promise rests on what fits now alone, which is told.
bool Auditor::is_plain_while_draining() const {
  if (promise_ == Promise::kFirstIfItFits) return !windows_;
  return promise_ != Promise::kEasy && promise_ != Promise::kTopFirst;
}

// Hosts that drain have no room, though they are not all idle.
bool Auditor::fits_while_draining(JobId id, std::span<const JobId> gone) {
  const bool are_hosts = !machine_.resources.hosts.empty();
  const auto closed = are_hosts ? away_->draining() : std::vector<std::int32_t>();
  return fit_->fits_beside(id, gone, closed);
}

void Auditor::judge(const sim::MachineRecord& record) {
  if (const auto fault = law_->note(record)) {
    const auto who = record.who ? std::optional(record.who->id) : std::nullopt;
    fail(fault->rule, who, fault->what);
  }
  used_ = law_->used();
}

void Auditor::count_change(JobId id, Life& life, sim::ChangeRecord::Effect effect) {
  using Effect = sim::ChangeRecord::Effect;
  if (effect == Effect::kShares) return;
  auto& past = past_of(id, life);
  ++past.changes[static_cast<std::size_t>(effect)];
  if (effect != Effect::kRestarts) return;
  lost_ += life.work * static_cast<double>(job(id).size);
  past.lost += std::exchange(life.work, 0.0);
}

Excuses Auditor::excuses() const {
  auto all = head_.excuses();
  all.add(reservations_.excuses());
  return all;
}

}  // namespace berth::audit

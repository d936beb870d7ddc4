#include "engine/audit/life_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "engine/audit/host_check.hpp"
#include "engine/audit/hosts_away.hpp"
#include "engine/audit/limit_check.hpp"
#include "engine/audit/promises.hpp"
#include "engine/audit/told_estimates.hpp"
#include "engine/audit/window_check.hpp"
#include "engine/base/error.hpp"
#include "engine/hosts/machine_windows.hpp"

namespace berth::audit {

namespace {

constexpr Rule kEasy{{}, "easy"};

// Jobs without length hold nothing after their instant.
bool is_instant(const HeldSpan& hold) { return hold.to && *hold.to <= hold.from; }

struct LifeMoment {
  // In the order of one instant.
  enum class Step : std::uint8_t {
    kEnd,
    kMachine,
    kHit,
    kTaken,  // those that were hit have given up the hosts that go down
    kQueue,  // a job comes in, or back
    kInstant,
    kStart,
  };
  Time at;
  Step step;
  JobId job{0};
  std::size_t hold = 0;
  friend bool operator<(const LifeMoment& a, const LifeMoment& b) {
    return std::tie(a.at, a.step, a.job, a.hold) <
           std::tie(b.at, b.step, b.job, b.hold);
  }
};

// The stays of one job in the order of time.
using StaysOfJob = std::span<const Stay* const>;

// Makes the holds of a job of its stays.
class HoldMaker {
 public:
  HoldMaker(const LifeRules& rules, std::vector<HeldSpan>& to)
      : rules_(rules), to_(to) {}

  void make(const Job& job, StaysOfJob stays, const Scheduled* row) {
    const Duration planned = job.planned(rules_.min_planned);
    const auto first = to_.size();
    Duration worked = 0;
    for (std::size_t i = 0; i < stays.size(); ++i) {
      const auto& stay = *stays[i];
      const auto* before = i == 0 ? nullptr : stays[i - 1];
      if (stay.doing == Doing::kSuspended) {
        if (to_.size() > first) to_.back().end = HeldSpan::End::kSuspended;
        continue;
      }
      const bool is_anew =
          rules_.life.has_events() && before != nullptr && begins_anew(*before, stay);
      if (is_anew) worked = 0;
      const bool goes_on = before != nullptr && !is_anew &&
                           before->doing != Doing::kSuspended && to_.size() > first;
      if (!goes_on) add(stay, to_.size() == first, left(planned, worked, before));
      if (is_anew) lose(to_.size() - 2);
      if (stay.doing == Doing::kRunning && stay.to) worked += *stay.to - stay.from;
      to_.back().to = stay.to;
      to_.back().worked = worked;
    }
    const bool fails = row != nullptr && row->state == Stated::kHostFailed;
    if (fails && to_.size() > first) to_.back().end = HeldSpan::End::kHit;
  }

 private:
  // From the start on; a job that resumes is frozen first.
  [[nodiscard]] Duration left(Duration planned, Duration worked,
                              const Stay* before) const {
    const bool resumes = before != nullptr && before->doing == Doing::kSuspended;
    const auto still =
        worked == 0 ? planned : std::max(rules_.min_planned, planned - worked);
    return after(resumes ? rules_.migration_cost : 0, still);
  }
  void add(const Stay& stay, bool is_first, Duration planned) {
    HeldSpan hold{.job = stay.job, .from = stay.from};
    hold.is_first = is_first;
    hold.planned = planned;
    hold.processors = set_of(stay);
    to_.push_back(std::move(hold));
  }
  // The one before the last was hit, and returned before the last began.
  void lose(std::size_t which) {
    auto& hold = to_[which];
    hold.end = HeldSpan::End::kHit;
    const Time at = hold.to.value_or(hold.from);
    hold.back = std::min(after(at, rules_.life.requeue_delay), to_.back().from);
  }

  const LifeRules& rules_;
  std::vector<HeldSpan>& to_;
};

bool comes_in(const Scheduled& row, const Job& job, const LifeRules& rules) {
  const bool is_out = row.state == Stated::kRejected && !row.start;
  return !is_out && job.size <= rules.processors;
}

HeldSpan hold_of(const Scheduled& row, const Job& job, const LifeRules& rules) {
  HeldSpan hold{.job = row.job, .from = *row.start};
  hold.to = row.end;
  if (row.state == Stated::kHostFailed) hold.end = HeldSpan::End::kHit;
  hold.planned = job.planned(rules.min_planned);
  if (row.end) hold.worked = *row.end - *row.start;
  if (row.processors) hold.processors = *row.processors;
  return hold;
}

class LifeChecker {
 public:
  LifeChecker(std::span<const Job> jobs, std::span<const Scheduled> rows,
              const HeldSchedule& schedule, const LifeRules& rules)
      : jobs_(jobs),
        rows_(rows),
        schedule_(schedule),
        rules_(rules),
        hosts_(rules.life),
        head_(rules.processors, {}, Instants::kWhole),
        away_(jobs.size(), head_, hosts_, windows_) {
    if (rules.life.windows != nullptr) {
      windows_.emplace(rules.life, rules.processors, rules.overruns);
      windows_->ask({rules.hosts, [this](JobId id) { return hosts_.held(id); }});
      head_.ask_first([this](JobId id, Time last) {
        return windows_->shadow(id, wish_of(id), last);
      });
    }
    if (rules.limits == nullptr) return;
    limits_.emplace(rules.limits, false);
    head_.ask_head([this] { shown_.settle(*limits_, jobs_, now_, head_); });
  }

  ScheduleReport run() {
    if (rules_.life.has_events()) judge_attempts();
    for (const auto& moment : moments()) {
      if (moment.at != now_) {
        close_instant();
        come_to(moment.at);
      }
      apply(moment);
    }
    close_instant();
    const auto last = now_;
    come_to(kNever);
    now_ = last;  // what never happens is known by then
    judge_left_over();
    report_.excuses.add(head_.excuses());
    return std::move(report_);
  }

 private:
  using Step = LifeMoment::Step;
  struct RunningHold {
    const HeldSpan* hold;
    std::uint32_t place;
    bool is_on_hosts;  // by L2; one that breaks it holds none
  };

  [[nodiscard]] const Job& job(JobId id) const { return jobs_[index(id)]; }
  [[nodiscard]] WindowCheck::Wish wish_of(JobId id) const {
    return {job(id).user, job(id).size, job(id).planned(rules_.min_planned)};
  }
  // What orders a job that enters the queue now.
  [[nodiscard]] double key_of(JobId id) const {
    const bool is_by_entry =
        rules_.life.has_events() && rules_.life.requeue_place == RequeuePlace::kLose;
    if (!is_by_entry) return 0;
    const auto at = entered_.find(id);
    return static_cast<double>(at == entered_.end() ? now_ : at->second);
  }

  // --- what happens when ---

  [[nodiscard]] std::vector<LifeMoment> moments() const {
    std::vector<LifeMoment> all;
    all.reserve(schedule_.queued.size() + 3 * schedule_.holds.size());
    std::map<JobId, Time> first;
    for (std::size_t i = 0; i < schedule_.holds.size(); ++i) {
      const auto& hold = schedule_.holds[i];
      if (hold.is_first) first.emplace(hold.job, hold.from);
      const auto step = is_instant(hold) ? Step::kInstant : Step::kStart;
      all.push_back({hold.from, step, hold.job, i});
      if (hold.back) all.push_back({*hold.back, Step::kQueue, hold.job, 0});
      if (!hold.to || is_instant(hold)) continue;
      const bool is_hit = hold.end == HeldSpan::End::kHit;
      all.push_back({*hold.to, is_hit ? Step::kHit : Step::kEnd, hold.job, i});
    }
    // A job that starts too early is taken to be submitted then: one mistake, one
    // violation.
    for (const JobId id : schedule_.queued) {
      const auto at = first.find(id);
      const Time in = job(id).submit;
      all.push_back(
          {at == first.end() ? in : std::min(in, at->second), Step::kQueue, id, 0});
    }
    Time last = -kNever;
    for (const auto& moment : all) last = std::max(last, moment.at);
    for (const Time at : instants_of_machine()) {
      if (at > last) break;
      all.push_back({at, Step::kMachine});
      all.push_back({at, Step::kTaken});
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  [[nodiscard]] std::vector<Time> instants_of_machine() const {
    std::vector<Time> all;
    if (rules_.life.events != nullptr) {
      all.reserve(rules_.life.events->size());
      for (const auto& event : *rules_.life.events) all.push_back(event.at);
    }
    if (rules_.life.windows != nullptr) {
      for (const auto& window : *rules_.life.windows) {
        all.insert(all.end(), {window.from, window.to});
        if (window.announced != -kNever) all.push_back(window.announced);
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  void come_to(Time now) {
    // What it finds happened at the instant before.
    note(kHostsUp, hosts_.come_to(now), std::nullopt);
    if (windows_) note(kWindows, windows_->come_to(now), std::nullopt);
    now_ = now;
  }

  void apply(const LifeMoment& moment) {
    switch (moment.step) {
      case Step::kEnd: return end(moment.job, false);
      case Step::kMachine: return change_machine();
      case Step::kHit: return end(moment.job, true);
      case Step::kTaken: return lose_hosts();
      case Step::kQueue: return join(moment.job);
      case Step::kInstant:
      case Step::kStart: pending_.push_back(moment.hold); return start_pending(false);
    }
  }

  // --- the machine ---

  void change_machine() {
    using Change = sim::WindowRecord::Event;
    using Kind = HostEvent::Kind;
    change_windows(Change::kEnds);
    change_hosts(Kind::kUp);
    change_windows(Change::kAnnounced);
    change_windows(Change::kBegins);
    change_hosts(Kind::kDrain);
    change_hosts(Kind::kDown);
  }

  void change_windows(sim::WindowRecord::Event change) {
    using Change = sim::WindowRecord::Event;
    if (!windows_) return;
    for (const auto& window : *rules_.life.windows) {
      const Time at = change == Change::kEnds        ? window.to
                      : change == Change::kAnnounced ? window.announced
                                                     : window.from;
      if (at != now_) continue;
      note(kWindows, windows_->note({now_, change, &window}), std::nullopt);
      if (change == Change::kAnnounced && rules_.easy) head_.set_aside(now_);
    }
  }

  // The events are sorted, those of one instant by kind.
  void change_hosts(HostEvent::Kind kind) {
    using Kind = HostEvent::Kind;
    if (rules_.life.events == nullptr) return;
    const auto& events = *rules_.life.events;
    for (; next_event_ < events.size(); ++next_event_) {
      const auto& event = events[next_event_];
      if (event.at != now_ || event.kind != kind) return;
      const auto processors = rules_.hosts[static_cast<std::size_t>(event.host)];
      const sim::HostRecord record{
          now_,        now_,       event.host,          kind == Kind::kUp,
          event.until, processors, kind == Kind::kDrain};
      note(kHostsUp, hosts_.note(record), std::nullopt);
      if (!record.is_up && rules_.easy) head_.set_aside(now_);
      away_.note(record);
    }
  }

  void lose_hosts() {
    if (!hosts_.is_owed()) return;
    for (auto& [id, each] : running_) {
      if (!hosts_.is_owed(id)) continue;
      note(kHostsUp,
           Fault{kHostsUp, "it goes on over the loss of a host that it holds"}, id);
      (void)hosts_.leave(id, false);
      each.is_on_hosts = false;
    }
    away_.settle();
  }

  // --- jobs ---

  void join(JobId id) {
    const double key = key_of(id);
    entered_[id] = now_;
    if (!limits_) return void(head_.join(id, key, job(id).size));
    limits_->join(id, job(id), key, JobState::kWaiting);
    head_.look_again();
  }

  // A start among others of the instant may make room for one without length, and take
  // it; a job that borrows may start behind those that claim what is theirs.
  [[nodiscard]] bool waits(const HeldSpan& hold) const {
    const JobId id = hold.job;
    if (!limits_ || !entered_.contains(id)) return false;
    return is_instant(hold) ? !limits_->shows(id, job(id), key_of(id))
                            : limits_->borrows_only(id, job(id));
  }

  void start_pending(bool all) {
    for (std::size_t at = 0; at < pending_.size();) {
      const auto& hold = schedule_.holds[pending_[at]];
      if (!all && waits(hold)) {
        ++at;
        continue;
      }
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(at));
      start(hold);
      at = 0;  // what it changed may let others start
      if (!is_instant(hold)) continue;
      end(hold.job, false);
      last_instant_ = now_;
    }
  }

  void start(const HeldSpan& hold) {
    const JobId id = hold.job;
    if (rules_.easy) {
      if (const auto late = head_.judge_start(id, now_)) report_late(*late);
    }
    leave_queue(id);
    RunningHold made{&hold, head_.start(job(id).size, expected_end(hold)), false};
    if (rules_.life.has_events()) {
      const auto on_hosts = hosts_.start(id, Placement(hold.processors));
      if (rules_.life.events != nullptr) note(kHostsUp, on_hosts, id);
      made.is_on_hosts = !on_hosts;
    }
    if (windows_) {
      note(kWindows, windows_->start(id, {job(id).user, job(id).size, hold.planned}),
           id);
    }
    running_.emplace(id, made);
  }

  // Promises go by what the policy expects.
  [[nodiscard]] Time expected_end(const HeldSpan& hold) const {
    const auto told = estimate_at(rules_.estimates, hold.job, now_);
    const auto expected = std::max(rules_.min_planned, told.value_or(kNever));
    return after(now_, std::min(hold.planned, expected));
  }

  void leave_queue(JobId id) {
    const double key = key_of(id);
    entered_.erase(id);
    if (!limits_) return head_.leave(id, key);
    const auto first = limits_->head(jobs_);
    // What a job without length held for the instant may have ended a claim.
    const bool is_open = last_instant_ == now_ && limits_->borrows_only(id, job(id));
    const auto verdict = limits_->start(id, job(id), key, now_);
    note(kLimits, is_open ? std::nullopt : verdict, id);
    limits_->leave(id, job(id), key, now_);
    head_.look_again();
    const bool bars_first = first && first->job != id &&
                            !limits_->shows(first->job, job(first->job), first->key);
    if (bars_first) limits_->ease(now_);
  }

  void end(JobId id, bool is_hit) {
    const auto at = running_.find(id);
    if (at == running_.end()) return;
    const auto running = at->second;
    running_.erase(at);
    if (is_hit) head_.hit(running.place, now_);
    head_.stop(running.place, now_);
    if (limits_) {
      limits_->stop(id, job(id));
      head_.look_again();
    }
    if (running.is_on_hosts) {
      const bool is_by_window = windows_ && !hosts_.is_owed(id) && windows_->hits(id);
      const auto hit = hosts_.leave(id, is_hit && !is_by_window);
      if (is_hit) note(kHostsUp, hit, id);
    }
    if (windows_) windows_->leave(id);
    away_.settle();
  }

  // --- what is found ---

  // Judges an instant, all changes of which are made.
  void close_instant() {
    start_pending(true);
    if (!rules_.easy || now_ == -kNever) return;
    // What is expected of a host that drains under jobs is not derived.
    if (away_.any_drains()) return head_.forgive();
    const auto broken = head_.judge(now_);
    report_.checked["easy"] = head_.judged();
    // It is not known when the scheduler of a foreign schedule expects a late job to
    // end.
    if (head_.any_late()) head_.forgive();
    if (!broken) return;
    report_.note(kEasy, false, now_, job(broken->head).id, [&] {
      return fmt::format("head of the queue, it could have started at {}, now at {}",
                         seconds_text(broken->promised), seconds_text(broken->now));
    });
    head_.forgive();
  }

  void report_late(const HeadPromise::Broken& broken) {
    report_.note(kEasy, false, now_, job(broken.head).id, [&] {
      const auto when = broken.now == kNever ? std::string("never starts")
                                             : "starts at " + seconds_text(broken.now);
      return fmt::format("head of the queue, it could have started at {}, and {}",
                         seconds_text(broken.promised), when);
    });
  }

  void judge_left_over() {
    if (limits_) note(kLimits, limits_->finish(), std::nullopt);
    const auto* head = rules_.easy ? head_.head() : nullptr;
    if (head == nullptr) return;
    if (const auto late = head_.judge_start(head->job, kNever)) report_late(*late);
  }

  // L5.
  void judge_attempts() {
    std::size_t at = 0;
    std::map<JobId, std::span<const HeldSpan>> by_job;
    while (at < schedule_.holds.size()) {
      const auto first = at;
      const JobId id = schedule_.holds[first].job;
      while (at < schedule_.holds.size() && schedule_.holds[at].job == id) ++at;
      const auto all = std::span(schedule_.holds).subspan(first, at - first);
      by_job.emplace(id, all);
      judge_hits(id, all);
    }
    for (const auto& row : rows_) {
      const auto found = by_job.find(row.job);
      if (found != by_job.end()) judge_account(row, found->second);
    }
  }

  void judge_hits(JobId id, std::span<const HeldSpan> holds) {
    const auto& life = rules_.life;
    std::int64_t hits = 0;
    for (const auto& hold : holds) {
      if (hold.end != HeldSpan::End::kHit) continue;
      const bool fails =
          life.on_failure == OnFailure::kKill || ++hits >= life.max_attempts;
      const Time at = hold.to.value_or(hold.from);
      judge_attempt(fails == !hold.back, at, id,
                    "whether it fails is not what the machine says of a job that is "
                    "hit");
      if (!hold.back) continue;
      judge_attempt(*hold.back == after(at, life.requeue_delay), at, id,
                    "it starts again before it has returned to the queue");
    }
  }

  void judge_account(const Scheduled& row, std::span<const HeldSpan> holds) {
    std::int64_t attempts = 1;
    Duration lost = 0;
    for (const auto& hold : holds) {
      if (hold.end != HeldSpan::End::kHit) continue;
      attempts += hold.back ? 1 : 0;
      lost += hold.worked;
    }
    // What a walltime killed is lost, too.
    if (row.state == Stated::kKilled) lost += holds.back().worked;
    if (row.attempts) {
      judge_attempt(*row.attempts == attempts, holds.front().from, row.job,
                    "it had another number of attempts than its row says");
    }
    if (row.lost) {
      judge_attempt(*row.lost == lost, holds.front().from, row.job,
                    "it lost other work than its row says");
    }
  }

  void judge_attempt(bool holds, Time at, JobId id, std::string_view what) {
    report_.note(kAttempts, holds, at, job(id).id, [&] { return what; });
  }

  void note(const Rule& rule, const Verdict& verdict, std::optional<JobId> who) {
    // A check that concerns no job counts only where it fails.
    if (!verdict && !who) return;
    const auto id = who ? std::optional(job(*who).id) : std::nullopt;
    report_.note(rule, !verdict, now_, id, [&] { return verdict->what; });
  }

  std::span<const Job> jobs_;
  std::span<const Scheduled> rows_;
  const HeldSchedule& schedule_;
  const LifeRules& rules_;
  ScheduleReport report_;
  Time now_ = -kNever;
  HostCheck hosts_;
  std::optional<WindowCheck> windows_;
  std::optional<LimitCheck> limits_;
  ShownHead shown_;
  HeadPromise head_;
  HostsAway away_;
  std::map<JobId, RunningHold> running_;
  std::map<JobId, Time> entered_;     // of those in the queue
  std::vector<std::size_t> pending_;  // holds of this instant
  Time last_instant_ = -kNever;       // a job without length started then
  std::size_t next_event_ = 0;
};

}  // namespace

HeldSchedule held_by_rows(std::span<const Job> jobs, std::span<const Scheduled> rows,
                          const LifeRules& rules) {
  HeldSchedule held;
  held.queued.reserve(rows.size());
  held.holds.reserve(rows.size());
  for (const auto& row : rows) {
    const auto& job = jobs[index(row.job)];
    if (!comes_in(row, job, rules)) continue;
    held.queued.push_back(row.job);
    if (row.start) held.holds.push_back(hold_of(row, job, rules));
  }
  return held;
}

HeldSchedule held_by_stays(std::span<const Job> jobs, std::span<const Scheduled> rows,
                           std::span<const Stay> stays, const LifeRules& rules) {
  std::vector<const Stay*> sorted;
  sorted.reserve(stays.size());
  for (const auto& stay : stays) sorted.push_back(&stay);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return std::tie(a->job, a->from) < std::tie(b->job, b->from);
  });
  std::vector<const Scheduled*> by_job(jobs.size());
  for (const auto& row : rows) by_job[index(row.job)] = &row;
  HeldSchedule held;
  HoldMaker maker(rules, held.holds);
  std::size_t at = 0;
  for (std::uint32_t number = 0; number < jobs.size(); ++number) {
    const auto first = at;
    while (at < sorted.size() && index(sorted[at]->job) == number) ++at;
    const auto all = StaysOfJob(sorted).subspan(first, at - first);
    const auto* row = by_job[number];
    const auto& job = jobs[number];
    const bool is_in = row == nullptr ? !all.empty() : comes_in(*row, job, rules);
    if (!is_in || job.size > rules.processors) continue;
    held.queued.push_back(JobId{number});
    if (!all.empty()) {
      maker.make(job, all, row);
    } else if (row != nullptr && row->start && row->end == row->start) {
      held.holds.push_back(hold_of(*row, job, rules));
    }
  }
  return held;
}

ScheduleReport check_life(std::span<const Job> jobs, std::span<const Scheduled> rows,
                          const HeldSchedule& schedule, const LifeRules& rules) {
  return LifeChecker(jobs, rows, schedule, rules).run();
}

}  // namespace berth::audit

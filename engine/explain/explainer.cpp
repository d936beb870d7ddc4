#include "engine/explain/explainer.hpp"

#include <algorithm>

#include "engine/sim/simulation.hpp"

namespace berth {

namespace {

constexpr std::size_t kMostTakers = 8;

bool is_same(const Reason& a, const Reason& b) {
  if (a.why != b.why || a.kind != b.kind || a.text != b.text) return false;
  const bool may_fit_later = is_about_room(a.why) && a.why != Why::kTooBig;
  return may_fit_later || a.blocker == b.blocker;
}

void note_remedies(ReasonLine& line, const Reason& reason, Time at) {
  if (reason.size) {
    if (!line.first_size) line.first_size = {*reason.size, at};
    if (!line.size || line.size->value < *reason.size) line.size = {*reason.size, at};
  }
  const bool is_longer =
      reason.walltime && (!line.walltime || line.walltime->value < *reason.walltime);
  if (is_longer) line.walltime = {*reason.walltime, at};
}

void note_takers(ReasonLine& line, const Reason& reason) {
  if (reason.why != Why::kNoRoom) return;
  for (const auto& each : reason.others) {
    if (each.behind && line.taken_by.size() < kMostTakers) {
      line.taken_by.push_back(each.job);
    }
  }
}

// What let a job start beside a plan of the pass.
std::optional<std::pair<JobId, bool>> admission(const sim::Simulation& simulation,
                                                JobId job) {
  const auto& world = simulation.world();
  const auto* entry = world.jobs().find(job);
  if (entry == nullptr || entry->planned_end == kNever) return std::nullopt;
  for (const auto& plan : simulation.plans().all()) {
    if (plan.job == job) continue;
    return std::pair(plan.job, entry->planned_end <= plan.start);
  }
  return std::nullopt;
}

}  // namespace

Explainer::Explainer(const sim::Policy& policy, ExplainWhat what)
    : what_(std::move(what)),
      notes_(what_.in_detail.empty() ? nullptr : &policy),
      left_(what_.in_detail.size()) {
  std::sort(what_.in_detail.begin(), what_.in_detail.end());
}

bool Explainer::is_in_detail(JobId job) const {
  return std::binary_search(what_.in_detail.begin(), what_.in_detail.end(),
                            as_named(job));
}

bool Explainer::is_counted(JobId job) const {
  if (!what_.sample) return what_.all;
  return std::binary_search(what_.sample->begin(), what_.sample->end(), as_named(job));
}

Explainer::Waiting* Explainer::find(JobId job) {
  const auto at = std::lower_bound(
      waiting_.begin(), waiting_.end(), job,
      [](const Waiting& each, JobId wanted) { return each.job < wanted; });
  return at == waiting_.end() || at->job != job ? nullptr : &*at;
}

bool Explainer::wants_spare_pass() const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [](const Waiting& each) { return each.in_detail(); });
}

// --- what happens ---

void Explainer::on(const sim::SubmitRecord& record) {
  const JobId job = record.who.id;
  if (is_in_detail(job)) {
    auto& explained =
        jobs_.try_emplace(jobs_.end(), job)->second;  // they come by number
    explained.job = job;
    explained.submitted = record.at;
    follow(job, &explained, true);
  } else if (is_counted(job)) {
    follow(job, nullptr, true);
  }
}

void Explainer::follow(JobId job, ExplainedJob* explained, bool counts) {
  const auto behind = [](const Waiting& each, JobId wanted) {
    return each.job < wanted;
  };
  const auto at = std::lower_bound(waiting_.begin(), waiting_.end(), job, behind);
  waiting_.insert(at, {job, explained, counts});
}

void Explainer::on(const sim::RejectRecord& record) {
  auto* waiting = find(record.who.id);
  if (waiting == nullptr) return;
  close(*waiting, record.at);
  if (waiting->in_detail()) {
    auto& explained = *waiting->explained;
    explained.fate = ExplainedJob::Fate::kRejected;
    explained.rejected_by_machine = record.by_machine;
    if (record.by_links) explained.rejected_by = "a dependency";
    if (record.by_limit) explained.rejected_by = "a limit";
    explained.rejected_because = record.because;
    explained.ended = record.at;
    --left_;
  }
  forget(*waiting);
}

void Explainer::on(const sim::StartRecord& record) {
  const JobId job = record.who.id;
  notes_.started(job);
  if (!record.because.empty()) words_[job] = record.because;
  auto* waiting = find(job);
  if (waiting == nullptr) return;
  close(*waiting, record.at);
  if (waiting->in_detail()) {
    auto& explained = *waiting->explained;
    explained.fate = ExplainedJob::Fate::kStarted;
    if (!explained.begin) explained.begin = BeginOfJob{record.at};
  }
  forget(*waiting);
}

void Explainer::on(const sim::SuspendRecord& record) {
  notes_.suspended(record.who.job->size);
  const JobId job = record.who.id;
  if (is_in_detail(job)) follow(job, &jobs_.at(job), false);
}

void Explainer::on(const sim::HitRecord& record) {
  const JobId job = record.who.id;
  if (!record.returns || *record.returns == record.at || !is_in_detail(job)) return;
  Reason reason{.why = Why::kBegin};
  reason.asked = record.who.job->size;
  reason.at = record.returns;
  jobs_.at(job).lines.push_back({record.at, *record.returns, 0, reason, reason, 0, 0});
}

void Explainer::on(const sim::ReturnRecord& record) {
  const JobId job = record.who.id;
  if (is_in_detail(job)) follow(job, &jobs_.at(job), false);
}

void Explainer::on(const sim::EndRecord& record) {
  const JobId job = record.who.id;
  if (is_in_detail(job)) {
    jobs_.at(job).ended = record.at;
    --left_;
  }
  for (const auto& each : waiting_) {
    if (!each.in_detail()) continue;
    for (auto& other : each.explained->overtakers) {
      if (other.job == job) other.ended = record.at;
    }
  }
}

void Explainer::finish(Time at) {
  for (auto& each : waiting_) {
    close(each, at);
    keep_times(each);
  }
  waits_.sort();
}

void Explainer::keep_times(Waiting& waiting) {
  if (waiting.counts && is_counted(waiting.job)) {
    waits_.add(waiting.job, waiting.all_times());
  }
}

void Explainer::forget(Waiting& waiting) {
  keep_times(waiting);
  waiting_.erase(waiting_.begin() + (&waiting - waiting_.data()));
}

// --- what is asked ---

void Explainer::shown(const sim::Simulation& simulation, std::size_t order,
                      const Place& place) {
  notes_.shown(simulation, order, place);
}

void Explainer::ended(const sim::Simulation& simulation, std::size_t order,
                      sim::SelectionEnd how, const Place* at) {
  notes_.ended(simulation, order, how, at);
}

void Explainer::refused(const sim::Simulation& simulation, JobId job, Refusal why) {
  notes_.refused(simulation, job, why);
}

void Explainer::passed(const sim::Simulation& simulation, sim::PassKind) {
  notes_.close(simulation);
  const Time now = simulation.world().now();
  Judge judge(simulation, notes_);
  for (auto& each : waiting_) {
    this->judge(judge, each, now);
    if (each.in_detail()) note_overtakers(simulation, each);
  }
  note_begins(simulation);
  notes_.clear();
  words_.clear();
}

// A job in detail has its own reason in each pass; of the others only a change counts.
void Explainer::judge(Judge& judge, Waiting& waiting, Time now) const {
  if (waiting.in_detail()) {
    close(waiting, now);
    waiting.reason = std::make_unique<Reason>(judge.reason(waiting.job));
    waiting.brief = {waiting.reason->why, waiting.reason->blocker};
  } else {
    const auto brief = judge.brief(waiting.job);
    if (waiting.passes > 0 && brief == waiting.brief) {
      ++waiting.passes;
      return;
    }
    close(waiting, now);
    waiting.brief = brief;
  }
  waiting.passes = 1;
  waiting.since = now;
}

void Explainer::note_overtakers(const sim::Simulation& simulation,
                                const Waiting& waiting) {
  const auto order = simulation.world().traits().default_order;
  const auto own = simulation.place(waiting.job, order);
  for (const JobId each : notes_.all_started()) {
    if (!(own < simulation.place(each, order))) continue;
    const auto& asked = simulation.world().jobs().job(each);
    Overtaker other{each, simulation.world().now(), asked.size, {}};
    const auto words = words_.find(each);
    if (words != words_.end()) {
      other.because = words->second;
    } else if (const auto how = admission(simulation, each)) {
      other.because = how->second ? "ends in time" : "uses what is spare";
    }
    waiting.explained->overtakers.push_back(std::move(other));
  }
}

void Explainer::note_begins(const sim::Simulation& simulation) {
  for (const JobId job : notes_.all_started()) {
    if (!is_in_detail(job)) continue;
    auto& begin = jobs_.at(job).begin;
    if (begin->at != simulation.world().now()) continue;  // it resumed
    const auto words = words_.find(job);
    if (words != words_.end()) begin->because = words->second;
    if (const auto how = admission(simulation, job)) {
      begin->beside = how->first;
      begin->in_time = how->second;
    }
  }
}

// --- what is kept ---

// The reason of the passes before held until now.
void Explainer::close(Waiting& waiting, Time at) const {
  if (waiting.passes == 0) return;
  if (waiting.counts) add_time(waiting, at);
  waiting.passes = 0;
  if (!waiting.in_detail()) return;
  add_line(waiting, at);
  if (!is_about_room(waiting.brief.why)) return;
  for (auto& other : waiting.explained->overtakers) {
    if (other.ended && *other.ended < at) continue;
    const auto held = std::min<std::int64_t>(other.size, waiting.reason->asked);
    other.processor_time += Int128{held} * (at - waiting.since);
  }
}

void Explainer::add_time(Waiting& waiting, Time at) {
  const auto& [why, blocker] = waiting.brief;
  auto& times = waiting.all_times();
  auto found = std::lower_bound(
      times.begin(), times.end(), why,
      [](const ReasonTime& each, Why wanted) { return each.why < wanted; });
  if (found == times.end() || found->why != why) {
    found = times.insert(found, {why, 0, 0, waiting.since, at});
  }
  found->passes += waiting.passes;
  found->time += at - waiting.since;
  found->last = at;
  if (!blocker || at == waiting.since) return;
  auto& blockers = found->blockers;
  const auto same = std::find_if(
      blockers.begin(), blockers.end(),
      [job = *waiting.brief.blocker](const auto& each) { return each.first == job; });
  if (same == blockers.end()) {
    blockers.emplace_back(*blocker, at - waiting.since);
  } else {
    same->second += at - waiting.since;
  }
}

void Explainer::add_line(const Waiting& waiting, Time at) const {
  const auto& reason = *waiting.reason;
  auto& lines = waiting.explained->lines;
  const bool goes_on = !what_.each_pass && !lines.empty() &&
                       lines.back().to == waiting.since &&
                       is_same(lines.back().last, reason);
  if (!goes_on) {
    lines.push_back({waiting.since, at, 0, reason, reason, reason.idle, reason.idle});
  }
  auto& line = lines.back();
  line.to = at;
  ++line.passes;
  line.last = reason;
  line.idle_least = std::min(line.idle_least, reason.idle);
  line.idle_most = std::max(line.idle_most, reason.idle);
  note_takers(line, reason);
  note_remedies(line, reason, waiting.since);
}

}  // namespace berth

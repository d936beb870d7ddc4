#include "engine/metrics/run_metrics.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

namespace berth {

namespace {

// The share of one job in the hash of a schedule, a sum.
std::uint64_t schedule_share(std::int64_t id, Time start, Time end) {
  const auto of_start =
      mix_bits(static_cast<std::uint64_t>(id)) + static_cast<std::uint64_t>(start);
  return mix_bits(mix_bits(of_start) + static_cast<std::uint64_t>(end));
}

}  // namespace

RunMetrics::RunMetrics(std::span<const Job> jobs, const Window& window,
                       const MetricOptions& options, const MachineMeasure* measure)
    : options_(options), integrals_(window), measure_(measure) {
  gathered_.window = window;
  gathered_.outcomes = Outcomes(jobs);
}

void RunMetrics::finish(Time at) {
  move_to(at);
  close_instant();
  if (gathered_.window.end) gathered_.totals = integrals_.totals();
}

Summary RunMetrics::summary() const { return summarise(gathered_, options_); }

void RunMetrics::on(const sim::SubmitRecord& record) {
  move_to(record.at);
  const auto& [id, job, entry] = record.who;
  ++gathered_.jobs.submitted;
  if (!gathered_.first_submit) gathered_.first_submit = record.at;
  gathered_.last_submit = record.at;
  gathered_.offered += Int128{job->size} * job->length;
  ++gathered_.offered_jobs;
  if (record.recorded) {
    ++gathered_.released;
    gathered_.held += std::max(Duration{0}, record.at - *record.recorded);
  }
  if (gathered_.measures(id)) {
    ++gathered_.measured.submitted;
    if (!gathered_.first_measured) gathered_.first_measured = record.at;
  }
  active_.open(id);
  queue_.enter(*job);
}

void RunMetrics::on(const sim::RejectRecord& record) {
  move_to(record.at);
  const auto& [id, job, entry] = record.who;
  auto& jobs = gathered_.jobs;
  ++(record.never_fits   ? jobs.rejected_never_fits
     : record.by_machine ? jobs.rejected_by_machine
     : record.by_links   ? jobs.rejected_by_dependency
     : record.by_limit   ? jobs.rejected_by_limit
                         : jobs.rejected_by_policy);
  const bool is_too_wide = record.by_machine && !record.never_fits;
  if (is_too_wide || record.by_links ||
      record.by_limit) {  // never offered to the machine
    gathered_.offered -= Int128{job->size} * job->length;
    --gathered_.offered_jobs;
  }
  if (gathered_.measures(id)) ++gathered_.measured.rejected;
  queue_.leave(*job);
  active_.close(id);
}

void RunMetrics::on(const sim::StartRecord& record) {
  move_to(record.at);
  queue_.leave(*record.who.job);
  if (record.resumed) {
    ++gathered_.counts.resumes;
  } else {
    gathered_.started += record.who.entry->was_hit ? 0 : 1;
    starts_.push_back({record.key, record.who.id});
  }
  hold(record.who, record.placement);
  run_at(record.who, record.frozen_until > record.at ? 0.0 : record.rate);
}

void RunMetrics::on(const sim::ChangeRecord& record) {
  using Effect = sim::ChangeRecord::Effect;
  move_to(record.at);
  if (record.effect == Effect::kShares) return;
  const auto& who = record.who;
  release(who);
  if (record.effect == Effect::kRestarts) {
    auto& active = active_[who.id];
    gathered_.killed_work += who.job->size * active.work;
    active.work = 0.0;
  }
  hold(who, record.placement);
  run_at(who, record.rate);
}

void RunMetrics::on(const sim::SuspendRecord& record) {
  move_to(record.at);
  ++gathered_.counts.suspensions;
  release(record.who);
  queue_.enter(*record.who.job);
}

void RunMetrics::on(const sim::UnfreezeRecord& record) {
  move_to(record.at);
  run_at(record.who, record.who.entry->rate);
}

void RunMetrics::on(const sim::RateRecord& record) {
  move_to(record.at);
  run_at(record.who, record.rate);
}

void RunMetrics::on(const sim::EndRecord& record) {
  move_to(record.at);
  const auto& who = record.who;
  release(who);
  gathered_.schedule_hash +=
      schedule_share(who.job->id, who.entry->first_start, record.at);
  const bool killed = who.entry->state == JobState::kFailed;
  if (killed) gathered_.killed_work += who.job->size * killed_work(who);
  ++(killed ? gathered_.jobs.failed : gathered_.jobs.finished);
  if (killed) ++gathered_.counts.failures;
  const auto& window = gathered_.window;
  const bool inside =
      window.begin < record.at && (!window.end || record.at <= *window.end);
  if (!killed && inside) ++gathered_.finished_inside;
  if (gathered_.measures(who.id)) gathered_.last_end = record.at;
  gathered_.totals = integrals_.totals();
  count_leaving(who, record.at);
}

// What a job that fails has done; where jobs write checkpoints, in all its attempts.
double RunMetrics::killed_work(const sim::Subject& who) const {
  return options_.has_checkpoints ? who.entry->progress : active_[who.id].work;
}

void RunMetrics::on(const sim::LeftRecord& record) {
  move_to(record.at);
  ++gathered_.jobs.not_finished;
  count_leaving(record.who, record.at);
}

void RunMetrics::on(const sim::HitRecord& record) {
  move_to(record.at);
  const auto& who = record.who;
  auto& of_hosts = gathered_.of_hosts;
  ++(record.returns ? of_hosts.requeues : of_hosts.failed);
  of_hosts.lost += Int128{who.job->size} * record.lost;
  run_at(who, 0.0);
  auto lost = std::exchange(active_[who.id].work, 0.0);
  if (record.saved && record.saved->ran > 0) {
    // In the window, of all that the attempt did.
    lost *= static_cast<double>(record.lost) / static_cast<double>(record.saved->ran);
  }
  gathered_.killed_work += who.job->size * lost;
  if (record.returns) release(who);  // else it ends in the next record
}

void RunMetrics::on(const sim::ReturnRecord& record) {
  move_to(record.at);
  queue_.enter(*record.who.job);
}

void RunMetrics::on(const sim::CapacityRecord& record) {
  move_to(record.at);
  levels_.capacity = record.processors;
  if (gathered_.processors == 0) gathered_.processors = record.processors;
}

void RunMetrics::on(const sim::PassRecord& record) {
  ++gathered_.counts.passes;
  gathered_.counts.actions += record.actions;
  if (record.first) {
    gathered_.counts.backfilled_starts +=
        std::count_if(starts_.begin(), starts_.end(),
                      [&](const Place& start) { return *record.first < start; });
  }
  starts_.clear();
}

void RunMetrics::move_to(Time at) {
  if (now_ == at) return;
  if (now_) close_instant();
  const auto idle = levels_.capacity - levels_.held;
  const auto smallest = queue_.smallest();
  levels_.queue = static_cast<std::int64_t>(queue_.size());
  levels_.lost = smallest && *smallest <= idle ? idle : 0;
  integrals_.advance(at, levels_);
  now_ = at;
}

// Called when time moves on: all records of the instant are known then.
void RunMetrics::close_instant() {
  if (never_empty_since_) {
    longest_stretch_ = std::max(longest_stretch_, *now_ - *never_empty_since_);
  }
  if (queue_.size() == 0) {
    never_empty_since_.reset();
  } else if (!never_empty_since_) {
    never_empty_since_ = now_;
  }
  if (gathered_.last_submit != now_) return;
  gathered_.at_last_submit = {static_cast<std::int64_t>(queue_.size()),
                              queue_.backlog(), never_empty_since_, longest_stretch_};
}

void RunMetrics::run_at(const sim::Subject& who, double rate) {
  auto& active = active_[who.id];
  const auto span = integrals_.inside(active.since, *now_);
  active.work += active.rate * static_cast<double>(span);
  active.since = *now_;
  levels_.speed += active.weight * (rate - active.rate);
  active.rate = rate;
}

void RunMetrics::hold(const sim::Subject& who, const sim::PlacementOf& placement) {
  auto& weight = active_[who.id].weight;
  if (weight == 0.0) {
    const auto given = measure_ != nullptr ? measure_->weight(who.id) : std::nullopt;
    weight = given.value_or(who.job->size);
  }
  if (!options_.reads_placements) {
    levels_.held += who.job->size;
    return;
  }
  held_.take(who.id, *placement);
  levels_.held = held_.used();
}

void RunMetrics::release(const sim::Subject& who) {
  run_at(who, 0.0);
  if (!options_.reads_placements) {
    levels_.held -= who.job->size;
    return;
  }
  held_.release(who.id);
  levels_.held = held_.used();
}

void RunMetrics::count_leaving(const sim::Subject& who, Time at) {
  active_.close(who.id);
  const auto outcome = outcome_of(who, at);
  const auto& account = who.entry->account;
  gathered_.counts.kills += account.kills;
  gathered_.counts.migrations += account.migrations;
  gathered_.counts.swaps += account.swaps;
  if (outlived_walltime(*who.job, outcome)) ++gathered_.jobs.outlived_walltime;
  if (gathered_.measures(who.id)) {
    gathered_.frozen += outcome.frozen;
    gathered_.lost_work += lost_work(*who.entry);
  }
  gathered_.outcomes.add(outcome);
}

}  // namespace berth

#include "engine/metrics/outcomes.hpp"

#include <cmath>
#include <span>

#include "engine/base/error.hpp"

namespace berth {

namespace {

// On the machines on which jobs lose hosts they run at full speed, so the time in which
// a job ran is its work, or was spent on checkpoints.
void add_hits(const JobEntry& entry, Time at, JobOutcome& outcome) {
  auto ran = entry.progress;
  if (entry.state == JobState::kRunning) {
    ran += entry.rate * static_cast<double>(at - entry.settled);
  }
  outcome.hits = entry.account.kills;
  outcome.lost = entry.account.lost_work;
  outcome.failed_by_host = entry.state == JobState::kFailed && !entry.ends_at_limit;
  const auto on_machine =
      outcome.lost + std::llround(ran) + outcome.unlimited + outcome.frozen;
  outcome.again = outcome.service() - outcome.suspended - on_machine;
}

}  // namespace

JobOutcome outcome_of(const sim::Subject& who, Time at) {
  const auto& job = *who.job;
  const auto& entry = *who.entry;
  JobOutcome outcome;
  outcome.job = who.id;
  outcome.user = job.user;
  outcome.size = job.size;
  outcome.state = entry.state;
  outcome.length = job.length;
  outcome.response = at - job.submit;
  outcome.wait =
      entry.first_start == kNever ? outcome.response : entry.first_start - job.submit;
  outcome.suspended = entry.account.suspended;
  outcome.frozen = entry.account.frozen;
  outcome.unlimited = entry.account.unlimited;
  if (entry.state == JobState::kSuspended) outcome.suspended += at - entry.state_since;
  if (entry.state == JobState::kRunning && entry.frozen) {
    outcome.frozen += at - entry.state_since;
  }
  if (entry.was_hit) add_hits(entry, at, outcome);
  return outcome;
}

bool outlived_walltime(const Job& job, const JobOutcome& outcome) {
  if (outcome.state == JobState::kFailed) return !outcome.failed_by_host;
  const auto ran = outcome.running() - outcome.unlimited - outcome.lost;
  return job.walltime_given && ran > job.walltime;
}

Duration lost_work(const JobEntry& entry) {
  const bool killed = entry.state == JobState::kFailed;
  return entry.account.lost_work + (killed ? std::llround(entry.progress) : 0);
}

Outcomes::Outcomes(std::span<const Job> jobs) : jobs_(jobs) {
  order_.reserve(jobs.size());
  waits_.reserve(jobs.size());
}

void Outcomes::add(const JobOutcome& outcome) {
  BERTH_ASSERT(index(outcome.job) < jobs_.size());
  order_.push_back(outcome.job);
  if (outcome.wait >= 0) {
    JobOutcome undisturbed;
    read_undisturbed(outcome.job, outcome.wait, undisturbed);
    if (outcome == undisturbed) return waits_.push_back(outcome.wait);
  }
  waits_.push_back(~static_cast<Duration>(others_.size()));
  others_.push_back(outcome);
}

void Outcomes::renumber(std::span<const std::uint32_t> now) {
  for (auto& job : order_) job = JobId{now[index(job)]};
  for (auto& other : others_) other.job = JobId{now[index(other.job)]};
}

JobOutcome Outcomes::operator[](std::size_t index) const {
  JobOutcome outcome;
  read(index, outcome);
  return outcome;
}

void Outcomes::read(std::size_t index, JobOutcome& to) const {
  fetch_ahead(index);
  const Duration wait = waits_[index];
  if (wait >= 0) return read_undisturbed(order_[index], wait, to);
  to = others_[static_cast<std::size_t>(~wait)];
}

void OutcomeView::Iterator::find() {
  const auto& all = *view_->outcomes_;
  for (; index_ < all.size(); ++index_) {
    if (!view_->measures(all.job(index_))) continue;
    all.read(index_, shown_);
    if (view_->those_ == Those::kAll || shown_.state == JobState::kFinished) return;
  }
}

OutcomesByJob::OutcomesByJob(const OutcomeView& view)
    : outcomes_(&view.outcomes()), indices_(view.outcomes().jobs(), kNone) {
  for (auto at = view.begin(); at != view.end(); ++at) {
    indices_[index(at->job)] = static_cast<std::uint32_t>(at.index());
  }
}

std::optional<JobOutcome> OutcomesByJob::find(JobId job) const {
  if (index(job) >= indices_.size() || indices_[index(job)] == kNone) {
    return std::nullopt;
  }
  return (*outcomes_)[indices_[index(job)]];
}

}  // namespace berth

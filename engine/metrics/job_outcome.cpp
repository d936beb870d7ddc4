#include "engine/metrics/job_outcome.hpp"

#include <cmath>

namespace berth {

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
  outcome.background = entry.account.background;
  if (entry.state == JobState::kSuspended) outcome.suspended += at - entry.state_since;
  if (entry.state == JobState::kRunning && entry.frozen) {
    outcome.frozen += at - entry.state_since;
  }
  return outcome;
}

bool outlived_walltime(const Job& job, const JobOutcome& outcome) {
  if (outcome.state == JobState::kFailed) return true;
  return job.walltime_given && outcome.running() - outcome.background > job.walltime;
}

Duration lost_work(const JobEntry& entry) {
  const bool killed = entry.state == JobState::kFailed;
  return entry.account.lost_work + (killed ? std::llround(entry.progress) : 0);
}

}  // namespace berth

#include "engine/output/limit_watch.hpp"

#include <algorithm>

namespace berth {

void LimitWatch::come_to(Time now) {
  if (now == now_) return;
  close_instant();
  now_ = now;
}

void LimitWatch::on(const sim::StartRecord& record) {
  const auto& who = record.who;
  come_to(record.at);
  counts_.hold(counts_.set_of(*who.job), who.job->size);
  note_changes();
  leave(who.id, record.at);
}

void LimitWatch::enter(const sim::Subject& who, Time at) {
  come_to(at);
  const Set set = counts_.set_of(*who.job);
  waiting_.emplace(who.id, WatchedJob{who.job, set});
  members_[set].insert(who.id);
  counts_.wait(set, who.id, who.job->size);
  touched_.insert(set);
  note_changes();
}

// A job that was suspended does not wait.
void LimitWatch::leave(JobId job, Time now) {
  come_to(now);
  const auto at = waiting_.find(job);
  if (at == waiting_.end()) return;
  counts_.leave(at->second.set, job);
  members_[at->second.set].erase(job);
  waiting_.erase(at);
  note_changes();
}

void LimitWatch::stop(const sim::Subject& who, Time at) {
  come_to(at);
  counts_.release(counts_.set_of(*who.job), who.job->size);
  note_changes();
}

void LimitWatch::note_changes() {
  touched_.insert(counts_.changed().begin(), counts_.changed().end());
  for (const JobId job : counts_.moved()) {
    const auto at = waiting_.find(job);
    if (at != waiting_.end()) touched_.insert(at->second.set);
  }
  counts_.forget_changes();
}

std::optional<LimitBar> LimitWatch::bar_of(JobId id, const WatchedJob& job) const {
  if (const auto bar = counts_.bar(job.set, job.job->size)) return bar;
  if (const auto bar = counts_.bar_outside(job.set, id)) return bar;
  return counts_.borrows(job.set, job.job->size);
}

void LimitWatch::close_instant() {
  std::vector<JobId> jobs;
  for (const Set set : touched_) {
    const auto& members = members_[set];
    jobs.insert(jobs.end(), members.begin(), members.end());
  }
  touched_.clear();
  std::sort(jobs.begin(), jobs.end());
  for (const JobId id : jobs) {
    auto& job = waiting_.at(id);
    const auto bar = bar_of(id, job);
    if (bar.has_value() == job.is_barred) continue;
    job.is_barred = bar.has_value();
    tell_(now_, *job.job, bar ? &*bar : nullptr);
  }
}

}  // namespace berth

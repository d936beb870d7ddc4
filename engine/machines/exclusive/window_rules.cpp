#include "engine/machines/exclusive/window_rules.hpp"

#include <algorithm>

namespace berth {

std::int32_t WindowRules::user_of(JobId job) const {
  const auto& jobs = world_->jobs();
  return jobs.is_of_system(job) ? kUnknown : jobs.job(job).user;
}

// The job starts at the last expected end or before, and so does whatever starts now.
bool WindowRules::may_delay(JobId job) const {
  const Time now = world_->now();
  const auto windows = known();
  if (windows.empty()) return false;
  const auto releases = world_->running().releases(now);
  const Time starts = releases.empty() ? now : releases.back().at;
  return after(starts, world_->planned(job).span) > windows.front()->from;
}

std::vector<JobId> WindowRules::outsiders(const MachineWindow& window) const {
  std::vector<JobId> found;
  const auto& jobs = world_->jobs();
  for (const auto& each : world_->running().releases(world_->now())) {
    world_->decision().budget.charge();
    const bool is_outside =
        !jobs.is_of_system(each.job) && !window.lets_in(jobs.job(each.job).user);
    if (is_outside) found.push_back(each.job);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace berth

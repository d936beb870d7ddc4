#include "engine/machines/exclusive/window_claims.hpp"

#include <algorithm>

#include "engine/machines/exclusive/window_outlook.hpp"
#include "engine/sim/machine.hpp"

namespace berth {

std::int32_t WindowClaims::user_of(JobId job) const {
  const auto& jobs = world_->jobs();
  return jobs.is_of_system(job) ? kUnknown : jobs.job(job).user;
}

WindowClaims::WindowWay WindowClaims::in_the_way(JobId job) const {
  if (world_->jobs().is_of_system(job)) return {};  // a host goes down inside, too
  const auto known = known_.at(world_->now());
  const auto ends = after(world_->now(), world_->planned(job).span);
  if (known.empty() || ends <= known.front()->from) return {};
  const WindowOutlook outlook(*this, job);
  const auto left = outlook.least_left();
  if (left >= 0) return {};
  return {outlook.worst(), left + world_->jobs().job(job).size};
}

// The job starts at the last expected end or before, and so does whatever starts now.
std::unique_ptr<Outlook> WindowClaims::outlook(JobId job) const {
  const Time now = world_->now();
  const auto known = known_.at(now);
  if (known.empty()) return nullptr;
  const auto releases = world_->running().releases(now);
  const Time starts = releases.empty() ? now : releases.back().at;
  const Time ends = after(starts, world_->planned(job).span);
  if (ends <= known.front()->from) return nullptr;
  return std::make_unique<WindowOutlook>(*this, job);
}

std::int64_t WindowClaims::lacks(const MachineWindow& window,
                                 std::span<const JobId> without) const {
  const Time now = world_->now();
  const auto runs = [&](JobId job) {
    return std::find(without.begin(), without.end(), job) == without.end();
  };
  const auto rest_of = [&](const MachineWindow& each) {
    std::int64_t held = 0;
    for (const auto& running : world_->running().releases(now)) {
      const bool is_inside = runs(running.job) && each.lets_in(user_of(running.job));
      if (is_inside) held += running.size;
    }
    return each.rest(held);
  };
  auto free = world_->hosts().idle();
  for (const JobId job : without) free += world_->jobs().job(job).size;
  for (const auto* other : known_.at(now)) {
    if (other->from > now) break;
    if (other != &window) free -= rest_of(*other);
  }
  const auto rest = rest_of(window);
  return rest == 0 ? 0 : rest - free;
}

std::vector<JobId> WindowClaims::hit_by(const MachineWindow& window) const {
  std::vector<JobId> outsiders;
  for (const auto& each : world_->running().releases(world_->now())) {
    const bool is_inside =
        world_->jobs().is_of_system(each.job) || window.lets_in(user_of(each.job));
    if (!is_inside) outsiders.push_back(each.job);
  }
  const auto& jobs = world_->jobs();
  std::sort(outsiders.begin(), outsiders.end(), [&](JobId a, JobId b) {
    const Time first = jobs[a].attempt_start;
    const Time second = jobs[b].attempt_start;
    return first != second ? first > second : b < a;
  });
  std::vector<JobId> gone;
  auto lacking = lacks(window, gone);
  for (const JobId job : outsiders) {
    if (lacking <= 0) break;
    world_->decision().budget.charge();
    gone.push_back(job);
    const auto left = lacks(window, gone);
    // One that has its processors in another window gives this one none.
    if (left >= lacking) gone.pop_back();
    lacking = std::min(lacking, left);
  }
  std::sort(gone.begin(), gone.end());
  return gone;
}

std::vector<IdleBlock> WindowClaims::blocks(Time now) const {
  std::vector<IdleBlock> all;
  const auto known = known_.at(now);
  all.reserve(known.size());
  for (const auto* each : known) {
    const auto number = static_cast<std::size_t>(each - this->all().data());
    all.push_back(
        {each->from, each->to, each->processors, number, !each->users.empty()});
  }
  return all;
}

}  // namespace berth

#include "engine/machines/exclusive/window_claims.hpp"

#include <algorithm>

#include "engine/machines/exclusive/window_outlook.hpp"
#include "engine/sim/machine.hpp"

namespace berth {

WindowRules::WindowWay WindowClaims::in_the_way(JobId job) const {
  if (world().jobs().is_of_system(job)) return {};  // a host goes down inside, too
  const auto windows = known();
  const auto ends = after(world().now(), world().planned(job).span);
  if (windows.empty() || ends <= windows.front()->from) return {};
  const WindowOutlook outlook(*this, job);
  const auto left = outlook.least_left();
  if (left >= 0) return {};
  return {outlook.worst(), left + world().jobs().job(job).size};
}

std::unique_ptr<Outlook> WindowClaims::make_outlook(JobId job) const {
  return std::make_unique<WindowOutlook>(*this, job);
}

std::int64_t WindowClaims::lacks(const MachineWindow& window,
                                 std::span<const JobId> without) const {
  const Time now = world().now();
  const auto runs = [&](JobId job) {
    return std::find(without.begin(), without.end(), job) == without.end();
  };
  const auto rest_of = [&](const MachineWindow& each) {
    std::int64_t held = 0;
    for (const auto& running : world().running().releases(now)) {
      const bool is_inside = runs(running.job) && each.lets_in(user_of(running.job));
      if (is_inside) held += running.size;
    }
    return each.rest(held);
  };
  auto free = world().hosts().idle();
  for (const JobId job : without) free += world().jobs().job(job).size;
  for (const auto* other : known()) {
    if (other->from > now) break;
    if (other != &window) free -= rest_of(*other);
  }
  const auto rest = rest_of(window);
  return rest == 0 ? 0 : rest - free;
}

std::vector<JobId> WindowClaims::hit_by(const MachineWindow& window) const {
  auto others = outsiders(window);
  const auto& jobs = world().jobs();
  std::sort(others.begin(), others.end(), [&](JobId a, JobId b) {
    const Time first = jobs[a].attempt_start;
    const Time second = jobs[b].attempt_start;
    return first != second ? first > second : b < a;
  });
  std::vector<JobId> gone;
  auto lacking = lacks(window, gone);
  for (const JobId job : others) {
    if (lacking <= 0) break;
    world().decision().budget.charge();
    gone.push_back(job);
    const auto left = lacks(window, gone);
    // One that has its processors in another window gives this one none.
    if (left >= lacking) gone.pop_back();
    lacking = std::min(lacking, left);
  }
  std::sort(gone.begin(), gone.end());
  return gone;
}

std::vector<IdleBlock> WindowClaims::blocks(Time) const {
  std::vector<IdleBlock> all;
  all.reserve(known().size());
  for (const auto* each : known()) {
    const auto number = static_cast<std::size_t>(each - this->all().data());
    all.push_back(
        {each->from, each->to, each->processors, number, !each->users.empty()});
  }
  return all;
}

}  // namespace berth

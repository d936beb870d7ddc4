#include "engine/machines/exclusive/window_outlook.hpp"

#include <algorithm>
#include <utility>

#include "engine/sim/machine.hpp"

namespace berth {

WindowOutlook::WindowOutlook(const WindowClaims& claims, JobId job)
    : claims_(claims),
      user_(claims.user_of(job)),
      size_(claims.world().jobs().job(job).size),
      at_(claims.world().now()),
      span_(claims.world().planned(job).span) {
  const auto& world = claims_.world();
  running_.reserve(world.running().size() + 1);
  for (const auto& each : world.running().releases(world.now())) {
    running_.push_back({each.at, 0, each.size, claims_.user_of(each.job), each.job});
  }
  add_up(0);
}

void WindowOutlook::add_up(std::size_t from) {
  auto before = from == 0 ? 0 : running_[from - 1].before + running_[from - 1].size;
  for (auto i = from; i < running_.size(); ++i) {
    running_[i].before = before;
    before += running_[i].size;
  }
}

void WindowOutlook::add(JobId running, Time end) {
  const auto behind =
      std::upper_bound(running_.begin(), running_.end(), end,
                       [](Time at, const Expected& each) { return at < each.end; });
  const auto place = static_cast<std::size_t>(behind - running_.begin());
  const auto size = claims_.world().jobs().job(running).size;
  running_.insert(behind, {end, 0, size, claims_.user_of(running), running});
  add_up(place);
}

// It starts now, and its planned end is not noted yet.
void WindowOutlook::keep(JobId running) { add(running, planned_end(running)); }

void WindowOutlook::release(JobId running) {
  const auto found =
      std::find_if(running_.begin(), running_.end(),
                   [running](const Expected& each) { return each.job == running; });
  if (found == running_.end()) return;
  const auto place = static_cast<std::size_t>(found - running_.begin());
  running_.erase(found);
  add_up(place);
}

Time WindowOutlook::planned_end(JobId job) const {
  const auto& world = claims_.world();
  return after(world.now(), world.planned(job).span);
}

bool WindowOutlook::fits_beside(JobId candidate, const Demand&, const Placement*) {
  add(candidate, planned_end(candidate));
  const bool does_fit = fits();
  release(candidate);
  return does_fit;
}

std::optional<Outlook::Start> WindowOutlook::seek() {
  const auto& world = claims_.world();
  std::vector<Time> starts{at_};
  starts.reserve(running_.size() + 1);
  for (const auto& each : running_) starts.push_back(each.end);
  for (const auto* window : claims_.known()) {
    starts.push_back(window->to);
  }
  std::sort(starts.begin(), starts.end());
  for (const Time start : starts) {
    world.decision().budget.charge();
    at_ = start;
    const auto left = least_left();
    if (left < 0) continue;
    const auto most = world.machine().processors - running_at(start) - size_;
    return Start{start, left, most};
  }
  return std::nullopt;
}

std::int64_t WindowOutlook::running_at(Time at) const {
  const auto first =
      std::upper_bound(running_.begin(), running_.end(), at,
                       [](Time when, const Expected& each) { return when < each.end; });
  if (first == running_.end()) return 0;
  return running_.back().before + running_.back().size - first->before;
}

std::int64_t WindowOutlook::held_inside(const MachineWindow& window, Time at) const {
  if (window.users.empty()) return 0;
  std::int64_t held = 0;
  for (const auto& each : running_) {
    if (each.end > at && window.lets_in(each.user)) held += each.size;
  }
  return held;
}

std::int64_t WindowOutlook::left_at(Time at) const {
  const auto& world = claims_.world();
  auto left = world.machine().processors - running_at(at) - size_;
  for (const auto* window : claims_.known()) {
    if (window->from > at) break;
    if (at >= window->to || window->lets_in(user_)) continue;
    left -= window->rest(held_inside(*window, at));
  }
  return left;
}

std::int64_t WindowOutlook::least_left() const {
  auto least = left_at(at_);
  for (const auto* window : claims_.known()) {
    if (window->from >= after(at_, span_)) break;
    if (window->from > at_) least = std::min(least, left_at(window->from));
  }
  return least;
}

const MachineWindow* WindowOutlook::worst() const {
  const MachineWindow* found = nullptr;
  auto least = std::numeric_limits<std::int64_t>::max();
  for (const auto* window : claims_.known()) {
    if (window->from >= after(at_, span_)) break;
    if (window->to <= at_) continue;
    const auto left = left_at(std::max(at_, window->from));
    if (left >= least) continue;
    least = left;
    found = window;
  }
  return found;
}

}  // namespace berth

#include "engine/machines/exclusive/window_claims.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "engine/sim/machine.hpp"

namespace berth {

// A pool with windows as it is expected to be from an instant on, for one job: what
// runs by expected end, less what the windows keep from the job.
class WindowClaims::WindowOutlook final : public Outlook {
 public:
  // As it is now.  The claims outlive it.
  WindowOutlook(const WindowClaims& claims, JobId job);

  void release(JobId running) override;
  void keep(JobId running) override;
  [[nodiscard]] bool fits() const override { return least_left() >= 0; }
  [[nodiscard]] bool seeks() const override { return true; }
  [[nodiscard]] std::optional<Start> seek() override;
  [[nodiscard]] bool fits_beside(JobId candidate, const Demand& demand,
                                 const Placement* there) override;
  // Processors that are left over beside the job at the worst instant of a window, or
  // at the start, while it is planned to run.
  [[nodiscard]] std::int64_t least_left() const;
  // The window that begins, or has begun, at that instant; null: none does.
  [[nodiscard]] const MachineWindow* worst() const;

 private:
  struct Expected {
    Time end;
    std::int64_t before;  // processors of those that end before it, in this order
    std::int32_t size;    // that are free as it ends
    std::int32_t user;
    JobId job;
  };
  void add(JobId running, Time end);
  void add_up(std::size_t from);
  [[nodiscard]] Time planned_end(JobId job) const;
  [[nodiscard]] std::int64_t running_at(Time at) const;
  [[nodiscard]] std::int64_t held_inside(const MachineWindow& window, Time at) const;
  [[nodiscard]] std::int64_t left_at(Time at) const;

  const WindowClaims& claims_;
  std::int32_t user_;
  std::int64_t size_;
  Time at_;  // that the outlook is of
  Duration span_;
  std::vector<Expected> running_;  // by end
};

WindowClaims::WindowOutlook::WindowOutlook(const WindowClaims& claims, JobId job)
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

void WindowClaims::WindowOutlook::add_up(std::size_t from) {
  auto before = from == 0 ? 0 : running_[from - 1].before + running_[from - 1].size;
  for (auto i = from; i < running_.size(); ++i) {
    running_[i].before = before;
    before += running_[i].size;
  }
}

void WindowClaims::WindowOutlook::add(JobId running, Time end) {
  const auto behind =
      std::upper_bound(running_.begin(), running_.end(), end,
                       [](Time at, const Expected& each) { return at < each.end; });
  const auto place = static_cast<std::size_t>(behind - running_.begin());
  const auto size = claims_.world().jobs().job(running).size;
  running_.insert(behind, {end, 0, size, claims_.user_of(running), running});
  add_up(place);
}

// It starts now, and its planned end is not noted yet.
void WindowClaims::WindowOutlook::keep(JobId running) {
  add(running, planned_end(running));
}

void WindowClaims::WindowOutlook::release(JobId running) {
  const auto found =
      std::find_if(running_.begin(), running_.end(),
                   [running](const Expected& each) { return each.job == running; });
  if (found == running_.end()) return;
  const auto place = static_cast<std::size_t>(found - running_.begin());
  running_.erase(found);
  add_up(place);
}

Time WindowClaims::WindowOutlook::planned_end(JobId job) const {
  const auto& world = claims_.world();
  return after(world.now(), world.planned(job).span);
}

bool WindowClaims::WindowOutlook::fits_beside(JobId candidate, const Demand&,
                                              const Placement*) {
  add(candidate, planned_end(candidate));
  const bool does_fit = fits();
  release(candidate);
  return does_fit;
}

std::optional<Outlook::Start> WindowClaims::WindowOutlook::seek() {
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

std::int64_t WindowClaims::WindowOutlook::running_at(Time at) const {
  const auto first =
      std::upper_bound(running_.begin(), running_.end(), at,
                       [](Time when, const Expected& each) { return when < each.end; });
  if (first == running_.end()) return 0;
  return running_.back().before + running_.back().size - first->before;
}

std::int64_t WindowClaims::WindowOutlook::held_inside(const MachineWindow& window,
                                                      Time at) const {
  if (window.users.empty()) return 0;
  std::int64_t held = 0;
  for (const auto& each : running_) {
    if (each.end > at && window.lets_in(each.user)) held += claims_.size_of(each.job);
  }
  return held;
}

std::int64_t WindowClaims::WindowOutlook::left_at(Time at) const {
  const auto& world = claims_.world();
  auto left = world.machine().processors - running_at(at) - size_;
  for (const auto* window : claims_.known()) {
    if (window->from > at) break;
    if (at >= window->to || window->lets_in(user_)) continue;
    left -= window->rest(held_inside(*window, at));
  }
  return left;
}

std::int64_t WindowClaims::WindowOutlook::least_left() const {
  auto least = left_at(at_);
  for (const auto* window : claims_.known()) {
    if (window->from >= after(at_, span_)) break;
    if (window->from > at_) least = std::min(least, left_at(window->from));
  }
  return least;
}

const MachineWindow* WindowClaims::WindowOutlook::worst() const {
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
      if (is_inside) held += size_of(running.job);
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

#include "engine/machines/exclusive/window_claims.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "engine/sim/machine.hpp"

namespace berth {

// Jobs that run, by when they are expected to end.
class WindowClaims::ExpectedLine {
 public:
  struct ExpectedEnd {
    Time end;
    std::int64_t before;  // processors of those that end before it, in this order
    std::int32_t size;    // that are free as it ends
    std::int32_t user;
    JobId job;
  };

  explicit ExpectedLine(std::size_t jobs) { all_.reserve(jobs + 1); }

  [[nodiscard]] std::span<const ExpectedEnd> all() const { return all_; }
  void insert(const ExpectedEnd& entry) {
    const auto behind = std::upper_bound(
        all_.begin(), all_.end(), entry.end,
        [](Time at, const ExpectedEnd& each) { return at < each.end; });
    const auto place = static_cast<std::size_t>(behind - all_.begin());
    all_.insert(behind, entry);
    add_up(place);
  }
  void erase(JobId job) {
    const auto found =
        std::find_if(all_.begin(), all_.end(),
                     [job](const ExpectedEnd& each) { return each.job == job; });
    if (found == all_.end()) return;
    const auto place = static_cast<std::size_t>(found - all_.begin());
    all_.erase(found);
    add_up(place);
  }
  // Processors of those that end later.
  [[nodiscard]] std::int64_t running_at(Time at) const {
    const auto first = std::upper_bound(
        all_.begin(), all_.end(), at,
        [](Time when, const ExpectedEnd& each) { return when < each.end; });
    if (first == all_.end()) return 0;
    return all_.back().before + all_.back().size - first->before;
  }

 private:
  void add_up(std::size_t from) {
    auto before = from == 0 ? 0 : all_[from - 1].before + all_[from - 1].size;
    for (auto i = from; i < all_.size(); ++i) {
      all_[i].before = before;
      before += all_[i].size;
    }
  }
  std::vector<ExpectedEnd> all_;
};

// A pool with windows as it is expected to be from an instant on, for one job: what
// runs by expected end, less what the windows keep from the job.  At the start what the
// policy expects counts, at the instants of windows the walltimes.
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
  // at the start, while it may run.
  [[nodiscard]] std::int64_t least_left() const;
  // The window that begins, or has begun, at that instant; null: none does.
  [[nodiscard]] const MachineWindow* worst() const;
  // The first start >= `from` that the windows let it have; kNever: none.
  [[nodiscard]] Time first_start(Time from);

 private:
  [[nodiscard]] const ExpectedLine& longest() const {
    return longest_ ? *longest_ : expected_;
  }
  // When it may start.
  [[nodiscard]] std::vector<Time> starts() const;
  [[nodiscard]] std::int64_t left_in_windows() const;
  [[nodiscard]] std::int64_t held_inside(const ExpectedLine& line,
                                         const MachineWindow& window, Time at) const;
  [[nodiscard]] std::int64_t left_at(const ExpectedLine& line, Time at) const;

  const WindowClaims& claims_;
  std::int32_t user_;
  std::int64_t size_;
  Time at_;  // that the outlook is of
  Duration span_;
  ExpectedLine expected_;
  std::optional<ExpectedLine> longest_{};  // by walltimes, where others are expected
};

WindowClaims::WindowOutlook::WindowOutlook(const WindowClaims& claims, JobId job)
    : claims_(claims),
      user_(claims.user_of(job)),
      size_(claims.world().jobs().job(job).size),
      at_(claims.world().now()),
      span_(claims.world().planned(job).longest),
      expected_(claims.world().running().size()) {
  const auto& world = claims_.world();
  if (claims_.has_estimates()) longest_.emplace(world.running().size());
  for (const auto& each : world.running().releases(world.now())) {
    const auto user = claims_.user_of(each.job);
    expected_.insert({each.at, 0, each.size, user, each.job});
    if (!longest_) continue;
    longest_->insert({claims_.longest_end(each), 0, each.size, user, each.job});
  }
}

// It starts now, and its planned end is not noted yet.
void WindowClaims::WindowOutlook::keep(JobId running) {
  const auto& world = claims_.world();
  const Time now = world.now();
  const auto size = world.jobs().job(running).size;
  const auto user = claims_.user_of(running);
  expected_.insert({after(now, world.planned(running).span), 0, size, user, running});
  if (!longest_) return;
  longest_->insert(
      {after(now, world.planned(running).longest), 0, size, user, running});
}

void WindowClaims::WindowOutlook::release(JobId running) {
  expected_.erase(running);
  if (longest_) longest_->erase(running);
}

bool WindowClaims::WindowOutlook::fits_beside(JobId candidate, const Demand&,
                                              const Placement*) {
  keep(candidate);
  const bool does_fit = fits();
  release(candidate);
  return does_fit;
}

std::vector<Time> WindowClaims::WindowOutlook::starts() const {
  std::vector<Time> starts{at_};
  starts.reserve(2 * expected_.all().size() + claims_.known().size() + 1);
  for (const auto& each : expected_.all()) starts.push_back(each.end);
  if (longest_) {
    for (const auto& each : longest_->all()) starts.push_back(each.end);
  }
  for (const auto* window : claims_.known()) {
    starts.push_back(window->to);
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

std::optional<Outlook::Start> WindowClaims::WindowOutlook::seek() {
  const auto& world = claims_.world();
  for (const Time start : starts()) {
    world.decision().budget.charge();
    at_ = start;
    const auto left = least_left();
    if (left < 0) continue;
    const auto most = world.machine().processors - expected_.running_at(start) - size_;
    return Start{start, left, most};
  }
  return std::nullopt;
}

Time WindowClaims::WindowOutlook::first_start(Time from) {
  at_ = from;
  for (const Time start : starts()) {
    claims_.world().decision().budget.charge();
    if (start < from) continue;
    at_ = start;
    if (left_in_windows() >= 0) return start;
  }
  return kNever;
}

std::int64_t WindowClaims::WindowOutlook::held_inside(const ExpectedLine& line,
                                                      const MachineWindow& window,
                                                      Time at) const {
  if (window.users.empty()) return 0;
  std::int64_t held = 0;
  for (const auto& each : line.all()) {
    if (each.end > at && window.lets_in(each.user)) held += claims_.size_of(each.job);
  }
  return held;
}

std::int64_t WindowClaims::WindowOutlook::left_at(const ExpectedLine& line,
                                                  Time at) const {
  const auto& world = claims_.world();
  auto left = world.machine().processors - line.running_at(at) - size_;
  for (const auto* window : claims_.known()) {
    if (window->from > at) break;
    if (at >= window->to || window->lets_in(user_)) continue;
    left -= window->rest(held_inside(line, *window, at));
  }
  return left;
}

// At each instant at which a window begins, or at which it has begun as the job starts,
// while it may run by its walltime.
std::int64_t WindowClaims::WindowOutlook::left_in_windows() const {
  auto least = std::numeric_limits<std::int64_t>::max();
  for (const auto* window : claims_.known()) {
    if (window->from >= after(at_, span_)) break;
    if (window->to <= at_) continue;
    least = std::min(least, left_at(longest(), std::max(at_, window->from)));
  }
  return least;
}

std::int64_t WindowClaims::WindowOutlook::least_left() const {
  return std::min(left_at(expected_, at_), left_in_windows());
}

const MachineWindow* WindowClaims::WindowOutlook::worst() const {
  const MachineWindow* found = nullptr;
  auto least = std::numeric_limits<std::int64_t>::max();
  for (const auto* window : claims_.known()) {
    if (window->from >= after(at_, span_)) break;
    if (window->to <= at_) continue;
    const auto left = left_at(longest(), std::max(at_, window->from));
    if (left >= least) continue;
    least = left;
    found = window;
  }
  return found;
}

WindowRules::WindowWay WindowClaims::in_the_way(JobId job) const {
  if (world().jobs().is_of_system(job)) return {};  // a host goes down inside, too
  const auto windows = known();
  const auto ends = after(world().now(), world().planned(job).longest);
  if (windows.empty() || ends <= windows.front()->from) return {};
  const WindowOutlook outlook(*this, job);
  const auto left = outlook.least_left();
  if (left >= 0) return {};
  return {outlook.worst(), left + world().jobs().job(job).size};
}

Time WindowClaims::first_start(JobId job, Time from) const {
  return differs() ? WindowOutlook(*this, job).first_start(from) : from;
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

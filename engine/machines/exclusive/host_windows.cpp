#include "engine/machines/exclusive/host_windows.hpp"

#include <algorithm>
#include <limits>

#include "engine/hosts/room_outlook.hpp"
#include "engine/reserve/room_profiles.hpp"
#include "engine/sim/machine.hpp"

namespace berth {

namespace {

bool is_one_of(std::span<const std::int32_t> hosts, std::int32_t host) {
  return std::binary_search(hosts.begin(), hosts.end(), host);
}

bool overlaps(const MachineWindow& window, Time from, Time to) {
  return window.from < to && from < window.to;
}

}  // namespace

std::span<const std::int32_t> HostWindows::kept(JobId job, Time from, Time to) const {
  kept_.clear();
  if (!has_begun() || world().jobs().is_of_system(job)) return kept_;
  const auto user = user_of(job);
  for (const auto* window : known()) {
    if (window->from >= to) break;
    if (!overlaps(*window, from, to) || window->lets_in(user)) continue;
    world().decision().budget.charge_each(window->hosts.size());
    kept_.insert(kept_.end(), window->hosts.begin(), window->hosts.end());
  }
  for (const auto& [host, until] : drains_) {
    if (drained_until(host) > from) kept_.push_back(host);
  }
  std::sort(kept_.begin(), kept_.end());
  return kept_;
}

std::span<const std::int32_t> HostWindows::kept_now(JobId job) const {
  if (!has_begun() || world().jobs().is_of_system(job)) return {};
  const Time now = world().now();
  return kept(job, now, after(now, world().planned(job).longest));
}

Time HostWindows::drained_until(std::int32_t host) const {
  const auto found = drains_.find(host);
  const Time now = world().now();
  if (found == drains_.end()) return now;
  return world().running().expected_end(found->second, now);
}

Time HostWindows::first_free(JobId job, std::int32_t host, Duration length,
                             Time start) const {
  if (world().jobs().is_of_system(job)) return start;
  start = std::max(start, drained_until(host));
  const auto user = user_of(job);
  // Windows of one host do not overlap, and come by their beginnings.
  for (const auto* window : known()) {
    world().decision().budget.charge();
    const bool is_kept = overlaps(*window, start, after(start, length)) &&
                         !window->lets_in(user) && window->has_host(host);
    if (is_kept) start = window->to;
  }
  return start;
}

std::int64_t HostWindows::lay_out(JobId job, std::vector<HostChunks>& onto) const {
  onto.clear();
  const auto away = kept_now(job);
  const auto need = machine_.need(job);
  const auto& room = machine_.room();
  if (!room.has_sums(need)) return 0;
  std::int64_t left = need.chunks;
  for (auto host = room.next(0, need); host < room.hosts() && left > 0;
       host = room.next(host + 1, need)) {
    world().decision().budget.charge();
    const auto number = static_cast<std::int32_t>(host);
    const auto chunks =
        is_one_of(away, number) ? 0 : std::min(left, room.room(need, number));
    if (chunks == 0) continue;
    onto.push_back({number, static_cast<std::int32_t>(chunks)});
    left -= chunks;
  }
  return need.chunks - left;
}

bool HostWindows::spread(JobId job, std::vector<HostChunks>& onto) const {
  return lay_out(job, onto) == machine_.need(job).chunks;
}

// Of those that keep hosts from the job now.
template <class Is>
const MachineWindow* HostWindows::first_keeper(JobId job, const Is& is) const {
  const Time now = world().now();
  const auto ends = after(now, world().planned(job).longest);
  for (const auto* window : known()) {
    const bool keeps = overlaps(*window, now, ends) && !window->lets_in(user_of(job));
    if (keeps && is(*window)) return window;
  }
  return nullptr;
}

const MachineWindow* HostWindows::keeper(JobId job,
                                         std::span<const HostChunks> onto) const {
  if (kept_now(job).empty()) return nullptr;
  return first_keeper(job, [&](const MachineWindow& window) {
    return std::any_of(onto.begin(), onto.end(),
                       [&](const auto& at) { return window.has_host(at.host); });
  });
}

WindowRules::WindowWay HostWindows::in_the_way(JobId job) const {
  if (kept_now(job).empty()) return {};
  const auto need = machine_.need(job);
  const auto chunks = lay_out(job, onto_);
  if (chunks == need.chunks) return {};
  const auto* first = first_keeper(job, [](const auto&) { return true; });
  return {first, chunks * need[0]};
}

std::vector<JobId> HostWindows::hit_by(const MachineWindow& window) const {
  auto all = outsiders(window);
  std::erase_if(all, [&](JobId job) {
    const auto& hosts = machine_.hosts_of(job);
    return std::none_of(hosts.begin(), hosts.end(),
                        [&](const HostChunks& at) { return window.has_host(at.host); });
  });
  return all;
}

// Hosts that windows keep while the job is planned to run have no room for it.
class HostWindows::HostWindowOutlook final : public RoomOutlook {
 public:
  HostWindowOutlook(const HostWindows& windows, JobId job)
      : RoomOutlook(windows.machine_, job), windows_(windows), job_(job) {
    for (const auto host : windows_.kept_now(job_)) close(host);
  }

  [[nodiscard]] bool seeks() const override { return true; }

  [[nodiscard]] std::optional<Start> seek() override {
    const auto& world = windows_.world();
    const Time now = world.now();
    std::vector<Time> starts{now};
    starts.reserve(world.running().size() + windows_.known().size() +
                   windows_.drains_.size() + 1);
    const auto releases = world.running().releases(now);
    for (const auto& each : releases) starts.push_back(each.at);
    for (const auto* window : windows_.known()) starts.push_back(window->to);
    for (const auto& [host, until] : windows_.drains_) {
      starts.push_back(windows_.drained_until(host));
    }
    std::sort(starts.begin(), starts.end());
    RoomOutlook later(windows_.machine_, job_);
    auto freed = releases.begin();
    auto idle = world.hosts().idle();
    for (const Time start : starts) {
      for (; freed != releases.end() && freed->at <= start; ++freed) {
        later.release(freed->job);
        idle += freed->size;
      }
      if (!fits_from(later, start)) continue;
      const auto left = idle - world.jobs().job(job_).size;
      return Start{start, left, left};
    }
    return std::nullopt;
  }

 private:
  // From then on it is the outlook of this start.
  bool fits_from(const RoomOutlook& later, Time start) {
    const auto& world = windows_.world();
    const auto end = after(start, world.planned(job_).longest);
    world.decision().budget.charge_each(windows_.machine_.room().hosts());
    RoomOutlook::operator=(later);
    for (const auto host : windows_.kept(job_, start, end)) close(host);
    return fits();
  }

  const HostWindows& windows_;
  JobId job_;
};

// A reservation names no host that a window keeps from its job meanwhile.
class HostWindows::WindowProfiles final : public RoomProfiles {
 public:
  WindowProfiles(const HostWindows& windows, Time now, Budget& budget)
      : RoomProfiles(windows.machine_, now, budget), windows_(windows) {}

 protected:
  [[nodiscard]] std::int64_t bound(JobId job, std::size_t host, Time start,
                                   Time end) const override {
    const bool is_free = first_free(job, host, end - start, start) == start;
    return is_free ? std::numeric_limits<std::int64_t>::max() : 0;
  }
  [[nodiscard]] std::optional<Time> bound_rises(JobId job, std::size_t host,
                                                std::int64_t, Duration length,
                                                Time start) const override {
    return first_free(job, host, length, start);
  }

 private:
  // A window is kept free by the job's walltime, for so long or longer.
  [[nodiscard]] Time first_free(JobId job, std::size_t host, Duration length,
                                Time start) const {
    const auto& world = windows_.world();
    if (windows_.has_estimates() && !world.jobs().is_of_system(job)) {
      length = world.planned(job).longest;
    }
    return windows_.first_free(job, static_cast<std::int32_t>(host), length, start);
  }

  const HostWindows& windows_;
};

std::unique_ptr<HostProfiles> HostWindows::profiles(Time now, Budget& budget) const {
  return std::make_unique<WindowProfiles>(*this, now, budget);
}

std::unique_ptr<Outlook> HostWindows::make_outlook(JobId job) const {
  return std::make_unique<HostWindowOutlook>(*this, job);
}

}  // namespace berth

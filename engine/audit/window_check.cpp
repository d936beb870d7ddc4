#include "engine/audit/window_check.hpp"

#include <algorithm>
#include <limits>

namespace berth::audit {

namespace {

constexpr Fault kStands{kWindows,
                        "a job goes on beside a window that has begun and hits jobs"};

}  // namespace

void WindowCheck::ask(OnHosts hosts) {
  const bool are_of_hosts = !all_->empty() && !all_->front().hosts.empty();
  if (are_of_hosts) hosts_ = std::move(hosts);
}

Verdict WindowCheck::come_to(Time now) {
  if (now == now_) return std::nullopt;
  for (const auto* window : begun_) {
    ++judged_;
    if (!has_loss_ && stands_in_the_way(*window)) return kStands;
  }
  begun_.clear();
  has_loss_ = false;
  now_ = now;
  return std::nullopt;
}

// What is said of a window is what its row says.
Verdict WindowCheck::note(const sim::WindowRecord& record) {
  using Change = sim::WindowRecord::Event;
  ++judged_;
  const auto& window = *record.window;
  const bool is_of_machine =
      std::any_of(all_->begin(), all_->end(),
                  [&](const MachineWindow& each) { return &each == &window; });
  const Time said = record.event == Change::kAnnounced ? window.announced
                    : record.event == Change::kBegins  ? window.from
                                                       : window.to;
  // As the run begins those begin that have begun before.
  const bool is_in_time =
      said == now_ || (record.event == Change::kBegins && window.has_begun(now_));
  if (!is_of_machine || !is_in_time) {
    return Fault{kWindows, "a window changes at another time than the machine says"};
  }
  if (record.event == Change::kBegins && window.hits) begun_.push_back(&window);
  return std::nullopt;
}

Verdict WindowCheck::start(JobId job, const Wish& wish) {
  ++judged_;
  const bool runs_into =
      hosts_ ? has_a_part(job, kept(wish.user, now_, after(now_, wish.planned)))
             : !lets_start(job, wish, {});
  if (runs_into) {
    return Fault{kWindows, "it would run into a window that keeps its processors"};
  }
  running_[job] = {after(now_, wish.planned), wish.size, wish.user, false, kNever};
  return std::nullopt;
}

void WindowCheck::take_down(JobId system, std::int64_t size, Time until) {
  has_loss_ = true;
  running_[system] = {until, size, kUnknown, true, kNever};
}

bool WindowCheck::hits(JobId job) const {
  const auto found = running_.find(job);
  if (found == running_.end()) return false;
  return std::any_of(begun_.begin(), begun_.end(), [&](const auto* window) {
    return !window->lets_in(found->second.user) &&
           (!hosts_ || has_a_part(job, window->hosts));
  });
}

Time WindowCheck::first_begin() const {
  Time first = kNever;
  for (const auto& each : *all_) {
    if (each.is_known(now_)) first = std::min(first, each.from);
  }
  return first;
}

Time WindowCheck::expected_end(Time planned_end) const {
  const bool is_due = due_margin_ > 0 && planned_end == now_;
  return is_due ? after(now_, due_margin_) : rule_.expected_end(planned_end, now_);
}

// A job that has outlived what was expected of it: its walltime at the latest, and once
// that has passed, too, by that alone.
Time WindowCheck::expected_sooner(const RunningEntry& entry, Time last) const {
  const bool is_late = entry.planned_end <= now_;
  if (entry.sooner == kNever || is_late) return last;
  return std::min(last, expected_end(entry.sooner));
}

std::vector<WindowCheck::Until> WindowCheck::expected(
    std::span<const JobId> gone) const {
  std::vector<Until> all;
  all.reserve(running_.size());
  for (const auto& [job, each] : running_) {
    if (std::find(gone.begin(), gone.end(), job) != gone.end()) continue;
    const Time end = expected_end(each.planned_end);
    all.push_back({job, end, expected_sooner(each, end), each.size, each.user});
  }
  return all;
}

// Processors at that instant beside it, and beside what the windows keep from it.
std::int64_t WindowCheck::left(const std::vector<Until>& running, const Wish& wish,
                               Time at, Time Until::*ends) const {
  auto left = processors_ - wish.size;
  for (const auto& each : running) {
    if (each.*ends > at) left -= each.size;
  }
  for (const auto& window : *all_) {
    const bool is_in_force = window.is_known(now_) && window.from <= at &&
                             at < window.to && !window.lets_in(wish.user);
    if (!is_in_force) continue;
    std::int64_t inside = 0;
    for (const auto& each : running) {
      if (each.*ends > at && window.lets_in(each.user)) inside += each.size;
    }
    left -= window.rest(inside);
  }
  return left;
}

bool WindowCheck::fits_from(const std::vector<Until>& running, const Wish& wish,
                            Time start) const {
  if (left(running, wish, start, &Until::sooner) < 0) return false;
  const Time end = after(start, wish.planned);
  return std::all_of(all_->begin(), all_->end(), [&](const MachineWindow& window) {
    const bool is_inside =
        window.is_known(now_) && window.from < end && start < window.to;
    const Time at = std::max(start, window.from);
    return !is_inside || left(running, wish, at, &Until::end) >= 0;
  });
}

std::vector<std::int32_t> WindowCheck::kept(std::int32_t user, Time from,
                                            Time to) const {
  std::vector<std::int32_t> away;
  for (const auto& window : *all_) {
    const bool keeps = window.is_known(now_) && window.from < to && from < window.to &&
                       !window.lets_in(user);
    if (keeps) away.insert(away.end(), window.hosts.begin(), window.hosts.end());
  }
  std::sort(away.begin(), away.end());
  away.erase(std::unique(away.begin(), away.end()), away.end());
  return away;
}

bool WindowCheck::has_a_part(JobId job, std::span<const std::int32_t> hosts) const {
  const auto* held = hosts_->held(job);
  if (held == nullptr) return false;
  const auto& parts = held->intervals();
  return std::any_of(hosts.begin(), hosts.end(), [&](std::int32_t number) {
    const auto host = hosts_->processors[static_cast<std::size_t>(number)];
    return std::any_of(parts.begin(), parts.end(), [&](const Interval& part) {
      return part.first <= host.last && host.first <= part.last;
    });
  });
}

bool WindowCheck::fits_on_hosts(JobId job, const std::vector<Until>& running,
                                const Wish& wish, Time start) const {
  std::vector<JobId> gone;
  gone.reserve(running.size());
  for (const auto& each : running) {
    if (each.sooner <= start) gone.push_back(each.job);
  }
  const auto away = kept(wish.user, start, after(start, wish.planned));
  return hosts_->fit->fits_beside(job, gone, away);
}

bool WindowCheck::lets_start(JobId job, const Wish& wish,
                             std::span<const JobId> gone) const {
  const Time end = after(now_, wish.planned);
  if (first_begin() >= end) return true;
  if (!hosts_) return fits_from(expected(gone), wish, now_);
  return hosts_->fit == nullptr ||
         hosts_->fit->fits_beside(job, gone, kept(wish.user, now_, end));
}

std::optional<Time> WindowCheck::shadow(JobId job, const Wish& wish, Time last) const {
  const bool is_untold = hosts_ && hosts_->fit == nullptr;
  if (is_untold || first_begin() >= after(last, wish.planned)) return std::nullopt;
  const auto running = expected({});
  std::vector<Time> starts{now_};
  starts.reserve(2 * running.size() + all_->size() + 1);
  for (const auto& each : running) {
    starts.insert(starts.end(), {each.sooner, each.end});
  }
  for (const auto& each : *all_) {
    if (each.is_known(now_)) starts.push_back(each.to);
  }
  std::sort(starts.begin(), starts.end());
  for (const Time start : starts) {
    const bool does_fit = hosts_ ? fits_on_hosts(job, running, wish, start)
                                 : fits_from(running, wish, start);
    if (does_fit) return start;
  }
  return kNever;
}

// Processors that have to come free before the window has what its users do not hold,
// beside all other windows; 0 or less: none.
std::int64_t WindowCheck::lacks(const MachineWindow& window, JobId without) const {
  auto free = processors_;
  for (const auto& [job, each] : running_) {
    if (job != without) free -= each.size;
  }
  const auto rest_of = [&](const MachineWindow& each) {
    std::int64_t inside = 0;
    for (const auto& [job, entry] : running_) {
      if (job != without && each.lets_in(entry.user)) inside += entry.size;
    }
    return each.rest(inside);
  };
  for (const auto& each : *all_) {
    if (&each != &window && each.has_begun(now_)) free -= rest_of(each);
  }
  const auto rest = rest_of(window);
  return rest == 0 ? 0 : rest - free;
}

// Whether a job that may not run inside has what the window lacks.
bool WindowCheck::stands_in_the_way(const MachineWindow& window) const {
  if (hosts_) {
    return std::any_of(running_.begin(), running_.end(), [&](const auto& it) {
      const auto& [job, entry] = it;
      return !entry.is_of_system && !window.lets_in(entry.user) &&
             has_a_part(job, window.hosts);
    });
  }
  constexpr JobId kNobody{std::numeric_limits<std::uint32_t>::max()};
  const auto lacking = lacks(window, kNobody);
  if (lacking <= 0) return false;
  return std::any_of(running_.begin(), running_.end(), [&](const auto& it) {
    const auto& [job, entry] = it;
    return !entry.is_of_system && !window.lets_in(entry.user) &&
           lacks(window, job) < lacking;
  });
}

}  // namespace berth::audit

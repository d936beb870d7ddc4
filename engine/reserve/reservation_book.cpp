#include "engine/reserve/reservation_book.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

void ReservationBook::started(const Request& request, Time now, Time planned_end) {
  advance(now);
  const auto held = reservations_.find(index(request.job));
  if (held != reservations_.end()) {
    const auto reservation = held->second;
    let_go(request.job, reservation);
  }
  Running running{request.size, planned_end, now};
  if (planned_end > now && profile_.least(now, planned_end) >= request.size) {
    profile_.claim(request.size, now, planned_end);
    running.until = planned_end;
  } else if (planned_end > now) {
    stale_ = true;
  }
  running_[index(request.job)] = running;
  running_order_.push_back(request.job);
}

void ReservationBook::stopped(JobId job, Time now) {
  advance(now);
  const auto at = running_.find(index(job));
  BERTH_ASSERT(at != running_.end());
  const Running running = at->second;
  running_.erase(at);
  std::erase(running_order_, job);
  profile_.release(running.size, now, std::max(now, running.until));
  ended_early_ = ended_early_ || running.planned_end > now;
}

Updated ReservationBook::update(std::span<const Request> members,
                                std::span<const Release> late, Time now,
                                Compress compress_when) {
  advance(now);
  const bool ended_early = std::exchange(ended_early_, false);
  const bool missed = !by_start_.empty() && by_start_.begin()->first < now;
  if (!extend(late, now) || missed || stale_) {
    rebuild(members, late, now);
    return Updated::kRebuilt;
  }
  if (ended_early || compress_when == Compress::kEveryPass) {
    if (compress(members, now)) return Updated::kCompressed;
    rebuild(members, late, now);
    return Updated::kRebuilt;
  }
  return place_new(members, now) ? Updated::kPlaced : Updated::kUnchanged;
}

void ReservationBook::rebuild(std::span<const Request> members,
                              std::span<const Release> late, Time now) {
  profile_ = AvailabilityProfile(now, profile_.capacity());
  stale_ = false;
  const auto before = std::exchange(reservations_, {});
  by_start_.clear();
  for (const auto& release : late) running_.at(index(release.job)).until = release.at;
  for (const JobId job : running_order_) {
    auto& running = running_.at(index(job));
    running.until = std::max(running.until, running.planned_end);
    profile_.claim(running.size, now, std::max(now, running.until));
  }
  for (const auto& member : members) {
    const auto start = profile_.earliest(member.size, member.planned, now);
    if (!start) continue;
    hold(member, *start);
    const auto old = before.find(index(member.job));
    const bool same = old != before.end() && old->second.start == *start;
    if (!same) changes_.push_back({member.job, *start});
  }
}

std::optional<Time> ReservationBook::place(const Request& request, Time now) {
  advance(now);
  const auto before = of(request.job);
  if (before) let_go(request.job, reservations_.at(index(request.job)));
  const auto start = profile_.earliest(request.size, request.planned, now);
  if (start) hold(request, *start);
  if (start != before) changes_.push_back({request.job, start});
  return start;
}

void ReservationBook::drop(JobId job) {
  const auto at = reservations_.find(index(job));
  if (at == reservations_.end()) return;
  const auto reservation = at->second;
  let_go(job, reservation);
  changes_.push_back({job, std::nullopt});
}

std::optional<Time> ReservationBook::of(JobId job) const {
  const auto at = reservations_.find(index(job));
  if (at == reservations_.end()) return std::nullopt;
  return at->second.start;
}

void ReservationBook::due(Time now, std::vector<JobId>& out) const {
  out.clear();
  for (const auto& [start, job] : by_start_) {
    if (start > now) break;
    out.push_back(job);
  }
}

std::optional<Time> ReservationBook::next(Time now) const {
  const auto later =
      std::find_if(by_start_.begin(), by_start_.end(),
                   [now](const auto& entry) { return entry.first > now; });
  if (later == by_start_.end()) return std::nullopt;
  return later->first;
}

std::optional<Time> ReservationBook::earliest(std::int64_t amount, Duration length,
                                              Time from, Time now) {
  advance(now);
  return profile_.earliest(amount, length, from);
}

std::int64_t ReservationBook::free_at(Time t, Time now) {
  advance(now);
  return profile_.free_at(t);
}

void ReservationBook::advance(Time now) {
  if (now > profile_.start()) profile_.advance(now);
}

void ReservationBook::hold(const Request& request, Time start) {
  profile_.claim(request.size, start, after(start, request.planned));
  reservations_[index(request.job)] = {start, request.size, request.planned};
  by_start_.emplace(start, request.job);
}

void ReservationBook::let_go(JobId job, const Reservation& reservation) {
  const Time from = std::max(reservation.start, profile_.start());
  profile_.release(reservation.size, from,
                   std::max(from, after(reservation.start, reservation.planned)));
  by_start_.erase({reservation.start, job});
  reservations_.erase(index(job));
}

// Lets the claims of jobs that overran reach to the ends now expected of them; false if
// a reservation is in the way of one.
bool ReservationBook::extend(std::span<const Release> late, Time now) {
  for (const auto& release : late) {
    auto& running = running_.at(index(release.job));
    const Time from = std::max(now, running.until);
    if (release.at <= from) continue;
    if (profile_.least(from, release.at) < running.size) return false;
    profile_.claim(running.size, from, release.at);
    running.until = release.at;
  }
  return true;
}

bool ReservationBook::place_new(std::span<const Request> members, Time now) {
  bool any = false;
  for (const auto& member : members) {
    if (reservations_.contains(index(member.job))) continue;
    any = place(member, now).has_value() || any;
  }
  return any;
}

// false: somebody would move later, so the whole has to be rebuilt.
bool ReservationBook::compress(std::span<const Request> members, Time now) {
  for (const auto& member : members) {
    const auto before = of(member.job);
    const auto start = place(member, now);
    if (before && (!start || *start > *before)) return false;
  }
  return true;
}

}  // namespace berth

#include "engine/reserve/reservation_book.hpp"

#include <algorithm>
#include <limits>

#include "engine/base/error.hpp"

namespace berth {

namespace {

constexpr auto kAnySize = std::numeric_limits<std::int64_t>::max();

}  // namespace

void ReservationBook::started(const Request& request, Time now, Time planned_end) {
  advance(now);
  Running begun{request.job, request.size, planned_end, now};
  if (is_as_reserved(request, now, planned_end)) {
    forget(request.job);  // the running job keeps its claim
    begun.until = planned_end;
  } else {
    if (const auto* held = reservations_.find(request.job)) {
      // On a faster place than it was promised it ends early.
      ended_early_ = ended_early_ || after(held->start, held->planned) > planned_end;
      give_up(request.job);
    }
    if (calendar_.settle(request, now, planned_end)) {
      calendar_.claim(request.job, request.size, now, planned_end);
      begun.until = planned_end;
    } else if (planned_end > now) {
      stale_ = true;
    }
  }
  in_running_.open(request.job) = running_.size();
  running_.push_back(begun);
  first_end_ = std::min(first_end_, begun.until);
  if (ends_.size() > 0) ends_.push({begun.until, request.job});
}

void ReservationBook::stopped(JobId job, Time now) {
  advance(now);
  const auto ended = take_running(job);
  calendar_.release(job, ended.size, now, std::max(now, ended.until));
  calendar_.forget(job);
  const bool is_early = ended.until > now || rule_.ends_early(ended.planned_end, now);
  ended_early_ = ended_early_ || is_early;
}

std::vector<JobClaim> ReservationBook::claims(Time now) {
  std::vector<JobClaim> all;
  budget_.charge_each(running_.size() + reservations_.size());
  all.reserve(running_.size() + reservations_.size());
  for (const auto& it : running_) {
    if (it.until > now) all.push_back({it.job, it.size, now, it.until});
  }
  for (const JobId job : due(kNever)) {
    const auto& held = reservations_[job];
    const Time from = std::max(held.start, now);
    all.push_back({job, held.size, from, after(held.start, held.planned)});
  }
  return all;
}

void ReservationBook::keep_free(const IdleBlocks& blocks, Time now) {
  calendar_.keep_free(blocks, now, claims(now));
  is_overbooked_ = is_overbooked_ || calendar_.is_overbooked(now, kNever);
}

void ReservationBook::announced(Time now) {
  stale_ = true;
  if (!calendar_.keeps_free()) return;
  advance(now);
  calendar_.announced(now, claims(now));
  is_overbooked_ = is_overbooked_ || calendar_.is_overbooked(now, kNever);
}

Updated ReservationBook::update(const Members& all, Time now, Compress compress_when) {
  const auto members = all.list;
  advance(now);
  if (!all.is_all) drop_others(all);
  const bool ended_early = std::exchange(ended_early_, false);
  extend_late(now);
  const bool moves = ended_early || compress_when == Compress::kEveryPass;
  if (stale_ || has_missed(now) || (moves && !compress(members, now, compress_when))) {
    rebuild_now(members, now);
    return Updated::kRebuilt;
  }
  if (moves) return Updated::kCompressed;
  return place_new(members, now) ? Updated::kPlaced : Updated::kUnchanged;
}

// Whether a reservation lies before now, or is due now while a late job holds its
// processors.  What is kept free may be held by jobs while no reservation is due.
bool ReservationBook::has_missed(Time now) {
  const bool is_short = is_overbooked_ && calendar_.is_overbooked(now, now + 1);
  if (is_short && !calendar_.keeps_free()) return true;
  by_start_.trim([&](const auto& entry) { return is_live(entry); });
  by_start_.up_to(is_short ? now : now - 1, found_);
  return std::any_of(found_.begin(), found_.end(),
                     [&](const auto& entry) { return is_live(entry); });
}

void ReservationBook::rebuild(const Members& members, Time now) {
  advance(now);
  if (!members.is_all) drop_others(members);
  rebuild_now(members.list, now);
}

// Entries and profile change together: what a job held is given back before anything is
// made anew.
void ReservationBook::drop_others(const Members& members) {
  const auto has_one = [this](const Request& each) {
    return reservations_.has(each.job);
  };
  const auto kept = std::count_if(members.list.begin(), members.list.end(), has_one);
  if (std::cmp_equal(kept, reservations_.size())) return;
  std::vector<JobId> named;
  budget_.charge_each(members.list.size() + reservations_.size());
  for (const auto& each : members.list) named.push_back(each.job);
  std::sort(named.begin(), named.end());
  for (const JobId job : due(kNever)) {
    if (!std::binary_search(named.begin(), named.end(), job)) drop(job);
  }
}

void ReservationBook::rebuild_now(std::span<const Request> members, Time now) {
  stale_ = is_overbooked_ = false;
  claim_running(now);
  if (calendar_.keeps_free()) is_overbooked_ = calendar_.is_overbooked(now, kNever);
  by_start_.clear();
  budget_.charge_each(members.size());
  for (const auto& member : members) place_unclaimed(member, now);
}

// Their order counts only while they are claimed anew.
ReservationBook::Running ReservationBook::take_running(JobId job) {
  const auto place = in_running_[job];
  in_running_.close(job);
  const auto taken = running_[place];
  if (place + 1 < running_.size()) {
    running_[place] = running_.back();
    in_running_[running_[place].job] = place;
  }
  running_.pop_back();
  return taken;
}

void ReservationBook::claim_running(Time now) {
  budget_.charge_each(running_.size());
  const auto sooner = [](const Running& a, const Running& b) {
    return a.until < b.until;
  };
  for (auto& it : running_) {
    if (it.until <= now) it.until = end_of_claim(it, now);
  }
  if (!std::is_sorted(running_.begin(), running_.end(), sooner)) {
    std::sort(running_.begin(), running_.end(), sooner);
    for (std::size_t i = 0; i < running_.size(); ++i) {
      in_running_[running_[i].job] = i;
    }
  }
  reset_to_running(now);
  first_end_ = running_.empty() ? kNever : running_.front().until;
  ends_.clear();
}

void ReservationBook::reset_to_running(Time now) {
  budget_.charge_each(running_.size());
  held_.clear();
  for (const auto& it : running_) held_.push_back({it.job, it.size, it.until});
  calendar_.reset(now, held_);
}

// REQUIRES: the profile has no claim of the member's reservation.
void ReservationBook::place_unclaimed(const Request& member, Time now) {
  const auto start = calendar_.earliest(member, now);
  auto* held = reservations_.find(member.job);
  if (!start) {
    if (held == nullptr) return;
    reservations_.close(member.job);
    changes_.push_back({member.job, std::nullopt});
    return;
  }
  if (held == nullptr || held->start != *start)
    changes_.push_back({member.job, *start});
  calendar_.reserve(member, *start);
  const Reservation now_held{*start, member.size, member.planned};
  if (held != nullptr) {
    *held = now_held;
  } else {
    reservations_.open(member.job) = now_held;
  }
  by_start_.push({*start, member.job});
  ++version_;
}

std::optional<Time> ReservationBook::place(const Request& request, Time now) {
  advance(now);
  const auto before = of(request.job);
  if (before) give_up(request.job);
  const auto start = calendar_.earliest(request, now);
  if (start) hold(request, *start);
  if (start != before) changes_.push_back({request.job, start});
  return start;
}

bool ReservationBook::restore(const Request& request, Time start, Time now) {
  BERTH_ASSERT(!reservations_.has(request.job));
  advance(now);
  const bool has_room = start >= now && calendar_.earliest(request, start) == start;
  if (!has_room) {
    stale_ = true;
    return false;
  }
  hold(request, start);
  changes_.push_back({request.job, start});
  return true;
}

void ReservationBook::drop(JobId job) {
  if (!reservations_.has(job)) return;
  give_up(job);
  changes_.push_back({job, std::nullopt});
}

std::optional<Time> ReservationBook::of(JobId job) const {
  const auto* reservation = reservations_.find(job);
  return reservation == nullptr ? std::nullopt : std::optional(reservation->start);
}

std::span<const JobId> ReservationBook::due(Time now) {
  by_start_.up_to(now, found_);
  std::erase_if(found_, [&](const auto& entry) { return !is_live(entry); });
  std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
    return a.start != b.start ? a.start < b.start : a.job < b.job;
  });
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  due_.clear();
  budget_.charge_each(found_.size());
  for (const auto& entry : found_) due_.push_back(entry.job);
  return due_;
}

std::optional<Time> ReservationBook::next(Time now) const {
  return by_start_.first_behind(now, [&](const auto& entry) { return is_live(entry); });
}

std::optional<Time> ReservationBook::earliest(std::int64_t amount, Duration length,
                                              Time from, Time now) {
  advance(now);
  return calendar_.earliest_of(amount, length, from);
}

std::int64_t ReservationBook::free_at(Time t, Time now) {
  advance(now);
  return calendar_.free_at(t);
}

void ReservationBook::advance(Time now) {
  if (now > calendar_.start()) calendar_.advance(now);
}

void ReservationBook::hold(const Request& request, Time start) {
  calendar_.reserve(request, start);
  reservations_.open(request.job) = {start, request.size, request.planned};
  by_start_.push({start, request.job});
  ++version_;
}

void ReservationBook::forget(JobId job) {
  reservations_.close(job);
  tidy_starts();
}

// Dead starts stay until an update finds them on top, or they are the majority.
void ReservationBook::tidy_starts() {
  constexpr std::size_t kDead = 32;
  if (by_start_.size() <= 2 * reservations_.size() + kDead) return;
  by_start_.sweep([&](const auto& entry) { return is_live(entry); });
}

bool ReservationBook::is_live(const StartHeap::Entry& entry) const {
  const auto* reservation = reservations_.find(entry.job);
  return reservation != nullptr && reservation->start == entry.start;
}

void ReservationBook::give_up(JobId job) {
  const auto reservation = reservations_[job];
  const Time from = std::max(reservation.start, calendar_.start());
  const Time to = std::max(from, after(reservation.start, reservation.planned));
  calendar_.release(job, reservation.size, from, to);
  calendar_.forget(job);
  forget(job);
}

bool ReservationBook::is_as_reserved(const Request& request, Time now,
                                     Time planned_end) const {
  const auto* held = reservations_.find(request.job);
  return held != nullptr && held->start == now && held->size == request.size &&
         after(now, held->planned) == planned_end &&
         calendar_.sits_as_named(request.job);
}

// Extends the claims of jobs that overrun to their expected ends, over reservations
// if need be.
void ReservationBook::extend_late(Time now) {
  if (is_overbooked_) is_overbooked_ = calendar_.is_overbooked(now, kNever);
  if (first_end_ > now) return;
  find_late(now);
  budget_.charge_each(late_.size());
  for (const JobId job : late_) {
    auto& it = running_[in_running_[job]];
    if (it.until <= now) extend(it, now, now);  // else the job is named twice
  }
}

void ReservationBook::prolong(JobId job, Time planned_end, Time now) {
  advance(now);
  auto& it = running_[in_running_[job]];
  it.planned_end = planned_end;
  if (it.until > now) extend(it, it.until, now);
}

// A release is what the calendar finds gained.
void ReservationBook::gained(const Request& request, Time now) {
  advance(now);
  const Time until = after(now, request.planned);
  const bool is_named = in_running_.has(request.job);
  if (!is_named) (void)calendar_.settle(request, now, until);
  calendar_.claim(request.job, request.size, now, until);
  calendar_.release(request.job, request.size, now, until);
  if (!is_named) calendar_.forget(request.job);
  ended_early_ = true;
}

// Claims what it is expected to hold from then on.
void ReservationBook::extend(Running& it, Time from, Time now) {
  it.until = end_of_claim(it, now);
  calendar_.claim(it.job, it.size, from, it.until);
  is_overbooked_ =
      is_overbooked_ || (it.until > from && calendar_.is_overbooked(from, it.until));
  first_end_ = std::min(first_end_, it.until);
  if (ends_.size() > 0) ends_.push({it.until, it.job});
}

// The jobs whose claims have ended, and the first end of those that have not.  A few
// running jobs are looked at one by one, of many their ends are kept by time.
void ReservationBook::find_late(Time now) {
  constexpr std::size_t kFew = 256;
  late_.clear();
  if (running_.size() > kFew) return take_late(now);
  ends_.clear();
  first_end_ = kNever;
  budget_.charge_each(running_.size());
  for (const auto& it : running_) {
    if (it.until <= now) {
      late_.push_back(it.job);
    } else {
      first_end_ = std::min(first_end_, it.until);
    }
  }
}

void ReservationBook::take_late(Time now) {
  if (ends_.size() == 0 || ends_.size() > 2 * running_.size()) {
    budget_.charge_each(running_.size());
    ends_.clear();
    for (const auto& it : running_) ends_.push({it.until, it.job});
  }
  ends_.take_up_to(now, found_);
  budget_.charge_each(found_.size());
  for (const auto& end : found_) {
    const auto* place = in_running_.find(end.job);
    const bool is_live = place != nullptr && running_[*place].until == end.start;
    if (is_live) late_.push_back(end.job);
  }
  first_end_ = ends_.earliest();
}

// A job whose planned end is now has no claim while its end may be handled yet: what is
// reserved from now on is not late.
Time ReservationBook::end_of_claim(const Running& it, Time now) const {
  const bool is_due = it.planned_end == now && !rule_.has_overrun(now, now);
  return is_due ? now : rule_.expected_end(it.planned_end, now);
}

bool ReservationBook::place_new(std::span<const Request> members, Time now) {
  if (reservations_.size() == members.size()) return false;
  bool any = false;
  budget_.charge_each(members.size());
  for (const auto& member : members) {
    if (reservations_.has(member.job)) continue;
    any = place(member, now).has_value() || any;
  }
  return any;
}

// Moves members forward, in order; false: one cannot keep its reservation.
bool ReservationBook::compress(std::span<const Request> members, Time now,
                               Compress how) {
  if (how == Compress::kStartNow) {
    if (is_overbooked_ && !calendar_.keeps_free()) return false;
    pull_to_now(members, now);
    return true;
  }
  calendar_.begin_round();
  budget_.charge_each(members.size());
  const bool asks_anew = is_overbooked_ || calendar_.differs_by_job();
  for (const auto& member : members) {
    auto* held = reservations_.find(member.job);
    if (held == nullptr) {
      (void)place(member, now);
    } else if (asks_anew) {
      if (!replace(member.job, *held, now)) return false;
    } else {
      const Time start = calendar_.earlier(request_of(member.job, *held), held->start);
      if (start != kNever) move_forward(member.job, *held, start);
    }
  }
  is_overbooked_ = calendar_.keeps_free() && calendar_.is_overbooked(now, kNever);
  return true;
}

// Moves the reservation to its earliest start; false: that is later than before.
bool ReservationBook::replace(JobId job, Reservation& held, Time now) {
  const Time before = held.start;
  const auto request = request_of(job, held);
  calendar_.release(job, held.size, before, after(before, held.planned));
  const auto start = calendar_.earliest(request, now);
  const Time chosen = start ? std::min(*start, before) : before;
  if (start && *start <= before) {
    calendar_.reserve(request, chosen);
  } else {
    calendar_.claim(job, held.size, chosen, after(chosen, held.planned));
  }
  if (chosen < before) note_start(job, held, chosen);
  return start && *start <= before;
}

void ReservationBook::pull_to_now(std::span<const Request> members, Time now) {
  budget_.charge_each(members.size());
  // More than is free for all may be for some.
  const auto free_now = [&] {
    return calendar_.differs_by_job() ? kAnySize : free_at(now, now);
  };
  auto free = free_now();
  for (const auto& member : members) {
    auto* held = reservations_.find(member.job);
    if (held == nullptr) {
      (void)place(member, now);
    } else if (held->size <= free &&
               calendar_.fits_at(request_of(member.job, *held), now, held->start)) {
      move_forward(member.job, *held, now);
    } else {
      continue;
    }
    free = free_now();
  }
}

void ReservationBook::move_forward(JobId job, Reservation& held, Time start) {
  calendar_.move(request_of(job, held), held.start, start);
  note_start(job, held, start);
}

void ReservationBook::note_start(JobId job, Reservation& held, Time start) {
  held.start = start;
  by_start_.push({start, job});
  ++version_;
  tidy_starts();
  changes_.push_back({job, start});
}

}  // namespace berth

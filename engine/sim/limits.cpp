#include "engine/sim/limits.hpp"

#include <algorithm>
#include <utility>

namespace berth::sim {

namespace {

Limits::Part inside(LimitCounts::Set set) { return 2 * set; }
Limits::Part outside(LimitCounts::Set set) { return 2 * set + 1; }

}  // namespace

Limits::Limits(std::shared_ptr<const LimitSettings> settings, const JobTable& jobs,
               Move move, QueueParts::Hides hides)
    : settings_(std::move(settings)),
      jobs_(jobs),
      move_(std::move(move)),
      counts_(*settings_),
      parts_(jobs.size()),
      is_member_(jobs.size()),
      waits_(jobs.size()),
      stands_together_(jobs.size()) {
  if (settings_->stop) parts_.hide_if(std::move(hides));
}

std::optional<LimitBar> Limits::arrive(JobId job, Time now) {
  now_ = now;
  const auto& asked = jobs_.job(job);
  const Set set = counts_.set_of(asked);
  if (set >= waiting_.size()) {
    waiting_.resize(set + 1);
    for (const Part part : {outside(set), inside(set)}) {
      parts_.put(job, part);
      parts_.set_tier(part, counts_.tier(set));
    }
    parts_.set_room(outside(set), 0);
    parts_.set_room(inside(set), counts_.room(set));
    barred_.set_room(set, counts_.room(set), now_);
  }
  parts_.put(job, inside(set));
  settle();
  return counts_.never(set, asked.size);
}

// Those that stand together are of tier 0.
void Limits::entered(JobId job, JobState as, Time now) {
  ++changes_;
  now_ = now;
  is_member_[index(job)] = true;
  auto& waiting = waiting_[set(job)];
  if (waiting.length++ == 0) {
    waiting.together.clear();
    waiting.largest = 0;
    waiting.is_apart = counts_.tier(set(job)) != 0;
  }
  parts_.put(job, inside(set(job)));
  waits_[index(job)] = as == JobState::kWaiting;
  if (as == JobState::kWaiting) {
    const auto size = jobs_.job(job).size;
    counts_.wait(set(job), job, size);
    barred_.enter(job, set(job), size, now);
    if (counts_.is_outside(job)) barred_.go_outside(job, set(job), size, now);
  }
  if (counts_.is_outside(job)) {
    const Part part = outside(set(job));
    parts_.put(job, part);
    stands_together_[index(job)] = false;
    move_(job, nullptr, &part);
  } else {
    put_inside(job, nullptr);
  }
  settle();
}

void Limits::left(JobId job, Time now) {
  ++changes_;
  now_ = now;
  is_member_[index(job)] = false;
  --waiting_[set(job)].length;
  counts_.leave(set(job), job);
  if (waits_[index(job)]) barred_.leave(job, set(job), jobs_.job(job).size, now);
  settle();
}

// The member, which is of the set's own part now, leaves the other one.
void Limits::put_inside(JobId job, const Part* from) {
  auto& waiting = waiting_[set(job)];
  const Part part = inside(set(job));
  stands_together_[index(job)] = !waiting.is_apart;
  if (waiting.is_apart) return move_(job, from, &part);
  if (from != nullptr) move_(job, from, nullptr);
  waiting.together.push_back(job);
  const std::int64_t size = jobs_.job(job).size;
  waiting.largest = std::max(waiting.largest, size);
  if (waiting.together.size() > 64 + 2 * waiting.length) forget_others(waiting);
  if (size > parts_.room(part)) separate(set(job));
}

bool Limits::may_stop(JobId job) const {
  return !counts_.is_outside(job) && counts_.bar(set(job), jobs_.job(job).size);
}

const std::optional<Place>& Limits::stop(const FindStop& find) const {
  if (stop_as_of_ != changes_) {
    stop_ = find();
    stop_as_of_ = changes_;
  }
  return stop_;
}

// By what no start or stop changes.
std::optional<LimitBar> Limits::bar_in_queue(JobId job) const {
  if (counts_.is_outside(job)) return counts_.bar_outside(set(job), job);
  if (parts_.hides(job)) return LimitBar{LimitBar::Kind::kAhead};
  return std::nullopt;
}

std::optional<LimitBar> Limits::bar(std::span<const JobId> starting,
                                    std::span<const JobId> gone) {
  std::optional<LimitBar> last;
  for (const JobId each : starting) {
    if (!last) last = bar_in_queue(each);
  }
  for (const JobId each : gone) counts_.release(set(each), jobs_.job(each).size);
  std::optional<LimitBar> found;
  std::optional<LimitBar> borrows;
  std::size_t held = 0;
  for (; held < starting.size(); ++held) {
    const JobId each = starting[held];
    const auto size = jobs_.job(each).size;
    found = counts_.bar(set(each), size);
    if (found) break;
    if (!borrows) borrows = counts_.borrows(set(each), size);
    // What the last one holds bars no other.
    if (held + 1 == starting.size()) break;
    counts_.put_aside(each);
    counts_.hold(set(each), size);
  }
  for (const JobId each : starting.first(held)) {
    counts_.release(set(each), jobs_.job(each).size);
    counts_.give_back(each);
  }
  for (const JobId each : gone) counts_.hold(set(each), jobs_.job(each).size);
  settle();
  if (found || !borrows) return found ? found : last;
  const bool waits_outside = last && last->kind == LimitBar::Kind::kWaiting;
  return waits_outside ? last : borrows;
}

void Limits::hold(JobId job, Time now) {
  ++changes_;
  now_ = now;
  counts_.hold(set(job), jobs_.job(job).size);
  settle();
}

void Limits::release(JobId job, Time now) {
  ++changes_;
  now_ = now;
  counts_.release(set(job), jobs_.job(job).size);
  settle();
}

void Limits::settle() {
  for (const Set set : counts_.changed()) {
    const auto room = counts_.room(set);
    parts_.set_room(inside(set), room);
    barred_.set_room(set, room, now_);
    auto& waiting = waiting_[set];
    const bool hides_some = waiting.length > 0 && waiting.largest > room;
    if (hides_some && !waiting.is_apart) separate(set);
  }
  for (const JobId job : counts_.moved()) {
    if (!is_member_[index(job)]) continue;
    const bool is_outside = counts_.is_outside(job);
    const Part before = parts_.part_of(job);
    const Part after = is_outside ? outside(set(job)) : inside(set(job));
    if (before == after) continue;
    const bool was_apart = is_apart(job);
    parts_.put(job, after);
    const auto size = jobs_.job(job).size;
    if (!is_outside) {
      barred_.come_inside(job, set(job), size, now_);
      put_inside(job, &before);
      continue;
    }
    barred_.go_outside(job, set(job), size, now_);
    stands_together_[index(job)] = false;
    move_(job, was_apart ? &before : nullptr, &after);
  }
  counts_.forget_changes();
}

void Limits::separate(Set set) {
  auto& waiting = waiting_[set];
  forget_others(waiting);
  waiting.is_apart = true;
  const Part part = inside(set);
  for (const JobId job : waiting.together) {
    stands_together_[index(job)] = false;
    move_(job, nullptr, &part);
  }
  waiting.together.clear();
}

// A job that left and came back is in more than once.
void Limits::forget_others(Waiting& waiting) const {
  auto& jobs = waiting.together;
  std::erase_if(jobs, [this](JobId job) {
    return !is_member_[index(job)] || !stands_together_[index(job)];
  });
  std::sort(jobs.begin(), jobs.end());
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
}

std::optional<Place> ShownOrder::next(const Place* after) const {
  auto at = all_.next(after);
  while (at && !limits_.shows(at->job)) at = all_.next(&*at);
  return at;
}

std::optional<Place> ShownOrder::next(const Place* after,
                                      const Staircase& under) const {
  auto at = all_.next(after, under);
  while (at && !limits_.shows(at->job)) at = all_.next(&*at, under);
  return at;
}

std::optional<Place> ShownOrder::next_if(const Place* after, std::int64_t size) const {
  const auto at = next(after);
  if (!at || next(after, Staircase(size)) != at) return std::nullopt;
  return at;
}

std::vector<JobQueue::Member> ShownOrder::all() const {
  auto members = all_.all();
  std::erase_if(members, [this](const JobQueue::Member& each) {
    return !limits_.shows(each.place.job);
  });
  return members;
}

}  // namespace berth::sim

#include "engine/queue/parted_queue.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

namespace {

std::size_t members_up_to(const JobQueue& queue, std::int64_t most) {
  if (most == QueueParts::kAnySize) return queue.length();
  std::size_t length = 0;
  if (most <= 0) return length;
  queue.for_each(
      [&](const JobQueue::Member& each) { length += each.size <= most ? 1 : 0; });
  return length;
}

}  // namespace

void PartedQueue::erase(Part part, Place place) {
  const auto at = apart_.find(part);
  at->second.erase(place);
  if (at->second.empty()) apart_.erase(at);
}

// The first of what `next(queue, after, room)` finds in each queue.
template <class Next>
std::optional<Place> PartedQueue::View::first(const Place* after,
                                              const Next& next) const {
  const auto tier_before = after == nullptr ? std::numeric_limits<std::int32_t>::max()
                                            : parts_.tier_of(after->job);
  std::optional<Place> best;
  std::int32_t best_tier = 0;
  const auto look = [&](const JobQueue& queue, std::int32_t tier, std::int64_t room) {
    if (room <= 0 || tier > tier_before) return;
    const auto found = next(queue, tier == tier_before ? after : nullptr, room);
    const bool is_first =
        found && (!best || tier > best_tier || (tier == best_tier && *found < *best));
    if (!is_first) return;
    best = found;
    best_tier = tier;
  };
  look(together_, 0, QueueParts::kAnySize);
  for (const auto& [part, queue] : apart_) look(queue, parts_.tier(part), room(part));
  return best;
}

template <class Next>
std::optional<Place> PartedQueue::View::first_shown(const Place* after,
                                                    const Next& next) const {
  auto found = first(after, next);
  if (!hides_some()) return found;
  while (found && parts_.hides(found->job)) {
    if (shows_ == Shows::kUpToHidden) return std::nullopt;
    found = first(&*found, next);
  }
  return found;
}

std::optional<Place> PartedQueue::View::next(const Place* after) const {
  return first_shown(
      after, [](const JobQueue& queue, const Place* behind, std::int64_t room) {
        return room == QueueParts::kAnySize ? queue.next(behind)
                                            : queue.next(behind, Staircase(room));
      });
}

std::optional<Place> PartedQueue::View::next(const Place* after,
                                             const Staircase& under) const {
  return first_shown(
      after, [&](const JobQueue& queue, const Place* behind, std::int64_t room) {
        if (room >= under.widest()) return queue.next(behind, under);
        Staircase both(room);
        for (const auto& step : under.steps()) {
          // A step holds up to its reach, and the next one beyond.
          const bool is_last = &step == &under.steps().back();
          if (!is_last) both.limit_beyond(step.reach, (&step + 1)->free);
        }
        return queue.next(behind, both);
      });
}

std::optional<Place> PartedQueue::View::next_if(const Place* after,
                                                std::int64_t size) const {
  const auto found = next(after);
  if (!found) return std::nullopt;
  const auto small = next(after, Staircase(size));
  return small == found ? found : std::nullopt;
}

bool PartedQueue::View::has_up_to(std::int64_t size) const {
  if (hides_some()) return next(nullptr, Staircase(size)).has_value();
  if (together_.has_up_to(size)) return true;
  return std::any_of(apart_.begin(), apart_.end(), [&](const auto& each) {
    return each.second.has_up_to(std::min(size, room(each.first)));
  });
}

std::optional<Place> PartedQueue::View::least() const {
  BERTH_ASSERT(shows_ == Shows::kAll);
  auto least = together_.head();
  for (const auto& [part, queue] : apart_) {
    const auto head = queue.head();
    if (!least || *head < *least) least = head;
  }
  return least;
}

template <class Look>
void PartedQueue::View::for_each(const Look& look) const {
  const auto look_at = [&](const JobQueue::Member& each) {
    if (!hides_some() || !parts_.hides(each.place.job)) look(each);
  };
  together_.for_each(look_at);
  for (const auto& [part, queue] : apart_) {
    const auto most = room(part);
    if (most <= 0) continue;
    queue.for_each([&](const JobQueue::Member& each) {
      if (each.size <= most) look_at(each);
    });
  }
}

std::size_t PartedQueue::View::length() const {
  std::size_t length = 0;
  if (hides_some()) {
    for_each([&](const JobQueue::Member&) { ++length; });
    return length;
  }
  length = together_.length();
  for (const auto& [part, queue] : apart_) length += members_up_to(queue, room(part));
  return length;
}

std::vector<JobQueue::Member> PartedQueue::View::all() const {
  std::vector<JobQueue::Member> members;
  members.reserve(together_.length());
  for_each([&](const JobQueue::Member& each) { members.push_back(each); });
  std::sort(members.begin(), members.end(),
            [&](const auto& a, const auto& b) { return is_before(a.place, b.place); });
  return members;
}

bool PartedQueue::View::is_before(const Place& a, const Place& b) const {
  const auto tier_a = parts_.tier_of(a.job);
  const auto tier_b = parts_.tier_of(b.job);
  return tier_a != tier_b ? tier_a > tier_b : a < b;
}

}  // namespace berth

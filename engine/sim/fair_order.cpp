#include "engine/sim/fair_order.hpp"

#include <algorithm>
#include <iterator>

#include "engine/share/shares.hpp"

namespace berth::sim {

namespace {

// Where to begin in the queues of the class of this label; nullopt: at their heads.
std::optional<Place> begin_of(const Place* after, double label) {
  if (after == nullptr || after->key != label) return std::nullopt;
  return Place{0.0, after->job};
}

}  // namespace

Place FairOrder::place(JobId job, const Job& asked) const {
  const auto number = shares_.of(asked);
  return {number < users_.size() ? users_[number].label : 0.0, job};
}

FairOrder::User& FairOrder::user(Number number) {
  if (number >= users_.size()) users_.resize(number + 1);
  return users_[number];
}

void FairOrder::enter(JobId job, const Job& asked, Duration planned, Time now) {
  const auto number = shares_.of(asked);
  auto& owner = user(number);
  if (owner.members.empty()) rank(number, now);
  owner.members.insert({{0.0, job}, asked.size, planned});
  ++length_;
}

void FairOrder::leave(JobId job, const Job& asked) {
  const auto number = shares_.of(asked);
  auto& owner = users_[number];
  owner.members.erase({0.0, job});
  --length_;
  if (!owner.members.empty()) return;
  ranked_.erase(std::find_if(ranked_.begin(), ranked_.end(),
                             [&](const Ranked& each) { return each.user == number; }));
}

// Puts a user among the others without a change of their labels, as long as there is a
// number between two of them.
void FairOrder::rank(Number number, Time now) {
  const double standing = shares_.standing(number, now);
  const auto at = std::lower_bound(
      ranked_.begin(), ranked_.end(), standing,
      [](const Ranked& each, double value) { return each.standing < value; });
  const bool is_last = at == ranked_.end();
  double label = 0;
  bool is_full = false;  // there is no number in between
  if (!is_last && at->standing == standing) {
    label = at->label;
  } else if (is_last || at == ranked_.begin()) {
    if (!ranked_.empty()) label = is_last ? ranked_.back().label + 1 : at->label - 1;
  } else {
    label = (std::prev(at)->label + at->label) / 2;
    is_full = label <= std::prev(at)->label || label >= at->label;
  }
  ranked_.insert(at, {standing, label, number});
  users_[number].label = label;
  if (is_full) relabel();
}

void FairOrder::refresh(Time now) {
  for (auto& each : ranked_) each.standing = shares_.standing(each.user, now);
  if (!is_in_order()) {
    std::sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) {
      return a.standing != b.standing ? a.standing < b.standing : a.user < b.user;
    });
  }
  relabel();
}

void FairOrder::relabel() {
  double label = 0;
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    if (i > 0 && ranked_[i].standing != ranked_[i - 1].standing) ++label;
    users_[ranked_[i].user].label = ranked_[i].label = label;
  }
}

bool FairOrder::is_in_order() const {
  return std::is_sorted(
      ranked_.begin(), ranked_.end(),
      [](const Ranked& a, const Ranked& b) { return a.standing < b.standing; });
}

// The first of the first class that has one.  `next` finds that of one user, in order
// of arrival.
template <class Next>
std::optional<FairOrder::Found> FairOrder::search(const Place* after,
                                                  const Next& next) const {
  auto at = ranked_.begin();
  if (after != nullptr) {
    at = std::lower_bound(
        ranked_.begin(), ranked_.end(), after->key,
        [](const Ranked& each, double label) { return each.label < label; });
  }
  while (at != ranked_.end()) {
    const double label = at->label;
    const auto begin = begin_of(after, label);
    std::optional<Found> first;
    for (; at != ranked_.end() && at->label == label; ++at) {
      const auto found = next(users_[at->user].members, begin ? &*begin : nullptr);
      const bool is_first = found && (!first || found->job < first->place.job);
      if (is_first) first = Found{{label, found->job}, at->user};
    }
    if (first) return first;
  }
  return std::nullopt;
}

std::optional<Place> FairOrder::next(const Place* after) const {
  const auto found = search(after, [](const JobQueue& members, const Place* behind) {
    return members.next(behind);
  });
  return found ? std::optional(found->place) : std::nullopt;
}

std::optional<Place> FairOrder::next(const Place* after, const Staircase& under) const {
  const auto found = search(after, [&](const JobQueue& members, const Place* behind) {
    return members.has_up_to(under.widest()) ? members.next(behind, under)
                                             : std::nullopt;
  });
  return found ? std::optional(found->place) : std::nullopt;
}

std::optional<Place> FairOrder::next_if(const Place* after, std::int64_t size) const {
  const auto found = search(after, [](const JobQueue& members, const Place* behind) {
    return members.next(behind);
  });
  if (!found) return std::nullopt;
  const auto begin = begin_of(after, found->place.key);
  const auto& members = users_[found->user].members;
  const auto small = members.next_if(begin ? &*begin : nullptr, size);
  return small ? std::optional(found->place) : std::nullopt;
}

bool FairOrder::has_up_to(std::int64_t size) const {
  return std::any_of(ranked_.begin(), ranked_.end(), [&](const Ranked& each) {
    return users_[each.user].members.has_up_to(size);
  });
}

std::vector<JobQueue::Member> FairOrder::all() const {
  std::vector<JobQueue::Member> members;
  members.reserve(length_);
  for (const auto& each : ranked_) {
    users_[each.user].members.for_each([&](JobQueue::Member member) {
      member.place.key = each.label;
      members.push_back(member);
    });
  }
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  return members;
}

}  // namespace berth::sim

#include "engine/sim/fair_order.hpp"

#include <algorithm>

namespace berth::sim {

Place FairOrder::place(JobId job, const Job& asked) const {
  const auto number = shares_.of(asked);
  return {number < users_.size() ? users_[number].label : 0.0, job};
}

FairOrder::User& FairOrder::user(Number number) {
  if (number >= users_.size()) users_.resize(number + 1);
  return users_[number];
}

void FairOrder::enter(JobId job, const Job& asked, Duration planned) {
  const auto number = shares_.of(asked);
  auto& owner = user(number);
  if (owner.members.empty()) ranked_.push_back({0, number});
  owner.members.insert({job, asked.size, planned});
  members_.insert({{owner.label, job}, asked.size, planned});
}

void FairOrder::leave(JobId job, const Job& asked) {
  const auto number = shares_.of(asked);
  auto& owner = users_[number];
  members_.erase({owner.label, job});
  owner.members.erase({job, 0, 0});
  if (!owner.members.empty()) return;
  ranked_.erase(std::find_if(ranked_.begin(), ranked_.end(),
                             [&](const Ranked& each) { return each.user == number; }));
}

void FairOrder::refresh(Time now, const Moved& moved) {
  for (auto& each : ranked_) each.standing = shares_.standing(each.user, now);
  if (is_in_order()) return;
  std::sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) {
    return a.standing != b.standing ? a.standing < b.standing : a.user < b.user;
  });
  auto all = classes();
  choose_keepers(all);
  give_labels(all);
  for (const auto& each : all) {
    for (std::size_t i = each.first; i < each.end; ++i) {
      relabel(ranked_[i].user, each.label, moved);
    }
  }
}

bool FairOrder::is_in_order() const {
  for (std::size_t i = 1; i < ranked_.size(); ++i) {
    const auto& before = ranked_[i - 1];
    const auto& after = ranked_[i];
    const double label = users_[before.user].label;
    const double next = users_[after.user].label;
    const bool right = before.standing == after.standing
                           ? label == next
                           : before.standing < after.standing && label < next;
    if (!right) return false;
  }
  return true;
}

std::vector<FairOrder::Class> FairOrder::classes() const {
  std::vector<Class> all;
  std::size_t most = 0;  // members of a user of the last class
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    const auto& owner = users_[ranked_[i].user];
    const bool is_new =
        all.empty() || ranked_[all.back().first].standing != ranked_[i].standing;
    if (is_new || owner.members.size() > most) {
      most = owner.members.size();
      if (is_new) all.push_back({i, i, 0});
      all.back().label = owner.label;
    }
    ++all.back().end;
  }
  return all;
}

// The classes that keep their labels: a longest increasing sequence (Fredman 1975).
void FairOrder::choose_keepers(std::vector<Class>& classes) {
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> last;  // by length: the end of the best such sequence
  std::vector<std::size_t> before(classes.size(), kNone);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto at = std::lower_bound(
        last.begin(), last.end(), classes[i].label,
        [&](std::size_t one, double label) { return classes[one].label < label; });
    if (at != last.begin()) before[i] = *(at - 1);
    if (at == last.end()) {
      last.push_back(i);
    } else {
      *at = i;
    }
  }
  for (auto i = last.empty() ? kNone : last.back(); i != kNone; i = before[i]) {
    classes[i].keeps = true;
  }
}

// The others get labels between those of their neighbours; where no number lies
// between, all are numbered anew.
void FairOrder::give_labels(std::vector<Class>& classes) {
  bool is_full = false;
  for (std::size_t i = 0; i < classes.size();) {
    if (classes[i].keeps) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < classes.size() && !classes[end].keeps) ++end;
    const auto count = static_cast<double>(end - i);
    const double low = i > 0                  ? classes[i - 1].label
                       : end < classes.size() ? classes[end].label - count - 1
                                              : 0.0;
    const double high = end < classes.size() ? classes[end].label : low + count + 1;
    for (double n = 1; i < end; ++i, ++n) {
      classes[i].label = low + (high - low) * n / (count + 1);
      if (i > 0 && classes[i].label <= classes[i - 1].label) is_full = true;
    }
    if (end < classes.size() && end > 0 && classes[end - 1].label >= high)
      is_full = true;
  }
  for (std::size_t i = 0; is_full && i < classes.size(); ++i) {
    classes[i].label = static_cast<double>(i);
  }
}

void FairOrder::relabel(Number number, double label, const Moved& moved) {
  auto& owner = users_[number];
  if (owner.label == label) return;
  for (const auto& each : owner.members) members_.erase({owner.label, each.job});
  owner.label = label;
  for (const auto& each : owner.members) {
    members_.insert({{label, each.job}, each.size, each.planned});
    moved(each.job, label);
  }
}

}  // namespace berth::sim

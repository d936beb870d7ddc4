#include "engine/jobs/running_set.hpp"

#include <algorithm>

namespace berth {

namespace {

bool sooner(const Release& a, const Release& b) {
  return a.at != b.at ? a.at < b.at : a.job < b.job;
}

// The number of releases before this time.  Without branches on the times: one that is
// mispredicted costs more than the whole search.
std::size_t count_before(const std::vector<Release>& row, Time at) {
  // Each halving depends on the one before; the last comparisons do not.
  constexpr std::size_t kAtOnce = 8;
  const std::size_t last = row.size() < kAtOnce ? 0 : kAtOnce;
  const Release* const begin = row.data();
  const Release* first = begin;
  auto left = row.size();
  while (left > last) {
    const auto half = (left + 1) / 2;
    const bool is_less = first[half - 1].at < at;
    first += half & (std::size_t{0} - std::size_t{is_less});
    left -= half;
  }
  if (last == 0) return static_cast<std::size_t>(first - begin);
  // Releases before `first` come before `at`, those from `first + left` on do not.
  first = std::min(first, begin + row.size() - last);
  auto count = static_cast<std::size_t>(first - begin);
  for (std::size_t i = 0; i < kAtOnce; ++i) count += std::size_t{first[i].at < at};
  return count;
}

}  // namespace

inline std::ptrdiff_t RunningSet::place_of(const Release& entry) const {
  const auto first = count_before(jobs_, entry.at);
  const auto place = static_cast<std::ptrdiff_t>(first);
  const bool is_here = first == jobs_.size() || !sooner(jobs_[first], entry);
  return is_here ? place : place_among_equals(entry, place);
}

// The ends from `first` on are not before its own.
std::ptrdiff_t RunningSet::place_among_equals(const Release& entry,
                                              std::ptrdiff_t first) const {
  const auto begin = jobs_.begin() + first;
  return std::lower_bound(begin, jobs_.end(), entry, sooner) - jobs_.begin();
}

void RunningSet::insert(JobId job, std::int32_t size, Time planned_end) {
  const Release entry{planned_end, planned_end, job, size};
  if (is_long_) return put_off({entry, Change::kInsert});
  is_long_ = jobs_.size() >= kLong;
  jobs_.insert(jobs_.begin() + place_of(entry), entry);
}

void RunningSet::erase(JobId job, Time planned_end) {
  const Release entry{rule_.expected_end(planned_end, as_of_), planned_end, job, 0};
  if (is_long_) return put_off({entry, Change::kErase});
  erase_now(entry);
}

void RunningSet::erase_now(const Release& entry) const {
  const auto found = jobs_.begin() + place_of(entry);
  BERTH_ASSERT(found != jobs_.end() && found->job == entry.job &&
               found->planned_end == entry.planned_end);
  jobs_.erase(found);
}

// The row grows by a part of itself between two merges.
void RunningSet::put_off(const PutOff& change) {
  changes_.push_back(change);
  ++(change.change == Change::kInsert ? inserts_ : erasures_);
  if (changes_.size() > kLong + jobs_.size()) settle();
}

void RunningSet::make(const PutOff& change) const {
  if (change.change == Change::kErase) {
    erase_now(change.entry);
  } else {
    jobs_.insert(jobs_.begin() + place_of(change.entry), change.entry);
  }
}

void RunningSet::settle() const {
  constexpr std::size_t kFew = 4;  // cost less one by one
  if (changes_.size() > kFew) {
    merge_changes();
  } else {
    for (const auto& change : changes_) make(change);
  }
  changes_.clear();
  inserts_ = erasures_ = 0;
  is_long_ = jobs_.size() > kLong;
}

// A job may have come and gone, and come again with the same end.
void RunningSet::merge_changes() const {
  const auto before = [](const PutOff& a, const PutOff& b) {
    return sooner(a.entry, b.entry);
  };
  std::stable_sort(changes_.begin(), changes_.end(), before);
  std::vector<Release> merged;
  merged.reserve(jobs_.size() + inserts_);
  auto kept = jobs_.begin();
  for (auto at = changes_.begin(); at != changes_.end();) {
    const auto& entry = at->entry;
    while (kept != jobs_.end() && sooner(*kept, entry)) merged.push_back(*kept++);
    const bool was_in = kept != jobs_.end() && !sooner(entry, *kept);
    BERTH_ASSERT(was_in == (at->change == Change::kErase));
    if (was_in) ++kept;
    const auto last = std::upper_bound(at, changes_.end(), *at, before) - 1;
    if (last->change == Change::kInsert) merged.push_back(last->entry);
    at = last + 1;
  }
  merged.insert(merged.end(), kept, jobs_.end());
  jobs_ = std::move(merged);
}

void RunningSet::refresh(Time now) const {
  BERTH_ASSERT(now > as_of_);
  as_of_ = now;
  auto passed = jobs_.begin();
  while (passed != jobs_.end() && passed->at <= now) ++passed;
  // A job that was awaited at the instant before has overrun now, and stands among the
  // others.
  if (has_due_) passed = jobs_.end();
  if (passed == jobs_.begin()) return;
  has_due_ = false;
  for (auto it = jobs_.begin(); it != passed; ++it) {
    it->at = rule_.expected_end(it->planned_end, now);
    has_due_ = has_due_ || (rule_.due_margin > 0 && it->planned_end == now);
  }
  std::sort(jobs_.begin(), passed, sooner);
  std::inplace_merge(jobs_.begin(), passed, jobs_.end(), sooner);
}

}  // namespace berth

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

void RunningSet::erase(JobId job, Time planned_end) {
  const Time at = rule_.expected_end(planned_end, as_of_);
  const auto found = jobs_.begin() + place_of({at, planned_end, job, 0});
  BERTH_ASSERT(found != jobs_.end() && found->job == job &&
               found->planned_end == planned_end);
  jobs_.erase(found);
}

// How many come before it.
std::ptrdiff_t RunningSet::place_of(const Release& entry) const {
  auto at = jobs_.begin();
  at += static_cast<std::ptrdiff_t>(count_before(jobs_, entry.at));
  while (at != jobs_.end() && sooner(*at, entry)) ++at;  // equal ends
  return at - jobs_.begin();
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

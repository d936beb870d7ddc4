#include "engine/jobs/running_set.hpp"

#include <algorithm>

namespace berth {

namespace {

constexpr std::size_t kMostInRow = 128;

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

// How many of the row come before it.
[[gnu::always_inline]] inline std::ptrdiff_t place_in(const std::vector<Release>& row,
                                                      const Release& entry) {
  const auto first = count_before(row, entry.at);
  const auto place = static_cast<std::ptrdiff_t>(first);
  if (first == row.size() || !sooner(row[first], entry)) return place;
  return std::lower_bound(row.begin() + place, row.end(), entry, sooner) - row.begin();
}

}  // namespace

inline std::size_t RunningSet::row_of(const Release& entry) const {
  if (rows_.size() == 1) return 0;
  const auto behind = std::lower_bound(rows_.begin(), rows_.end() - 1, entry,
                                       [](const ReleaseRow& row, const Release& it) {
                                         return sooner(row.all.back(), it);
                                       });
  return static_cast<std::size_t>(behind - rows_.begin());
}

Releases::Iterator RunningSet::first_from(const Release& entry) const {
  if (rows_.empty()) return Releases(rows_).end();
  const auto row = row_of(entry);
  const auto place = static_cast<std::size_t>(place_in(rows_[row].all, entry));
  const auto* at = rows_.data() + row;
  return place == at->all.size() ? Releases::Iterator(at + 1, 0)
                                 : Releases::Iterator(at, place);
}

void RunningSet::place(const Release& entry) const {
  if (rows_.empty()) rows_.emplace_back().all.reserve(kMostInRow);
  auto at = row_of(entry);
  if (rows_[at].all.size() == kMostInRow) {
    split(at);
    at += std::size_t{sooner(rows_[at].all.back(), entry)};
  }
  auto& row = rows_[at];
  row.all.insert(row.all.begin() + place_in(row.all, entry), entry);
  row.size += entry.size;
}

void RunningSet::split(std::size_t row) const {
  constexpr auto kHalf = static_cast<std::ptrdiff_t>(kMostInRow / 2);
  ReleaseRow upper;
  upper.all.reserve(kMostInRow);
  auto& lower = rows_[row];
  upper.all.assign(lower.all.begin() + kHalf, lower.all.end());
  lower.all.resize(kMostInRow / 2);
  for (const auto& each : upper.all) upper.size += each.size;
  lower.size -= upper.size;
  rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(row) + 1, std::move(upper));
}

std::int32_t RunningSet::erase(JobId job, Time planned_end) {
  BERTH_ASSERT(!rows_.empty());
  const Release entry{rule_.expected_end(planned_end, as_of_), planned_end, job, 0};
  const auto row = row_of(entry);
  const auto& all = rows_[row].all;
  const auto found = place_in(all, entry);
  BERTH_ASSERT(static_cast<std::size_t>(found) < all.size() &&
               all[static_cast<std::size_t>(found)].job == job &&
               all[static_cast<std::size_t>(found)].planned_end == planned_end);
  const auto size = all[static_cast<std::size_t>(found)].size;
  remove(row, found);
  --size_;
  return size;
}

void RunningSet::move(JobId job, Time before, Time planned_end) {
  const auto size = erase(job, before);
  place({rule_.expected_end(planned_end, as_of_), planned_end, job, size});
  ++size_;
}

void RunningSet::resize(JobId job, Time planned_end, std::int32_t size) {
  erase(job, planned_end);
  place({rule_.expected_end(planned_end, as_of_), planned_end, job, size});
  ++size_;
}

inline void RunningSet::remove(std::size_t row, std::ptrdiff_t place) const {
  auto& in = rows_[row];
  const auto gone = in.all.begin() + place;
  in.size -= gone->size;
  in.all.erase(gone);
  const bool is_only = rows_.size() == 1;
  if (is_only ? in.all.empty() : in.all.size() < kMostInRow / 4) join(row);
}

void RunningSet::join(std::size_t row) const {
  const auto nth = [&](std::size_t i) {
    return rows_.begin() + static_cast<std::ptrdiff_t>(i);
  };
  if (rows_[row].all.empty()) return void(rows_.erase(nth(row)));
  const auto lower = nth(row == 0 ? 0 : row - 1);
  const auto upper = lower + 1;
  if (lower->all.size() + upper->all.size() > kMostInRow / 2) return;
  lower->all.insert(lower->all.end(), upper->all.begin(), upper->all.end());
  lower->size += upper->size;
  rows_.erase(upper);
}

void RunningSet::refresh(Time now) const {
  BERTH_ASSERT(now > as_of_);
  late_.clear();
  if (rule_.due_margin > 0 && as_of_ > -kNever) take_due(as_of_);
  take_passed(now);
  as_of_ = now;
  for (auto& each : late_) {
    each.at = rule_.expected_end(each.planned_end, now);
    place(each);
  }
}

// Those of which the expected end has passed, into late_.
void RunningSet::take_passed(Time now) const {
  while (!rows_.empty() && rows_.front().all.front().at <= now) {
    late_.push_back(rows_.front().all.front());
    remove(0, 0);
  }
}

// Those that were due at this instant, the last asked about: they stood a margin behind
// it, and are late now.
void RunningSet::take_due(Time due) const {
  const Release first{rule_.expected_end(due, due), due, JobId{0}, 0};
  for (Releases::Iterator at = first_from(first), end = Releases(rows_).end();
       at != end && at->at == first.at; ++at) {
    if (at->planned_end == due) late_.push_back(*at);
  }
  for (const auto& each : late_) {
    const auto row = row_of(each);
    remove(row, place_in(rows_[row].all, each));
  }
}

}  // namespace berth

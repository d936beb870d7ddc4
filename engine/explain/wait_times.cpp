#include "engine/explain/wait_times.hpp"

#include <algorithm>
#include <numeric>

namespace berth {

void WaitTimes::add(JobId job, std::span<const ReasonTime> times) {
  ++jobs_;
  for (const auto& each : times) {
    rows_.push_back({job, static_cast<std::uint32_t>(each.blockers.size()), each.why,
                     each.passes, each.time, each.first, each.last, blockers_.size()});
    blockers_.insert(blockers_.end(), each.blockers.begin(), each.blockers.end());
  }
}

void WaitTimes::sort() {
  order_.resize(rows_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  // The rows of a job were added one after the other, by Why.
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rows_[a].job != rows_[b].job ? rows_[a].job < rows_[b].job : a < b;
  });
}

void WaitTimes::renumber(const std::function<JobId(JobId)>& number) {
  for (auto& row : rows_) row.job = number(row.job);
  for (auto& blocker : blockers_) blocker.first = number(blocker.first);
  sort();
}

std::pair<std::size_t, std::size_t> WaitTimes::places_of(JobId job) const {
  const auto first =
      std::partition_point(order_.begin(), order_.end(),
                           [&](std::uint32_t at) { return rows_[at].job < job; });
  const auto end = std::find_if(first, order_.end(),
                                [&](std::uint32_t at) { return rows_[at].job != job; });
  return {first - order_.begin(), end - order_.begin()};
}

std::optional<JobId> WaitTimes::longest_blocker(const Row& row) const {
  std::optional<std::pair<JobId, Duration>> most;
  for (std::size_t i = 0; i < row.blockers; ++i) {
    const auto& each = blocker(row, i);
    const bool is_more = !most || most->second < each.second ||
                         (most->second == each.second && each.first < most->first);
    if (is_more) most = each;
  }
  return most ? std::optional(most->first) : std::nullopt;
}

}  // namespace berth

#include "engine/workload/workload.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/long_sort.hpp"

namespace berth {

namespace {

// Where a job belongs, and where it is.
struct Rank {
  Time submit;
  std::int64_t id;
  std::uint32_t place;  // jobs have 32-bit numbers
};

bool ranks_first(const Rank& a, const Rank& b) {
  return a.submit != b.submit ? a.submit < b.submit : a.id < b.id;
}

template <class T>
void select(LongArray<T>& items, const LongArray<std::uint32_t>& places) {
  if (items.empty()) return;
  LongArray<T> selected;
  selected.reserve(places.size());
  for (const auto place : places) {
    BERTH_ASSERT(place < items.size());
    items.passed(selected.size());
    selected.push_back(items[place]);
  }
  items = std::move(selected);
}

void select(TraceLines& lines, const LongArray<std::uint32_t>& places) {
  if (lines.empty()) return;
  TraceLines selected;
  for (const auto place : places) selected.push_back(lines[place]);
  lines = std::move(selected);
}

void rearrange(TraceLines& lines, const LongArray<Rank>& ranks) {
  if (lines.empty()) return;
  TraceLines moved;
  for (const auto& rank : ranks) moved.push_back(lines[rank.place]);
  lines = std::move(moved);
}

// In place: along the cycles of the order.
template <class T>
void rearrange(LongArray<T>& items, const LongArray<Rank>& ranks) {
  if (items.empty()) return;
  std::vector<bool> is_done(ranks.size());
  for (std::size_t first = 0; first < ranks.size(); ++first) {
    items.passed(first);
    ranks.passed(first);
    if (is_done[first]) continue;
    const T moved = items[first];
    std::size_t to = first;
    for (std::size_t from = ranks[to].place; from != first; from = ranks[to].place) {
      items[to] = items[from];
      is_done[to] = true;
      to = from;
    }
    items[to] = moved;
    is_done[to] = true;
  }
}

LongArray<Rank> ranks_of(const LongArray<Job>& jobs) {
  LongArray<Rank> ranks;
  ranks.reserve(jobs.size());
  std::uint32_t place = 0;
  for (const auto& job : jobs) ranks.push_back({job.submit, job.id, place++});
  const auto sort = [](Rank* first, Rank* last) {
    std::sort(first, last, ranks_first);
  };
  long_sort(ranks, sort, ranks_first);
  return ranks;
}

}  // namespace

std::int64_t Workload::without_walltime() const {
  return std::count_if(jobs.begin(), jobs.end(),
                       [](const Job& job) { return !job.walltime_given; });
}

std::int64_t Workload::outliving_walltime() const {
  return std::count_if(jobs.begin(), jobs.end(),
                       [](const Job& job) { return job.length > job.walltime; });
}

void select_jobs(Workload& workload, const LongArray<std::uint32_t>& places) {
  select(workload.jobs, places);
  select(workload.recorded, places);
  select(workload.lines, places);
}

void put_in_order(Workload& workload) {
  const auto& jobs = workload.jobs;
  if (std::is_sorted(jobs.begin(), jobs.end(), comes_first)) return;
  const auto ranks = ranks_of(jobs);
  rearrange(workload.jobs, ranks);
  rearrange(workload.recorded, ranks);
  rearrange(workload.lines, ranks);
}

}  // namespace berth

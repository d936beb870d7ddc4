#include "engine/workload/workload.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/jobs/label.hpp"

namespace berth {

namespace {

template <class Indices, class IndexOf>
void pick(TraceLines& lines, const Indices& indices, const IndexOf& index_of,
          Budget& budget) {
  if (lines.empty()) return;
  budget.charge_each(indices.size());
  TraceLines picked;
  for (const auto& each : indices) picked.push_back(lines[index_of(each)]);
  lines = std::move(picked);
}

// The sort key of a job and its index before sorting.
struct Rank {
  Time submit;
  std::int64_t id;
  std::uint32_t index;
};

bool ranks_first(const Rank& a, const Rank& b) {
  return a.submit != b.submit ? a.submit < b.submit : a.id < b.id;
}

template <class T>
void select(std::vector<T>& items, const std::vector<std::uint32_t>& indices,
            Budget& budget) {
  if (items.empty()) return;
  budget.charge_each(indices.size());
  std::vector<T> selected;
  selected.reserve(indices.size());
  for (const auto index : indices) {
    BERTH_ASSERT(index < items.size());
    selected.push_back(items[index]);
  }
  items = std::move(selected);
}

// In place, along the cycles of the permutation.
template <class T>
void rearrange(std::vector<T>& items, const std::vector<Rank>& ranks, Budget& budget) {
  if (items.empty()) return;
  budget.charge_each(2 * ranks.size());
  std::vector<bool> is_done(ranks.size());
  for (std::size_t first = 0; first < ranks.size(); ++first) {
    if (is_done[first]) continue;
    const T moved = items[first];
    std::size_t to = first;
    // Bounded: each item once in all, for which the line above the loops charges.
    for (std::size_t from = ranks[to].index; from != first; from = ranks[to].index) {
      items[to] = items[from];
      is_done[to] = true;
      to = from;
    }
    items[to] = moved;
    is_done[to] = true;
  }
}

std::vector<Rank> ranks_of(const std::vector<Job>& jobs, Budget& budget) {
  budget.charge_each(jobs.size());
  std::vector<Rank> ranks;
  ranks.reserve(jobs.size());
  std::uint32_t index = 0;
  for (const auto& job : jobs) ranks.push_back({job.submit, job.id, index++});
  budget.charge_sort(ranks.size());
  std::sort(ranks.begin(), ranks.end(), ranks_first);
  return ranks;
}

}  // namespace

std::int64_t TraceLines::operator[](std::size_t index) const {
  const auto& run = run_of(index);
  return run.line + static_cast<std::int64_t>(index - run.first);
}

void TraceLines::push_back(std::int64_t line) {
  const bool continues =
      !runs_.empty() &&
      line - runs_.back().line == static_cast<std::int64_t>(size_ - runs_.back().first);
  if (!continues) runs_.push_back({size_, line});
  ++size_;
}

void TraceLines::keep_first(std::size_t count) {
  if (count >= size_) return;
  const auto gone = std::find_if(runs_.begin(), runs_.end(),
                                 [&](const Run& run) { return run.first >= count; });
  runs_.resize(static_cast<std::size_t>(gone - runs_.begin()));
  size_ = count;
}

const TraceLines::Run& TraceLines::run_of(std::size_t index) const {
  BERTH_ASSERT(index < size_);
  const auto behind =
      std::upper_bound(runs_.begin(), runs_.end(), index,
                       [](std::size_t at, const Run& run) { return at < run.first; });
  return *std::prev(behind);
}

std::int64_t Workload::without_walltime() const {
  return std::count_if(jobs.begin(), jobs.end(),
                       [](const Job& job) { return !job.walltime_given; });
}

std::int64_t Workload::outliving_walltime() const {
  return std::count_if(jobs.begin(), jobs.end(),
                       [](const Job& job) { return job.length > job.walltime; });
}

JobCensus census_of(const Workload& workload, Budget& budget) {
  budget.charge_each(workload.jobs.size());
  JobCensus census;
  LabelPlaces partitions;
  for (const auto& job : workload.jobs) {
    census.widest = std::max(census.widest, job.size);
    census.without_walltime += job.walltime_given ? 0 : 1;
    census.without_user += job.user < 0 ? 1 : 0;
    census.with_memory += job.memory_kib > 0 ? 1 : 0;
    if (job.partition != kUnknown) partitions.add(job.partition);
  }
  census.partitions = partitions.size();
  return census;
}

void keep_places(Workload& workload, Budget& budget) {
  budget.charge_each(workload.jobs.size());
  workload.of_trace.clear();
  workload.of_trace.reserve(workload.jobs.size());
  for (std::uint32_t i = 0; i < workload.jobs.size(); ++i)
    workload.of_trace.push_back(i);
}

void select_jobs(Workload& workload, const std::vector<std::uint32_t>& indices,
                 Budget& budget) {
  select(workload.jobs, indices, budget);
  select(workload.recorded, indices, budget);
  select(workload.of_trace, indices, budget);
  pick(
      workload.lines, indices, [](std::uint32_t index) { return index; }, budget);
}

void put_in_order(Workload& workload, Budget& budget) {
  const auto& jobs = workload.jobs;
  budget.charge_each(jobs.size());
  if (std::is_sorted(jobs.begin(), jobs.end(), comes_first)) return;
  const auto ranks = ranks_of(jobs, budget);
  rearrange(workload.jobs, ranks, budget);
  rearrange(workload.recorded, ranks, budget);
  rearrange(workload.of_trace, ranks, budget);
  pick(
      workload.lines, ranks, [](const Rank& rank) { return rank.index; }, budget);
}

}  // namespace berth

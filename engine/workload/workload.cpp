#include "engine/workload/workload.hpp"

#include <algorithm>
#include <numeric>

#include "engine/base/error.hpp"

namespace berth {

namespace {

template <class T>
void select(std::vector<T>& items, const std::vector<std::size_t>& places) {
  if (items.empty()) return;
  std::vector<T> selected;
  selected.reserve(places.size());
  for (const std::size_t place : places) {
    BERTH_ASSERT(place < items.size());
    selected.push_back(items[place]);
  }
  items = std::move(selected);
}

template <class Place>
void select(TraceLines& lines, const std::vector<Place>& places) {
  if (lines.empty()) return;
  TraceLines selected;
  for (const auto place : places) selected.push_back(lines[place]);
  lines = std::move(selected);
}

// The same with all of them, in place: along the cycles of the order.
template <class T>
void rearrange(std::vector<T>& items, const std::vector<std::uint32_t>& places) {
  if (items.empty()) return;
  std::vector<bool> is_done(places.size());
  for (std::size_t first = 0; first < places.size(); ++first) {
    if (is_done[first]) continue;
    const T moved = items[first];
    std::size_t to = first;
    for (std::size_t from = places[to]; from != first; from = places[to]) {
      items[to] = items[from];
      is_done[to] = true;
      to = from;
    }
    items[to] = moved;
    is_done[to] = true;
  }
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

void select_jobs(Workload& workload, const std::vector<std::size_t>& places) {
  select(workload.jobs, places);
  select(workload.recorded, places);
  select(workload.lines, places);
}

void put_in_order(Workload& workload) {
  const std::vector<Job>& jobs = workload.jobs;
  if (std::is_sorted(jobs.begin(), jobs.end(), comes_first)) return;
  std::vector<std::uint32_t> places(jobs.size());  // jobs have 32-bit numbers
  std::iota(places.begin(), places.end(), std::uint32_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    return comes_first(jobs[a], jobs[b]);
  });
  rearrange(workload.jobs, places);
  rearrange(workload.recorded, places);
  select(workload.lines, places);
}

}  // namespace berth

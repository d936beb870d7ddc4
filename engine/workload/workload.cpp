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
  std::vector<std::size_t> places(jobs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return comes_first(jobs[a], jobs[b]);
  });
  select_jobs(workload, places);
}

}  // namespace berth

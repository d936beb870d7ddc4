#include "engine/workload/workload.hpp"

#include <algorithm>

namespace berth {

std::int64_t Workload::without_walltime() const {
  return std::count_if(jobs.begin(), jobs.end(),
                       [](const Job& job) { return !job.walltime_given; });
}

}  // namespace berth

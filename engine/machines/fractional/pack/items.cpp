#include "engine/machines/fractional/pack/items.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

// Bounded in this file: each task is made once.

namespace berth::pack {

Items::Items(std::vector<JobNeeds> needs, std::int64_t host_units)
    : needs_(std::move(needs)), host_units_(host_units) {
  std::sort(needs_.begin(), needs_.end(),
            [](const JobNeeds& a, const JobNeeds& b) { return a.number < b.number; });
  std::size_t count = 0;
  for (const auto& need : needs_) count += static_cast<std::size_t>(need.tasks);
  cpu_.reserve(count);
  memory_.reserve(count);
  job_.reserve(count);
  if (host_units_ > 0) units_.reserve(count);
  for (int job = 0; job < jobs(); ++job) {
    const auto& need = needs_[job];
    BERTH_ASSERT(job == 0 || needs_[job - 1].number < need.number);
    BERTH_ASSERT(need.tasks >= 1 && need.cpu > 0 && need.cpu <= 1 && need.memory >= 0);
    for (int task = 0; task < need.tasks; ++task) {
      cpu_.push_back(need.cpu);
      memory_.push_back(need.memory);
      if (host_units_ > 0) units_.push_back(static_cast<double>(need.units));
      job_.push_back(job);
      total_cpu_ += need.cpu;
      total_memory_ += need.memory;
    }
    first_.push_back(tasks());
  }
}

}  // namespace berth::pack

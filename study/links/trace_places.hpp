#pragma once
// Where a job of a trace stands, by its number.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth::study {

class TracePlaces {
 public:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  TracePlaces(const Workload& workload, Budget& budget) {
    budget.charge_sort(workload.jobs.size());
    places_.reserve(workload.jobs.size());
    std::uint32_t place = 0;
    for (const auto& job : workload.jobs) places_.emplace_back(job.id, place++);
    std::sort(places_.begin(), places_.end());
  }
  // kNowhere: there is no such job.
  [[nodiscard]] std::uint32_t of(std::int64_t id) const {
    const auto at = std::lower_bound(places_.begin(), places_.end(),
                                     std::pair(id, std::uint32_t{0}));
    return at == places_.end() || at->first != id ? kNowhere : at->second;
  }

 private:
  std::vector<std::pair<std::int64_t, std::uint32_t>> places_;  // by id
};

}  // namespace berth::study

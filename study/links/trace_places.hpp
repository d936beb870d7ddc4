#pragma once
// Where a job of a trace stands, by its number.

#include <cstdint>
#include <unordered_map>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth::study {

class TracePlaces {
 public:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  TracePlaces(const Workload& workload, Budget& budget) {
    budget.charge_each(workload.jobs.size());
    places_.reserve(workload.jobs.size());
    std::uint32_t place = 0;
    for (const auto& job : workload.jobs) places_.emplace(job.id, place++);
  }
  // kNowhere: there is no such job.
  [[nodiscard]] std::uint32_t of(std::int64_t id) const {
    const auto at = places_.find(id);
    return at == places_.end() ? kNowhere : at->second;
  }

 private:
  std::unordered_map<std::int64_t, std::uint32_t> places_;
};

}  // namespace berth::study

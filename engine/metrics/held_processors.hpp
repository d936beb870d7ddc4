#pragma once
// Who holds how much of the machine: processors, and slots by tier where there are two.
//
// A processor counts once, whichever of its tiers are used.
// Cost         O(1) a change; with tiers O(processors of the job).

#include <array>
#include <cstdint>
#include <vector>

#include "engine/base/job_pages.hpp"
#include "engine/base/placement.hpp"

namespace berth {

class HeldProcessors {
 public:
  // REQUIRES: the job holds nothing.
  void take(JobId job, const Placement& placement);
  // REQUIRES: the job holds something.
  void release(JobId job);

  [[nodiscard]] std::int64_t used() const { return used_; }
  // Slots held in this tier; 0 on a machine without tiers.
  [[nodiscard]] std::int64_t in(Tier tier) const {
    return slots_[static_cast<std::size_t>(tier)];
  }

 private:
  struct Holding {
    std::int64_t count = 0;  // without tiers
    Tier tier = Tier::kForeground;
    std::vector<std::int32_t> slots;
  };

  JobPages<Holding> jobs_;
  std::vector<std::uint8_t> tiers_in_use_;  // by processor
  std::array<std::int64_t, 2> slots_{};
  std::int64_t used_ = 0;
};

}  // namespace berth

#pragma once
// `exclusive`: every processor serves one job at a time, at full speed.

#include <boost/container/flat_set.hpp>
#include <memory>

#include "engine/base/job_pages.hpp"
#include "engine/hosts/processor_map.hpp"
#include "engine/hosts/sharing_model.hpp"

namespace berth {

class Exclusive final : public SharingModel {
 public:
  // REQUIRES: processors >= 1.
  Exclusive(std::int32_t processors, Pick pick)
      : SharingModel(processors, {.fits_by_count = true}),
        map_(processors),
        pick_(pick) {}

  // `where`: a set of processors to keep to.
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override;
  [[nodiscard]] bool fits(JobId, const Demand& demand) const override {
    return demand.processors() <= idle();
  }
  void leave(JobId job, Affected&) override;
  void freeze(JobId job, Frozen frozen, Affected& affected) override;
  [[nodiscard]] double rate(JobId job) const override;
  // Cost of the first call: O(intervals).
  [[nodiscard]] const Placement& placement(JobId job) const override;

 private:
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected&) override;

  struct alignas(64) Allocation {  // one cache line
    ProcessorMap::Share share;
    mutable std::unique_ptr<Placement> placement;  // null until it is asked for
  };
  Allocation& new_allocation(JobId job);

  ProcessorMap map_;
  Pick pick_;
  JobPages<Allocation> allocations_;
  boost::container::flat_set<JobId> frozen_;  // few or none
};

}  // namespace berth

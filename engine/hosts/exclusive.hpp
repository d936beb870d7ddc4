#pragma once
// `exclusive`: every processor serves one job at a time, at full speed.

#include <boost/container/flat_set.hpp>
#include <memory>
#include <optional>

#include "engine/base/job_pages.hpp"
#include "engine/hosts/processor_map.hpp"
#include "engine/hosts/sharing_model.hpp"

namespace berth {

class Exclusive final : public SharingModel {
 public:
  // REQUIRES: processors >= 1.
  Exclusive(std::int32_t processors, Pick pick)
      : SharingModel(processors), map_(processors), pick_(pick) {}

  [[nodiscard]] Result<Placement, Refusal> choose(
      const Needs& needs, const IntervalSet* within) const override;
  void take(JobId job, const Needs& needs, const Placement& placement,
            Touched&) override;
  [[nodiscard]] std::optional<Refusal> refuses(const Needs& needs) const override;
  void seat(JobId job, const Needs& needs, Touched&) override;
  void leave(JobId job, Touched&) override;
  void freeze(JobId job, Frozen frozen, Touched& touched) override;
  [[nodiscard]] double rate(JobId job) const override;
  // Made when it is first asked for.
  [[nodiscard]] const Placement& placement(JobId job) const override;

 private:
  struct alignas(64) Seat {  // one cache line
    ProcessorMap::Share share;
    mutable std::unique_ptr<Placement> placement;  // null until it is asked for
  };
  Seat& new_seat(JobId job);

  ProcessorMap map_;
  Pick pick_;
  JobPages<Seat> seats_;
  boost::container::flat_set<JobId> frozen_;  // few or none
};

}  // namespace berth

#pragma once
// `exclusive`: every processor serves one job at a time, at full speed.

#include <unordered_map>

#include "engine/hosts/sharing_model.hpp"

namespace berth {

class Exclusive final : public SharingModel {
 public:
  // REQUIRES: processors >= 1.
  Exclusive(std::int32_t processors, Pick pick)
      : idle_(0, processors - 1), pick_(pick) {}

  [[nodiscard]] Result<Placement, Refusal> choose(
      const Needs& needs, const IntervalSet* within) const override;
  void take(JobId job, const Needs& needs, const Placement& placement,
            Touched& touched) override;
  void leave(JobId job, Touched& touched) override;
  void freeze(JobId job, Frozen frozen, Touched& touched) override;
  [[nodiscard]] double rate(JobId job) const override;
  [[nodiscard]] const Placement& placement(JobId job) const override;
  [[nodiscard]] std::int64_t idle() const override { return idle_.count(); }

 private:
  struct Seat {
    Placement placement;
    bool frozen;
  };
  IntervalSet idle_;
  Pick pick_;
  std::unordered_map<std::uint32_t, Seat> seats_;  // looked up only, never walked
};

}  // namespace berth

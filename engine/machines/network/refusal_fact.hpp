#pragma once
// Why the oldest job that waits has no place on the network, for the log and the law.

#include <optional>

#include "engine/base/machine_fact.hpp"
#include "engine/machines/network/networked.hpp"

namespace berth {

class RefusalFact final : public MachineFact {
 public:
  // The network outlives it.
  RefusalFact(const Networked& network, JobId job, const Demand& demand)
      : network_(network), job_(job), demand_(demand) {}

  [[nodiscard]] std::optional<SlotWeights> weights() const {
    return network_.weights_of(job_);
  }
  [[nodiscard]] std::string_view word() const override { return "refusal"; }
  // vms: the most that are placed below one switch; level and switch: which; link,
  // needed and left, in Mb/s: what binds there; weights: of an own embedding.
  void fields(FieldWriter& to) const override;
  // "below agg-1; link agg-1 to core-1: 450 Mb/s needed, 200 left"
  [[nodiscard]] std::string words() const override;

 private:
  const Networked& network_;
  JobId job_;
  Demand demand_;
};

}  // namespace berth

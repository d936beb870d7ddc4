#pragma once
// A packing study: instances that packers answer, and what came of it.
//
// Columns of an answer  instance, solved, reason, min_yield, mean_yield, bound, gap,
//              packs, steps, work, placement, yields.  The gap is what the smallest
//              yield is below the bound, as a share of it; the placement has the host
//              of each task, with blanks between.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/machines/case_set.hpp"
#include "engine/machines/fractional/pack/packing.hpp"
#include "engine/machines/fractional/packing_settings.hpp"

namespace berth {

// One packer on one instance.
struct PackedInstance {
  pack::Outcome outcome = pack::Outcome::kNoPacking;
  double yield = 0;  // the smallest of a job; 0 unless packed
  double mean_yield = 0;
  std::optional<double> bound;  // relaxed; nullopt: the tasks cannot fit
  pack::Effort effort;
  pack::Hosts hosts;
  std::vector<double> yields;

  [[nodiscard]] bool packed() const { return outcome == pack::Outcome::kPacked; }
};
using PackedInstances = std::vector<PackedInstance>;  // in the order of the instances

// The metrics of each packer; null, and then nullopt: it has no results.  The
// degradation is against the best of these packers on each instance.
[[nodiscard]] std::vector<std::optional<Summary>> packing_summaries(
    std::span<const PackedInstances* const> packers, const PackingSettings& settings);

[[nodiscard]] const CaseStudy& packing_study();

}  // namespace berth

#pragma once
// What packers made of the instances of one point: numbers and files.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machines/fractional/pack/instances_csv.hpp"
#include "engine/metrics/summary.hpp"
#include "study/policies/policy_set.hpp"
#include "study/scenario/scenario.hpp"

namespace berth::study {

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

// The metrics of each packer; nullopt for one without results.  The degradation is
// against the best of these packers on each instance.
[[nodiscard]] std::vector<std::optional<Summary>> packing_summaries(
    std::span<const std::optional<PackedInstances>> packers, FailedDegradation failed);

// summary.json of one packer.
[[nodiscard]] std::string packing_summary_json(const Scenario& scenario,
                                               const LoadedPolicy& policy,
                                               const Summary& summary);

// packings.csv: instance, solved, reason, min_yield, mean_yield, bound, gap, packs,
// steps, placement, yields.  The gap is what the smallest yield is below the bound, as
// a share of it; the placement has the host of each task, with blanks between.
[[nodiscard]] std::string packings_csv(std::span<const pack::Instance> instances,
                                       const PackedInstances& packed);
// Reads such a text back, all but the effort that it does not hold.  REQUIRES: it is
// whole, as this program wrote it.
[[nodiscard]] PackedInstances read_packings(std::string_view text);

}  // namespace berth::study

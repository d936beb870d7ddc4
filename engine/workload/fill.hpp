#pragma once
// Jobs that fill a machine up to a demand, drawn from those of a trace (Weng et al.
// 2023; docs/model.md#fill).

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// What jobs ask for of what fills the machine, such as processors.
struct FillDemand {
  struct FillingJob {
    std::int64_t all = 0;
    std::int64_t of_one = 0;  // of one of its parts, such as one of its devices
  };
  std::int64_t machine = 0;  // how much there is
  std::vector<FillingJob> jobs{};
};

enum class FillOrder : std::uint8_t {
  kTraceFirst,  // what is drawn further comes behind the jobs of the trace
  kShuffled     // all jobs in one drawn order
};

struct FillSettings {
  double fill = 1;  // demand of all jobs over what there is
  FillOrder order = FillOrder::kTraceFirst;
  std::uint64_t seed = 0;
};

// Replaces the jobs by arrivals: job k, numbered so, is submitted at second k.  They
// are the jobs, by name and then by number, in a drawn order; as many are taken out as
// exceed the demand, or further ones drawn with replacement, up to the first whose
// `of_one` would exceed it.
// `names`: by job; empty: no job has one.
// REQUIRES: the machine and some job have a demand above 0; fill is above 0.
void fill_machine(Workload& workload, std::span<const std::string_view> names,
                  const FillDemand& demand, const FillSettings& settings,
                  Budget& budget);

}  // namespace berth

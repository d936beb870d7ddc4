#pragma once
// Random instances, as in section 4.1 of the paper (docs/model.md#instances).
//
// CPU needs: normal, drawn again until in (0, 1).  Memory needs likewise, with the mean
// that leaves `slack` of all memory free; then scaled so that exactly that is free, and
// what exceeds a host is cut to a host.  An instance need not have a packing.
//
// Determinism  A function of settings, seed and number of the instance.

#include <cstdint>

#include "engine/base/budget.hpp"
#include "engine/machines/fractional/pack/packing.hpp"

namespace berth::pack {

enum class MemoryTotal : std::uint8_t {
  kExact,  // scaled to the total that the slack says
  kDrawn,  // as drawn
};

struct InstanceSettings {
  int hosts = 4;          // at least 1
  int jobs = 8;           // tasks if parallel; at least 1
  double slack = 0.3;     // share of all memory that is free: in [0, 1)
  double mean_cpu = 0.5;  // in (0, 1)
  double cv_cpu = 0.25;   // standard deviation over mean, before the cut
  double cv_memory = 0.25;
  MemoryTotal memory_total = MemoryTotal::kExact;
  // Jobs of 1 to 64 tasks, sizes by the two-stage log-uniform model of Lublin and
  // Feitelson (2003), until there are `jobs` tasks; the last job is cut to what is
  // left.
  bool parallel = false;
};

// Error{kUsage} if the mean memory of a task would be a host or more: no draw below 1
// could have it.
[[nodiscard]] Problem random_instance(const InstanceSettings& settings, Budget& budget,
                                      std::uint64_t seed, std::int64_t instance);

}  // namespace berth::pack

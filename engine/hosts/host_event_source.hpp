#pragma once
// Where a run takes the events of its hosts from: a list, as a file has it, or failures
// that are drawn (docs/model.md#drawn-failures).
//
//   operation    cost, u = units
//   source_of    O(u) where failures are drawn, else O(1)
//   next_at      O(1)
//   take         O(log u) a unit that fails or returns, and O(n log n) of its n hosts
// Memory         About 64 bytes a unit.
// Determinism    What a unit draws depends on the seed, its first host and the number
//                of the draw alone, so that every policy meets the same failures.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/hosts/host_events.hpp"

namespace berth {

// Hosts in a row that fail by units, which alternate between up and down.
struct FailingUnits {
  std::int32_t first_host = 0;
  std::int32_t hosts = 0;     // >= 1
  std::int32_t per_unit = 1;  // >= 1 that fail together; the last unit may have fewer
  Duration mtbf = 0;          // mean time that a unit is up, > 0
  Duration repair = 0;        // mean time that it is down, which is told, > 0
  double shape = 1;           // of the Weibull distribution of the one, > 0
  double repair_shape = 1;    // and of the other
};

struct DrawnFailures {
  std::uint64_t seed = 0;
  std::vector<FailingUnits> units{};  // no host is in two of them
};

class HostEventSource {
 public:
  virtual ~HostEventSource() = default;
  // When the next event is; kNever: there is none.
  [[nodiscard]] virtual Time next_at() const = 0;
  // The events of that instant, sorted; they are valid until the next call.
  // REQUIRES: next_at() is not kNever.
  virtual std::span<const HostEvent> take() = 0;
  // Whether there is one up to that instant.
  [[nodiscard]] bool has_until(Time at) const {
    const Time next = next_at();
    return next <= at && next != kNever;
  }
};

// `begin`: of the run.  Listed events may be before it; drawn ones are later, because
// every unit is up then.
[[nodiscard]] std::unique_ptr<HostEventSource> source_of(const HostLife& life,
                                                         Time begin);

}  // namespace berth

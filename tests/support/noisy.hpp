#pragma once
// A sharing model that only tests know: `noisy`, on which a job slows down while
// another job runs.  It has everything that a model may have, in these two files: a
// setting, a capability, a family of one primitive, an audit law, and one record of
// each kind.

#include "bindings/families.hpp"
#include "engine/machines/model_record.hpp"

namespace berth::test {

struct NoisySettings {
  double slowed = 0.5;  // rate of a job beside another one; in (0, 1]
};

// Capability: how many other jobs run.
class Neighbours {
 public:
  virtual ~Neighbours() = default;
  // REQUIRES: the job has an allocation.
  [[nodiscard]] virtual std::int64_t neighbours(JobId job) const = 0;
};

[[nodiscard]] ModelRecord noisy_record();
// `cluster.noise`: neighbours(job).
[[nodiscard]] bindings::Family noise_family();

}  // namespace berth::test

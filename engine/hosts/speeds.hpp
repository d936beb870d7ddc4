#pragma once
// How fast a job is where, on a machine whose places differ in speed.

#include <cstdint>

#include "engine/base/ids.hpp"
#include "engine/base/placement.hpp"

namespace berth {

// What a walltime is of where places differ in speed.
enum class WalltimeOf : std::uint8_t {
  kWork,  // so that a job is planned for less time where it is faster
  kTime   // in which the job runs, wherever that is
};

// A part of a model.
class Speeds {
 public:
  virtual ~Speeds() = default;
  // Work per tick of a job that sits there and is not frozen, more than 0; null: on the
  // slowest place that it may ever get.
  [[nodiscard]] virtual double speed(JobId job, const Placement* there) const = 0;
  [[nodiscard]] virtual WalltimeOf walltime_of() const = 0;
};

}  // namespace berth

#pragma once
// How long an attempt of a job takes that writes checkpoints, and what is left of its
// work when it is cut off (docs/model.md#checkpoints).
//
// After so much work a job writes one, but not at its end, and does no work meanwhile;
// an attempt that has saved work reads it first.
//
//   operation      time
//   every one      O(1)

#include <algorithm>

#include "engine/base/time.hpp"

namespace berth {

struct CheckpointRule {
  Duration every = 3'600 * kSecond;  // work between two, > 0
  Duration cost = 0;                 // to write one
  Duration restart = 0;              // to read one
  friend bool operator==(const CheckpointRule&, const CheckpointRule&) = default;

  // How long an attempt takes that begins with `saved` work and does `work` more;
  // kNever: longer than the clock goes.  REQUIRES: neither is below 0.
  [[nodiscard]] Duration takes(Duration saved, Duration work) const {
    const auto written = std::max(Duration{0}, (work - 1) / every);
    const auto all = Int128{saved > 0 ? restart : 0} + work + Int128{cost} * written;
    return all < kNever ? static_cast<Duration>(all) : kNever;
  }

  // What has come of an attempt: `kept` + `lost` + `overhead` is its time.
  struct CutAttempt {
    Duration kept;      // work up to its last complete checkpoint
    Duration lost;      // work after that
    Duration overhead;  // on checkpoints, complete or not
  };
  // After so much of its time.  REQUIRES: it had not ended before.
  [[nodiscard]] CutAttempt after_running(Duration saved, Duration ran) const {
    const auto since_read = ran - (saved > 0 ? std::min(ran, restart) : Duration{0});
    const auto kept = since_read / (every + cost) * every;
    const auto lost = std::min(since_read % (every + cost), every);
    return {kept, lost, ran - kept - lost};
  }
};

}  // namespace berth

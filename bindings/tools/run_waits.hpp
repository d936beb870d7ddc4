#pragma once
// Why the jobs of a run waited, as frames: run.waits, run.blocks, run.blockers.

#include <memory>

#include "bindings/tools/frame.hpp"
#include "engine/explain/wait_times.hpp"

namespace berth::bindings {

struct RunWaits {
  // A row for each job and reason, by job, then in the order of reasons: `job`, a row
  // of run.jobs; `reason`; `rank`, its place among all_reasons(), from 1 on; times
  // `seconds`, `first`, `last`; `passes`; `blocker`, the row of the job that was in the
  // way longest, 0: none; `waited`, true once for each job that waited.
  std::shared_ptr<const FrameSource> waits{};
  // A row for each job, reason and job in the way: `job`, the row of the latter, and
  // `seconds`.
  std::shared_ptr<const FrameSource> blocks{};
  // The same by `job`: a row for each job that was in the way, with the sum of
  // `seconds`, and `waits`, how many rows of `waits` it was in the way of.
  std::shared_ptr<const FrameSource> blockers{};
};

// The times outlive the frames.  REQUIRES: they are sorted.
[[nodiscard]] RunWaits run_waits(const WaitTimes& times);

}  // namespace berth::bindings

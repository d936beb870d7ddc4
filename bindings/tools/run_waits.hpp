#pragma once
// Why the jobs of a run waited, as frames: run.waits and run.blocks.

#include <map>
#include <memory>

#include "bindings/tools/frame.hpp"
#include "engine/explain/explained_job.hpp"

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
};

// The jobs outlive the frames.
[[nodiscard]] RunWaits run_waits(const std::map<JobId, ExplainedJob>& jobs);

}  // namespace berth::bindings

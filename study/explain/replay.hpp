#pragma once
// A run made again to be looked at: the same jobs, machine and policy, with an
// Explainer instead of metrics and audit.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/explain/explainer.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/policies/policy_set.hpp"
#include "study/runs/policy_run.hpp"

namespace berth::study {

// What is different from the run, to see what that changes.
struct Change {
  std::optional<JobId> job{};  // whose walltime, size or submit is another
  std::optional<Duration> walltime{};
  std::optional<std::int32_t> size{};
  std::optional<Time> submit{};
  std::vector<JobId> without{};  // jobs that are left out
  [[nodiscard]] bool is_empty() const { return !job && without.empty(); }
};

struct Replay {
  std::string label;
  std::vector<Job> changed;  // the jobs that ran, if they are not those of the workload
  std::map<JobId, ExplainedJob> jobs;  // in detail
  WaitTimes waits;  // of a run to the end, if all jobs or a sample are wanted
  // Of a run to the end: of each job of the workload, by its number there; kNever: it
  // did not start, or was left out.  `order` has the jobs that started, in the order of
  // their starts.
  std::vector<Time> starts;
  std::vector<Time> ends;
  std::vector<JobId> order;
};

struct ReplayOptions {
  ExplainWhat what;
  bool to_the_end = false;  // else until the jobs in detail have ended
  Change change;
  Watch watch;
};

// Jobs in what is asked and answered are numbered as in the workload.  Throws what the
// policy throws, Interrupted, and Error{kUsage} for a change that this machine cannot
// have.  REQUIRES: the policy is loaded and has not run.
[[nodiscard]] Replay replay(const PreparedPoint& prepared, LoadedPolicy& policy,
                            const ReplayOptions& options);

}  // namespace berth::study

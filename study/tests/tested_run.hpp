#pragma once
// One run of a case, audited, as its functions and expectations look at it.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/policy_cases.hpp"
#include "engine/explain/explainer.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/metrics/own_metrics.hpp"

namespace berth::study {

struct TestedJob {
  const Job* job;
  std::optional<Time> start;
  std::optional<Time> finish;
};

// Makes the policy of one run.
using PolicyMaker = std::function<std::shared_ptr<sim::Policy>()>;

class TestedRun final : public bindings::RunAnswers {
 public:
  // Runs to the end under full audit.  Throws what the policy throws,
  // audit::AuditFailure, and Interrupted.  `limits`: of the user's own metrics.
  // REQUIRES: the point and its scenario outlive it.
  TestedRun(const Point& point, const Scenario& scenario, PolicyMaker make,
            const bindings::Limits& limits);

  // In the order of (submit, id).
  [[nodiscard]] const std::vector<TestedJob>& jobs() const { return jobs_; }
  [[nodiscard]] const bindings::ToolRun& run() const override;
  [[nodiscard]] std::optional<Why> why(std::int64_t job,
                                       std::optional<Time> at) const override;

  [[nodiscard]] std::span<const Job> workload() const { return point_.jobs; }
  // In the order of their starts.
  [[nodiscard]] const std::vector<JobId>& order() const { return order_; }
  // By the trace's own number.  Throws Error{kUsage} if there is none.
  [[nodiscard]] JobId find(std::int64_t number) const;
  // A job that was never started because it was rejected: by whom, and why; the reason
  // has a name if the machine could not hold it.
  struct Rejected {
    Time at;
    bool by_machine;
    std::string words;  // of the policy's reason, perhaps none
  };
  [[nodiscard]] const Rejected* rejected(JobId job) const {
    const auto found = rejected_.find(job);
    return found == rejected_.end() ? nullptr : &found->second;
  }
  // A line a pass.  The first question makes the run again, to be looked at.
  [[nodiscard]] const ExplainedJob& explained(JobId job) const;

 private:
  const Point& point_;
  PolicyMaker make_;
  std::vector<TestedJob> jobs_;
  std::vector<JobId> order_;
  std::map<JobId, Rejected> rejected_;
  std::unique_ptr<MachineMeasure> measure_;
  std::unique_ptr<RunMetrics> metrics_;
  std::unique_ptr<OwnMeasures> own_;
  std::string label_;  // of the policy
  mutable Summary summary_;
  mutable std::optional<bindings::ToolRun> run_;  // once it is asked for
  mutable std::map<JobId, ExplainedJob> explained_;
};

// All jobs of a point followed through an unaudited run, a line a pass; of many jobs
// this one alone.
[[nodiscard]] std::map<JobId, ExplainedJob> explain_run(const Point& point,
                                                        sim::Policy& policy, JobId job);

}  // namespace berth::study

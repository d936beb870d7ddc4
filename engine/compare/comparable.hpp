#pragma once
// Which results may be set against each other.
//
// A policy that finishes other jobs than another one has other means, whatever it does
// with the jobs that both finish: one that rejects the jobs that would wait has none
// that waits.  So a value is called the best of a row, a difference is given in per
// cent and a verdict is reached among policies that finished the same jobs, and nowhere
// else. A wait ends at the first start: it says nothing of a job that is suspended
// afterwards.

#include <span>
#include <string>

#include "engine/compare/comparison.hpp"

namespace berth {

// Whether the policy has a result in each replication.
[[nodiscard]] bool is_complete(const ComparedPolicy& policy);

// Whether the same jobs finished in both runs; of summaries without the digest, whether
// all jobs did.
[[nodiscard]] bool same_jobs(const Summary& a, const Summary& b);
// The same in every replication.  REQUIRES: a result in each.
[[nodiscard]] bool same_jobs(const ComparedPolicy& a, const ComparedPolicy& b);

// Whether a job was suspended in any of the runs.
[[nodiscard]] bool has_suspensions(const ComparedPolicy& policy);

// Whether values of this metric under two policies may be compared.  REQUIRES: a result
// of both in each replication.
[[nodiscard]] bool comparable(const MetricRecord& metric, const ComparedPolicy& a,
                              const ComparedPolicy& b);

// Why the value of the policy at `index` may not be compared with those of the others,
// as "other jobs: 42 of 500" (finished, submitted, over all replications); empty if it
// may.  The policy that finished most jobs, the first of several, is never the one with
// other jobs.
[[nodiscard]] std::string why_not_comparable(const MetricRecord& metric,
                                             std::span<const ComparedPolicy> policies,
                                             std::size_t index);

}  // namespace berth

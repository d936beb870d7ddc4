#pragma once
// The jobs that finished under two policies.

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"

namespace berth {

// The jobs that finished under the first policy and another one, in one replication.
struct CommonJobs {
  struct Means {
    double base = 0.0;
    double other = 0.0;
  };
  std::int64_t n = 0;
  // By name of the metric ("mean_wait"), in its unit, over those of the jobs for which
  // it is defined; without an entry where there is none.
  std::map<std::string, Means> means;
};

// REQUIRES: finished jobs, of one workload.  O(n).
[[nodiscard]] CommonJobs common_jobs(const OutcomeView& base, const OutcomeView& other,
                                     const SlowdownBound& bound);

// Adds the means of a metric of the user's own.  `base` and `other` have a value for
// each job of the workload; NaN: none.  O(n).
void add_common(CommonJobs& common, const std::string& metric,
                std::span<const double> base, std::span<const double> other);

}  // namespace berth

#pragma once
// A workload in the style of Feitelson (JSSPP 1996).  It is a stand-in: the size
// weights of the original are not published.
//
// Size      P(n) ~ n^-1.21 up to the machine size, powers of two above 1 times 3.13;
//           calibrated on 320 processors to the published figures of FWload (mean 23.4,
//           under 18 % of one process)
// Run time  two exponential branches with means 1 : 7; probability of the short one
//           0.95 - 0.20 n / N; scaled to a mean of 2606.6 s.  The form is not verified
//           against the paper.
// Repeats   a job is run r times, P(r) ~ r^-2.5 for r up to `most_repeats`, with the
//           same size and run time; each run is submitted when the one before would
//           end if it never waited (an open loop: waiting does not delay it)
// Arrivals  exponential gaps between first runs, for an expected load of 0.7
//
// Determinism  draws in sequence from the streams workload.arrivals, workload.size and
//              workload.runtime
// Cost         O(log N + log pending runs) a job

#include <cstdint>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Runs of one job, at most; 1: no job is repeated.
inline constexpr std::int32_t kMostRepeats = 1000;

// P(1), P(2), ..., P(processors).  REQUIRES: processors >= 1.
[[nodiscard]] std::vector<double> feitelson_sizes(std::int32_t processors,
                                                  Budget& budget);

// Jobs 1 to `jobs` by submit time; run times in whole seconds, at least 1; no walltime
// is given.  Throws Error{kInput} if submit times are out of range.
// REQUIRES: processors >= 1, jobs >= 0, most_repeats in 1 to kMostRepeats.
[[nodiscard]] Workload feitelson_workload(std::int32_t processors, std::int64_t jobs,
                                          std::uint64_t seed, Budget& budget,
                                          std::int32_t most_repeats = kMostRepeats);

}  // namespace berth

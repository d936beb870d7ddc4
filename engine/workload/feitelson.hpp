#pragma once
// A workload that is like that of Feitelson (JSSPP 1996), and is not it: the weights
// that make the original are lost.
//
// Size      P(n) ~ n^-1.21 on 1..320, powers of two above 1 times 3.13: a calibration
// to
//           the published figures of FWload (mean 23.4, under 18 % of one process).  On
//           another machine the same law up to its size.
// Run time  Two exponential branches whose means are 1 : 7; the short one has the
//           probability 0.95 - 0.20 n / N.  Scaled to a mean of 2606.6 s over all jobs.
//           This form is recalled, not verified.
// Repeats   A job is run r times, P(r) ~ r^-2.5, with the same size and run time; each
//           is submitted when the one before would end if it never waited.
// Arrivals  Of first runs: exponential gaps, so that the expected load is 0.7.
//
// A verdict on a claim about FWload can therefore be "direction only" at most.
//
// Source       spec: workload-models 4.
// Determinism  Draws in sequence from the streams workload.arrivals, workload.size and
//              workload.runtime of the seed.
// Cost         O(log N + log runs pending) a job.

#include <cstdint>
#include <vector>

#include "engine/workload/workload.hpp"

namespace berth {

// P(1), P(2), ... up to the size of the machine.  REQUIRES: processors >= 1.
[[nodiscard]] std::vector<double> feitelson_sizes(std::int32_t processors);

// Jobs 1 to `jobs` in order of submit time; run times in whole seconds, at least 1; no
// walltime is given.  Throws Error{kInput} when submit times run out of range.
// REQUIRES: processors >= 1, jobs >= 0.
[[nodiscard]] Workload feitelson_workload(std::int32_t processors, std::int64_t jobs,
                                          std::uint64_t seed);

}  // namespace berth

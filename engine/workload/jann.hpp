#pragma once
// A workload of the form of Jann et al. ("Modeling of workload in MPPs", JSSPP 1997),
// refitted: ten ranges of sizes, each with its own hyper-Erlang laws of interarrival
// and run times.
//
// The published tables are lost.  The numbers here are a refit by the authors' own
// method (three moments) on the CTC SP2 log in the authors' window; the law of sizes
// inside a range is a calibration: uniform, mixed with that end of the range which
// makes the mean that of the log.  What it gives against the paper's JWload: mean
// size 10.5 as published, mean run time about 10,700 s (published 11,267 s), 41.7 %
// jobs of one process (published 40.8 %).
//
// Source       spec: workload-models 3.
// Determinism  Draws in sequence from the streams workload.arrivals, workload.size and
//              workload.runtime of the seed.
// Cost         O(ranges) a job.

#include <cstdint>
#include <span>

#include "engine/workload/hyper_erlang.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Jobs of one range of sizes.
struct JannRange {
  std::int32_t least;
  std::int32_t most;
  double mean_size;      // in the log
  HyperErlang gap;       // seconds
  HyperErlang run_time;  // seconds
};

// By size.
[[nodiscard]] std::span<const JannRange> jann_ranges();

// Jobs 1 to `jobs` in order of submit time, from time 0 on; run times in whole seconds,
// at least 1; no walltime is given; no job is wider than the machine, sizes above it
// are cut.  Throws Error{kInput} when submit times run out of range. REQUIRES:
// processors >= 1, jobs >= 0.
[[nodiscard]] Workload jann_workload(std::int32_t processors, std::int64_t jobs,
                                     std::uint64_t seed);

}  // namespace berth

#pragma once
// The workload model of Jann et al. ("Modeling of workload in MPPs", JSSPP 1997): ten
// ranges of sizes, each with hyper-Erlang laws of interarrival and run times.
//
// The published tables were not available.  The parameters are a refit of three
// moments, the method of the paper, to the CTC SP2 log over the same months.  Sizes
// inside a range are a calibration: uniform, mixed with one end of the range to give
// the mean of the log. Result and published values of JWload: mean size 10.5 and 10.5,
// mean run time about 10,700 s and 11,267 s, jobs of one process 41.7 % and 40.8 %.
//
// Determinism  draws in sequence from the streams workload.arrivals, workload.size and
//              workload.runtime
// Cost         O(ranges) a job

#include <cstdint>
#include <span>

#include "engine/base/budget.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Hyper-Erlang law of common order: with probability `p` the sum of `order` exponential
// stages of rate_1, else of rate_2.
struct HyperErlang {
  int order;
  double p;
  double rate_1;  // with probability p
  double rate_2;

  [[nodiscard]] double mean() const { return order * (p / rate_1 + (1 - p) / rate_2); }
  // Draws order + 1 numbers.
  [[nodiscard]] double draw(RandomEngine& engine) const;
};

// Jobs of one range of sizes.
struct JannRange {
  std::int32_t least;
  std::int32_t most;
  double mean_size;      // of the log
  HyperErlang gap;       // seconds
  HyperErlang run_time;  // seconds
};

// By size.
[[nodiscard]] std::span<const JannRange> jann_ranges();

// Jobs 1 to `jobs` by submit time, from time 0; run times in whole seconds, at least 1;
// no walltime is given; sizes are cut to the machine.  Throws Error{kInput} if submit
// times are out of range.  REQUIRES: processors >= 1, jobs >= 0.
[[nodiscard]] Workload jann_workload(std::int32_t processors, std::int64_t jobs,
                                     std::uint64_t seed, Budget& budget);

}  // namespace berth

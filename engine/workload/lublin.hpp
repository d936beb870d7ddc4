#pragma once
// The workload model of Lublin and Feitelson (J. Parallel and Distributed Computing 63,
// 2003): sizes, run times and arrivals of rigid jobs with a daily cycle.
//
// Size      1 with probability `serial`; else 2^x with x from a two-stage uniform law,
// with
//           probability `pow2` rounded to a whole power.
// Run time  e^g, g from one of two gamma laws; larger jobs take the longer one more
// often.
//           Cut to whole seconds, at least 1 and at most e^12 s.
// Arrivals  Gaps e^g, stretched and squeezed by the weight of each half hour of the
// day.
//           Time 0 is midnight; submit times are rounded to the tick.
//
// Determinism  Draws in sequence from the streams workload.arrivals, workload.size and
//              workload.runtime of the seed.
// Cost         O(1) per job.

#include <cstdint>
#include <optional>

#include "engine/workload/workload.hpp"

namespace berth {

enum class LublinVariant : std::uint8_t {
  kWhole,        // one stream, fitted to all jobs of the logs
  kTyped,        // a batch and an interactive stream, merged by time
  kBatch,        // the batch stream alone
  kInteractive,  // the interactive stream alone
};

enum class LublinType : std::uint8_t { kInteractive = 0, kBatch = 1, kWhole = 2 };

// The numbers of one stream.  Gamma laws are (shape, scale).
struct LublinParameters {
  double serial, pow2;            // probabilities
  double ulow, umed, uhi, uprob;  // log2 of sizes; probability of the first stage
  double a1, b1, a2, b2;          // the two laws of ln(run time in seconds)
  double pa, pb;                  // probability of the first: pa * size + pb
  double aarr, barr, anum, bnum;  // gaps; weights of the half hours
  double arar;                    // factor on aarr
};

// The published numbers, fitted to the machine: uhi and umed are those of 128
// processors moved by log2(processors / 128).  For kWhole that is uhi =
// log2(processors) and umed = uhi - 2.5.  On machines so small that ulow would be above
// umed or uhi, the lower of the two counts for both.  REQUIRES: processors >= 1.
[[nodiscard]] LublinParameters lublin_parameters(LublinType type,
                                                 std::int32_t processors);

struct LublinSettings {
  LublinVariant variant = LublinVariant::kWhole;
  std::int32_t processors = 128;
  std::int64_t jobs = 10'000;
  std::optional<double> umed{};  // instead of the above, for all streams
  std::optional<double> uhi{};   // at most log2(processors)
};

// Jobs 1 to settings.jobs in order of submit time.  `queue_class` is 0 for interactive
// and 1 for batch jobs, unknown in kWhole; user, group and the like are unknown, no
// walltime is given (estimates.hpp, tsafrir.hpp).  No job is wider than the machine:
// where rounding to a power of two would make it so, the next lower power is taken.
// Throws Error{kInput} for sizes without order (ulow <= umed <= uhi <=
// log2(processors)) and when submit times run out of range. REQUIRES: processors >= 1,
// jobs >= 0.
[[nodiscard]] Workload lublin_workload(const LublinSettings& settings,
                                       std::uint64_t seed);

}  // namespace berth

#pragma once
// The workload model of Lublin and Feitelson (J. Parallel and Distributed Computing 63,
// 2003): sizes, run times and arrivals of rigid jobs with a daily cycle.
//
// Size      1 with probability `serial`, else 2^x, x from a two-stage uniform law,
//           rounded to a whole power with probability `pow2`
// Run time  e^g, g from one of two gamma laws, the longer one more often for larger
//           jobs; truncated to whole seconds, at least 1, at most e^12 s
// Arrivals  gaps e^g, scaled by the weight of each half hour of the day; time 0 is
//           midnight; submit times are rounded to the tick
//
// Determinism  draws in sequence from the streams workload.arrivals, workload.size and
//              workload.runtime
// Cost         O(1) a job

#include <cstdint>
#include <optional>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

enum class LublinVariant : std::uint8_t {
  kWhole,        // one stream, fitted to all jobs
  kTyped,        // a batch and an interactive stream, merged by time
  kBatch,        // the batch stream alone
  kInteractive,  // the interactive stream alone
};

enum class LublinType : std::uint8_t { kInteractive = 0, kBatch = 1, kWhole = 2 };

// The parameters of one stream.  Gamma laws are (shape, scale).
struct LublinParameters {
  double serial, pow2;            // probabilities
  double ulow, umed, uhi, uprob;  // log2 of sizes; probability of the first stage
  double a1, b1, a2, b2;          // the two laws of ln(run time in seconds)
  double pa, pb;                  // probability of the first: pa * size + pb
  double aarr, barr, anum, bnum;  // gaps; weights of the half hours
  double arar;                    // factor on aarr
};

// The published parameters, with uhi and umed shifted by log2(processors / 128); for
// kWhole that gives uhi = log2(processors) and umed = uhi - 2.5.  On small machines the
// values are clamped so that 0 <= ulow <= umed <= uhi.  REQUIRES: processors >= 1.
[[nodiscard]] LublinParameters lublin_parameters(LublinType type,
                                                 std::int32_t processors);

struct LublinSettings {
  LublinVariant variant = LublinVariant::kWhole;
  std::int32_t processors = 128;
  std::int64_t jobs = 10'000;
  std::optional<double> umed{};  // overrides lublin_parameters(), for all streams
  std::optional<double> uhi{};   // at most log2(processors)
};

// Jobs 1 to settings.jobs by submit time.  `queue_class` is 0 for interactive and 1 for
// batch jobs, unknown for kWhole; user, group and so on are unknown; no walltime is
// given (see estimates.hpp, tsafrir.hpp).  No job is wider than the machine: a power of
// two above its size is replaced by the next lower one.  Throws Error{kInput} unless
// ulow <= umed <= uhi <= log2(processors), and if submit times are out of range.
// REQUIRES: processors >= 1, jobs >= 0.
[[nodiscard]] Workload lublin_workload(const LublinSettings& settings,
                                       std::uint64_t seed, Budget& budget);

}  // namespace berth

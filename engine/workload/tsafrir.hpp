#pragma once
// User estimates after Tsafrir, Etsion and Feitelson, "Modeling user runtime estimates"
// (JSSPP 2005): few values, twenty of them very popular, and none below the run time.
//
// Units        Values in whole seconds, shares in percent of the jobs.
// Determinism  Draws in sequence from the stream workload.estimate of the seed.

#include <cstdint>
#include <vector>

#include "engine/workload/workload.hpp"

namespace berth {

// How the number of distinct values follows from the number of jobs.
enum class DistinctValues : std::uint8_t { kPiecewise, kPower };

struct EstimateShare {
  std::int64_t value = 0;  // seconds
  double share = 0;        // percent
  friend bool operator==(const EstimateShare&, const EstimateShare&) = default;
};

struct EstimateCount {
  std::int64_t value = 0;  // seconds
  std::int64_t jobs = 0;
};

struct TsafrirSettings {
  std::int64_t longest = 36'000;  // the largest estimate, seconds
  DistinctValues distinct = DistinctValues::kPiecewise;
  // Known popular values.  Each takes the place of the nearest default value (first of
  // those that only fill up to twenty, then of the usual ones; never of the longest)
  // and of the nearest default share but the first, which belongs to the longest.  A
  // pair with a default value, also with the longest, gives it that share and comes
  // before the others.  The other popular values are scaled so that the twenty keep 89
  // %.
  std::vector<EstimateShare> known{};
};

// The number of distinct values for this many jobs.  REQUIRES: jobs >= 0.
[[nodiscard]] std::int64_t distinct_estimates(std::int64_t jobs, DistinctValues rule);

// How many jobs ask for which value, by value; the counts add up to `jobs` and none is
// 0. Throws Error{kInput} with the reason if `longest` is too short for twenty popular
// values (it takes more than 5,700 s), `jobs` is below the number of values, or `known`
// is not usable (more than nineteen values, a value twice or outside 1..longest, a
// share not above 0, all shares together above 89).
[[nodiscard]] std::vector<EstimateCount> estimate_histogram(
    const TsafrirSettings& settings, std::int64_t jobs, std::uint64_t seed);

// Gives every job a walltime from the histogram, at least its length.  Lengths above
// the longest estimate are cut to it and counted as repair "length_cut".  Does nothing
// to a workload without jobs.  Throws Error{kInput} as estimate_histogram, and if more
// jobs are long than there are estimates as long. Cost: O(n log n).
void estimate_by_tsafrir(Workload& workload, const TsafrirSettings& settings,
                         std::uint64_t seed);

}  // namespace berth

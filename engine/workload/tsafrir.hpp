#pragma once
// User estimates after Tsafrir, Etsion and Feitelson, "Modeling user runtime estimates"
// (JSSPP 2005): few distinct values, twenty of them popular, none below the run time.
//
// Units        Values in whole seconds, shares in percent of the jobs.
// Determinism  Draws in sequence from the stream workload.estimate of the seed.

#include <cstdint>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// The rule for the number of distinct values, given the number of jobs.
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

inline constexpr double kHeadShare = 89;  // percent of all jobs, popular values

struct TsafrirSettings {
  std::int64_t longest = 36'000;  // the largest estimate, seconds
  DistinctValues distinct = DistinctValues::kPiecewise;
  // Known popular values.  Each replaces the nearest default value (fillers before
  // usual values, never the longest) and takes the nearest default share except the
  // first, which belongs to the longest.  A pair whose value is a default one only sets
  // its share; such pairs are applied first.  The other shares are scaled so that the
  // twenty sum to kHeadShare.
  std::vector<EstimateShare> known{};
};

// The twenty popular values with their shares, by value; the shares sum to kHeadShare.
// Throws Error{kInput} as estimate_histogram().
[[nodiscard]] std::vector<EstimateShare> popular_estimates(
    const TsafrirSettings& settings, RandomEngine& engine);

// The number of distinct values for this many jobs.  REQUIRES: jobs >= 0.
[[nodiscard]] std::int64_t distinct_estimates(std::int64_t jobs, DistinctValues rule);

// The number of jobs for each value, by value; the counts are above 0 and sum to
// `jobs`.  Throws Error{kInput} if `longest` is at most 5,700 s (no twenty popular
// values), `jobs` is below the number of values, or `known` is invalid: more than
// nineteen values, a value twice or outside 1..longest, a share <= 0, or shares that
// sum to more than kHeadShare.
[[nodiscard]] std::vector<EstimateCount> estimate_histogram(
    const TsafrirSettings& settings, std::int64_t jobs, std::uint64_t seed,
    Budget& budget);

// Sets every walltime to a value of the histogram, at least the length.  Lengths above
// the longest estimate are cut to it and counted as repair "length_cut".  Throws
// Error{kInput} as estimate_histogram(), and if too few estimates are as long as the
// longest jobs.  An empty workload is left alone.  O(n log n).
void estimate_by_tsafrir(Workload& workload, const TsafrirSettings& settings,
                         std::uint64_t seed, Budget& budget);

}  // namespace berth

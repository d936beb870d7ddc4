#pragma once
// Requests of tenants of a data centre: independent sizes and run times, Poisson
// arrivals.
//
// The paper names the mean size and the load alone.  Assumption: run times are
// exponential, sizes follow one of the laws below.
//
// Determinism  draws in sequence from the streams workload.arrivals, workload.size and
//              workload.runtime
// Source       Li et al. 2018, 6.1; docs/model.md#tenants

#include <cstdint>

#include "engine/base/budget.hpp"
#include "engine/workload/workload.hpp"

namespace berth {

// Laws of the size, for a mean of m.
enum class TenantSizes : std::uint8_t {
  kGeometric,    // mean m
  kExponential,  // of mean m, rounded up
  kUniform,      // 1 .. 2 m - 1
  kPowersOfTwo,  // 1, 2, 4, ..., up to the largest that is at most 4 m
  kConstant,     // m
};

struct TenantSettings {
  TenantSizes sizes = TenantSizes::kGeometric;
  std::int32_t mean_size = 8;
  double mean_length = 1000;  // s
};

// Jobs 1 to `jobs` by submit time, from time 0, at a load of 0.5; run times in whole
// seconds, at least 1; no walltime is given; sizes are not cut to the machine.  Throws
// Error{kInput} if submit times are out of range.
// REQUIRES: processors >= 1, jobs >= 0, mean_size >= 1, mean_length > 0.
[[nodiscard]] Workload tenants_workload(const TenantSettings& settings,
                                        std::int32_t processors, std::int64_t jobs,
                                        std::uint64_t seed, Budget& budget);

}  // namespace berth

#pragma once
// Named random streams: one seed per scenario, one independent stream per purpose.
//
// A stream is Boost's mt19937_64 seeded from (seed, name).  Draws that belong to a job
// come from job_stream(), an engine seeded from (seed, name, job number), so they are
// the same under every policy.  Use Boost.Random distributions with both: std
// distributions differ between implementations.
//
// Determinism  Same seed and name, same numbers, on every platform.

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/taus88.hpp>
#include <cstdint>
#include <string_view>

namespace berth {

using RandomEngine = boost::random::mt19937_64;
using JobEngine = boost::random::taus88;

// The stream called `name` ("workload.size", "policy", ...) of this seed.
[[nodiscard]] RandomEngine random_stream(std::uint64_t seed, std::string_view name);

// The stream `name` of one job.  `job`: the trace's own number.
[[nodiscard]] JobEngine job_stream(std::uint64_t seed, std::string_view name,
                                   std::int64_t job);

// One to one; every bit of the answer depends on every bit of `x` (the finaliser of
// SplitMix64).
[[nodiscard]] std::uint64_t mix_bits(std::uint64_t x);

// Uniform on [0, 1) with 53 bits.
template <class Engine>
[[nodiscard]] double uniform(Engine& engine);

template <>
[[nodiscard]] double uniform(RandomEngine& engine);
template <>
[[nodiscard]] double uniform(JobEngine& engine);

}  // namespace berth

#pragma once
// How many random workloads a property is tried on.

#include <cstdint>
#include <cstdlib>

namespace berth::test {

// Instrumented builds are not optimised, and have time for a part of the cases.
#ifdef NDEBUG
inline constexpr bool kIsOptimised = true;
#else
inline constexpr bool kIsOptimised = false;
#endif

// As the environment variable BERTH_ROUNDS says; else so many, chosen for the time that
// instrumented builds have.
[[nodiscard]] inline std::uint64_t rounds(std::uint64_t usual) {
  const char* given = std::getenv("BERTH_ROUNDS");
  return given == nullptr ? usual : std::strtoull(given, nullptr, 10);
}

// The same, and more of them in an optimised build, which has the time.
[[nodiscard]] inline std::uint64_t rounds(std::uint64_t usual,
                                          std::uint64_t optimised) {
  return rounds(kIsOptimised ? optimised : usual);
}

}  // namespace berth::test

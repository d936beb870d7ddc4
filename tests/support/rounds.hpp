#pragma once
// How many random workloads a property is tried on.

#include <cstdint>
#include <cstdlib>

namespace berth::test {

// As the environment variable BERTH_ROUNDS says; else so many, chosen for the time that
// instrumented builds have.
[[nodiscard]] inline std::uint64_t rounds(std::uint64_t usual) {
  const char* given = std::getenv("BERTH_ROUNDS");
  return given == nullptr ? usual : std::strtoull(given, nullptr, 10);
}

// The same, and more of them in an optimised build, which has the time.
[[nodiscard]] inline std::uint64_t rounds([[maybe_unused]] std::uint64_t usual,
                                          [[maybe_unused]] std::uint64_t optimised) {
#ifdef NDEBUG
  return rounds(optimised);
#else
  return rounds(usual);
#endif
}

}  // namespace berth::test

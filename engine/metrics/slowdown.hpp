#pragma once
// Slowdowns: response times relative to the length (run time alone), as ratios.

#include <cstdint>
#include <optional>

#include "engine/base/time.hpp"

namespace berth {

// Keeps short jobs from dominating a mean.
struct SlowdownBound {
  Duration tau = 10 * kSecond;  // the least length that counts; > 0
  bool floor = true;            // at least 1
};

// response / length; nullopt for length 0.
[[nodiscard]] std::optional<double> slowdown(Duration response, Duration length);

// response / max(length, tau), at least 1 if floored (Mu'alem and Feitelson 2001).
[[nodiscard]] double bounded_slowdown(Duration response, Duration length,
                                      const SlowdownBound& bound);

// The same divided by the job's processors before the floor is applied.
[[nodiscard]] double per_processor_bounded_slowdown(Duration response, Duration length,
                                                    std::int32_t size,
                                                    const SlowdownBound& bound);

}  // namespace berth

#pragma once
// What a scenario may say about metrics, apart from the window.

#include <cstdint>

#include "engine/metrics/slowdown.hpp"

namespace berth {

// Whether means are also given weighted by area (size times length).
enum class Weight : std::uint8_t { kNone, kArea };

struct MetricOptions {
  SlowdownBound bound;
  Weight weight = Weight::kNone;
};

}  // namespace berth

#include "engine/metrics/slowdown.hpp"

#include <algorithm>

#include "engine/base/error.hpp"

namespace berth {

namespace {

double floored(double ratio, const SlowdownBound& bound) {
  return bound.floor ? std::max(1.0, ratio) : ratio;
}

}  // namespace

std::optional<double> slowdown(Duration response, Duration length) {
  if (length == 0) return std::nullopt;
  return static_cast<double>(response) / static_cast<double>(length);
}

double bounded_slowdown(Duration response, Duration length,
                        const SlowdownBound& bound) {
  return per_processor_bounded_slowdown(response, length, 1, bound);
}

double per_processor_bounded_slowdown(Duration response, Duration length,
                                      std::int32_t size, const SlowdownBound& bound) {
  BERTH_ASSERT(bound.tau > 0);
  const auto least = static_cast<double>(std::max(length, bound.tau));
  return floored(static_cast<double>(response) / (size * least), bound);
}

}  // namespace berth

#pragma once
// Metrics of one job, and boxes of many.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/json.hpp"
#include "engine/metrics/slowdown.hpp"
#include "report/jobs_file.hpp"

namespace berth::report {

struct Measure {
  const char* name;
  const char* unit;  // "s" or "ratio"
  // REQUIRES: the job ended.  nullopt: undefined, or the time of its submit is not
  // known.
  std::optional<double> (*of)(const ScheduledJob&, const SlowdownBound&);
};

// In this order: wait, response, bounded slowdown.
[[nodiscard]] std::span<const Measure> measures();
inline constexpr std::size_t kWait = 0;
inline constexpr std::size_t kBoundedSlowdown = 2;

// n, the quantiles 5, 25, 50, 75, 95 %, mean; an empty array for no values, which are
// sorted.
[[nodiscard]] Json box_of(std::vector<double>& values, Budget& budget);

}  // namespace berth::report

#include "engine/metrics/metric_options.hpp"

#include "engine/base/error.hpp"

namespace berth {

Window window_of(std::span<const Job> jobs, Measure measure, double warmup_fraction) {
  BERTH_ASSERT(0.0 <= warmup_fraction && warmup_fraction < 1.0);
  if (measure == Measure::kAll || jobs.empty()) return {};
  const double dropped = warmup_fraction * static_cast<double>(jobs.size());
  const auto first = static_cast<std::uint32_t>(dropped);
  return {jobs[first].submit, jobs.back().submit, first};
}

}  // namespace berth

#include "report/measures.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/metrics/sample.hpp"

namespace berth::report {

namespace {

std::optional<double> wait(const ScheduledJob& job, const SlowdownBound& /*unused*/) {
  if (!job.has_submit) return std::nullopt;
  return to_seconds(job.start - job.submit);
}

std::optional<double> response(const ScheduledJob& job,
                               const SlowdownBound& /*unused*/) {
  if (!job.has_submit) return std::nullopt;
  return to_seconds(job.finish - job.submit);
}

std::optional<double> bounded(const ScheduledJob& job, const SlowdownBound& bound) {
  if (!job.has_submit) return std::nullopt;
  return bounded_slowdown(job.finish - job.submit, job.length, bound);
}

constexpr std::array kMeasures{Measure{"wait", "s", wait},
                               Measure{"response", "s", response},
                               Measure{"bounded_slowdown", "ratio", bounded}};

constexpr std::array kBox{0.05, 0.25, 0.5, 0.75, 0.95};

}  // namespace

std::span<const Measure> measures() { return kMeasures; }

Json box_of(std::vector<double>& values, Budget& budget) {
  budget.charge_sort(values.size());
  std::sort(values.begin(), values.end());
  auto box = Json::array();
  if (values.empty()) return box;
  box.append(values.size());
  // Bounded: the five quantiles.
  for (const auto q : kBox) box.append(quantile(values, q));
  box.append(std::accumulate(values.begin(), values.end(), 0.0) /
             static_cast<double>(values.size()));
  return box;
}

}  // namespace berth::report

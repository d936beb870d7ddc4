#include "study/measured_sweep.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "study/drive.hpp"

namespace berth::study {

namespace {

// Long runs on a busy machine: what is late there is no reason to stop.
constexpr bindings::Limits kLimits{.time_seconds = 600};

Measured measured(const Summary& summary) {
  Measured values;
  for (const auto& metric : summary.metrics) {
    if (metric.value) values.emplace(metric.name, *metric.value);
  }
  const auto jobs = static_cast<double>(summary.jobs.finished);
  if (jobs == 0) return values;
  const auto& counts = summary.counts;
  values["kills_a_job"] = static_cast<double>(counts.kills) / jobs;
  values["migrations_a_job"] = static_cast<double>(counts.migrations) / jobs;
  values["swaps_a_job"] = static_cast<double>(counts.swaps) / jobs;
  return values;
}

MeasuredPoint measured(const PointOutcome& point, const PointSettings& cell) {
  if (point.state == PointState::kNotBegun) throw Interrupted{};
  MeasuredPoint result{cell, {}};
  for (const auto& policy : point.policies) {
    if (!policy.run) {
      throw Error(static_cast<ErrorCode>(policy.failure.code),
                  fmt::format("{}: {}", point.name, policy.failure.text));
    }
    result.by_policy.emplace(policy.label, measured(policy.run->summary));
  }
  return result;
}

}  // namespace

std::vector<MeasuredPoint> measure_sweep(const Scenario& scenario,
                                         const PolicyLibrary& library,
                                         SweepOptions options) {
  options.limits = kLimits;
  const SweepGrid grid(scenario);
  const auto outcome = run_sweep(scenario, library, options);
  std::vector<MeasuredPoint> points;
  points.reserve(outcome.points.size());
  for (const auto& point : outcome.points) {
    points.push_back(measured(point, grid.cell(point.number / grid.replications())));
  }
  return points;
}

}  // namespace berth::study

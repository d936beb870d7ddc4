#pragma once
// Per-job metrics and the statistics over their values.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/metric_record.hpp"
#include "engine/metrics/outcomes.hpp"
#include "engine/metrics/slowdown.hpp"

namespace berth {

struct JobMetric {
  std::string_view name;  // "wait"
  std::string_view unit;
  std::string_view formula;
  std::string_view brief;  // a noun phrase: "time until the first start"
  // For a finished job; in ticks if the unit is "s".  nullopt: undefined for this job.
  std::optional<double> (*value)(const JobOutcome&, const SlowdownBound&);
  // Those of all jobs of a view for which it is defined.
  std::vector<double> (*values)(const OutcomeView&, const SlowdownBound&);

  [[nodiscard]] bool in_ticks() const { return unit == "s"; }
  // See MetricRecord.
  [[nodiscard]] bool by_queue() const {
    return name != "lost_time" && name != "service_stretch";
  }
  [[nodiscard]] bool to_first_start() const { return name == "wait"; }
};

[[nodiscard]] std::span<const JobMetric> job_metrics();

// REQUIRES: the name is known.
[[nodiscard]] const JobMetric& job_metric(std::string_view name);

// Mean, median, 95th and 99th percentile, maximum.
struct Statistic {
  std::string_view prefix;  // of names: "mean"
  std::string_view brief;   // "Mean"
  double quantile;          // < 0: the mean
};

[[nodiscard]] std::span<const Statistic> statistics();

// "mean_wait".
[[nodiscard]] std::string metric_name(std::string_view prefix, const JobMetric& metric);

}  // namespace berth

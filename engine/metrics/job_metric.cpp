#include "engine/metrics/job_metric.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/error.hpp"

namespace berth {

namespace {

using Value = std::optional<double>;

Value wait(const JobOutcome& job, const SlowdownBound&) {
  return static_cast<double>(job.wait);
}

Value response(const JobOutcome& job, const SlowdownBound&) {
  return static_cast<double>(job.response);
}

Value lost_time(const JobOutcome& job, const SlowdownBound&) {
  return static_cast<double>(job.lost_time());
}

Value service_stretch(const JobOutcome& job, const SlowdownBound&) {
  return slowdown(job.service(), job.length);
}

Value plain(const JobOutcome& job, const SlowdownBound&) {
  return slowdown(job.response, job.length);
}

Value bounded(const JobOutcome& job, const SlowdownBound& bound) {
  return bounded_slowdown(job.response, job.length, bound);
}

Value per_processor(const JobOutcome& job, const SlowdownBound& bound) {
  return per_processor_bounded_slowdown(job.response, job.length, job.size, bound);
}

template <Value (*kValue)(const JobOutcome&, const SlowdownBound&)>
std::vector<double> values_of(const OutcomeView& jobs, const SlowdownBound& bound) {
  std::vector<double> values(jobs.outcomes().size());
  auto next = values.begin();
  jobs.each([&](const JobOutcome& job) {
    if (const auto value = kValue(job, bound)) *next++ = *value;
  });
  values.erase(next, values.end());
  return values;
}

template <Value (*kValue)(const JobOutcome&, const SlowdownBound&)>
constexpr JobMetric metric(std::string_view name, std::string_view unit,
                           std::string_view formula, std::string_view brief) {
  return {name, unit, formula, brief, kValue, values_of<kValue>};
}

constexpr std::array kJobMetrics{
    metric<wait>("wait", "s", "S - a", "time from submit to the first start"),
    metric<response>("response", "s", "C - a", "time from submit to the end"),
    metric<lost_time>("lost_time", "s", "response - wait - time running",
                      "time suspended or frozen"),
    metric<service_stretch>("service_stretch", "ratio", "(C - S) / L",
                            "time from the first start to the end, by length"),
    metric<plain>("slowdown", "ratio", "response / L",
                  "response by length, undefined for length 0"),
    metric<bounded>("bounded_slowdown", "ratio", "max(1, response / max(L, tau))",
                    "slowdown with short lengths counted as tau"),
    metric<per_processor>("per_processor_bounded_slowdown", "ratio",
                          "max(1, response / (n * max(L, tau)))",
                          "bounded slowdown by processor of the job"),
};

constexpr std::array kStatistics{
    Statistic{"mean", "Mean", -1.0},
    Statistic{"median", "Median", 0.5},
    Statistic{"p95", "95th percentile", 0.95},
    Statistic{"p99", "99th percentile", 0.99},
    Statistic{"max", "Maximum", 1.0},
};

}  // namespace

std::span<const JobMetric> job_metrics() { return kJobMetrics; }

const JobMetric& job_metric(std::string_view name) {
  const auto* const at =
      std::find_if(kJobMetrics.begin(), kJobMetrics.end(),
                   [&](const JobMetric& it) { return it.name == name; });
  BERTH_ASSERT(at != kJobMetrics.end());
  return *at;
}

std::span<const Statistic> statistics() { return kStatistics; }

std::string metric_name(std::string_view prefix, const JobMetric& metric) {
  return std::string(prefix) + "_" + std::string(metric.name);
}

}  // namespace berth

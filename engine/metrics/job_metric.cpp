#include "engine/metrics/job_metric.hpp"

#include <algorithm>
#include <array>

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

constexpr std::array kJobMetrics{
    JobMetric{"wait", "s", "S - a", "time from submit to the first start", wait},
    JobMetric{"response", "s", "C - a", "time from submit to the end", response},
    JobMetric{"lost_time", "s", "response - wait - time running",
              "time suspended or frozen", lost_time},
    JobMetric{"service_stretch", "ratio", "(C - S) / L",
              "time from the first start to the end, by length", service_stretch},
    JobMetric{"slowdown", "ratio", "response / L",
              "response by length, undefined for length 0", plain},
    JobMetric{"bounded_slowdown", "ratio", "max(1, response / max(L, tau))",
              "slowdown with short lengths counted as tau", bounded},
    JobMetric{"per_processor_bounded_slowdown", "ratio",
              "max(1, response / (n * max(L, tau)))",
              "bounded slowdown by processor of the job", per_processor},
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

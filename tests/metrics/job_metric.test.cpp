#include "engine/metrics/job_metric.hpp"

#include <doctest/doctest.h>

namespace berth {

namespace {

// Waits 30 s, is suspended for 20 s and frozen for 5 s, and is 100 s long.
JobOutcome disturbed() {
  JobOutcome job;
  job.job = JobId{4};
  job.size = 4;
  job.length = seconds(100);
  job.wait = seconds(30);
  job.response = seconds(155);
  job.suspended = seconds(20);
  job.frozen = seconds(5);
  return job;
}

}  // namespace

TEST_SUITE("metrics/job_metric") {
  TEST_CASE("each metric follows its formula") {
    const auto value = [](std::string_view name) {
      const auto& metric = job_metric(name);
      const double scale = metric.in_ticks() ? 1e6 : 1.0;
      return *metric.value(disturbed(), {}) / scale;
    };
    CHECK(value("wait") == 30.0);
    CHECK(value("response") == 155.0);
    CHECK(value("lost_time") == 25.0);
    CHECK(value("service_stretch") == 1.25);
    CHECK(value("slowdown") == 1.55);
    CHECK(value("bounded_slowdown") == 1.55);
    CHECK(value("per_processor_bounded_slowdown") == 1.0);  // 155 / 400, floored
  }

  TEST_CASE("names are put together from statistic and metric") {
    CHECK(metric_name(statistics().front().prefix, job_metrics().front()) ==
          "mean_wait");
  }
}

}  // namespace berth

#include "engine/metrics/metric_options.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/builders.hpp"

namespace berth {

namespace {

std::vector<Job> every_ten_seconds(int n) {
  std::vector<Job> jobs;
  for (int i = 0; i < n; ++i) jobs.push_back(test::a_job(i, 10 * i, 1, 10));
  return jobs;
}

}  // namespace

TEST_SUITE("metrics/metric_options") {
  TEST_CASE("a steady window leaves out the first tenth and ends at the last submit") {
    const auto window = window_of(every_ten_seconds(25), Measure::kSteady, 0.1);
    CHECK(window.first_job == 2);
    CHECK(window.begin == seconds(20));
    CHECK(window.end == seconds(240));
  }

  TEST_CASE("without a warm-up it begins with the first job") {
    const auto window = window_of(every_ten_seconds(3), Measure::kSteady, 0.0);
    CHECK(window.first_job == 0);
    CHECK(window.begin == 0);
  }

  TEST_CASE("everything has no end of its own") {
    const auto window = window_of(every_ten_seconds(25), Measure::kAll, 0.1);
    CHECK(window.first_job == 0);
    CHECK(window.end == std::nullopt);
    CHECK(window_of({}, Measure::kSteady, 0.1).end == std::nullopt);
  }
}

}  // namespace berth

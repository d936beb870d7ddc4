#include "engine/metrics/sample.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/outcomes_of.hpp"

namespace berth {

namespace {

using test::OutcomesOf;

JobOutcome outcome(std::uint32_t id, std::int64_t wait, std::int64_t length) {
  JobOutcome job;
  job.job = JobId{id};
  job.length = seconds(length);
  job.wait = seconds(wait);
  job.response = seconds(wait + length);
  return job;
}

}  // namespace

TEST_SUITE("metrics/sample") {
  TEST_CASE("times are averaged as whole ticks") {
    std::vector<JobOutcome> jobs{outcome(0, 0, 1), outcome(1, 0, 1), outcome(2, 1, 1)};
    jobs[1].wait = 1;  // a tick
    const Sample sample(job_metric("wait"), OutcomesOf(jobs), {});
    CHECK(sample.n() == 3);
    CHECK(*sample.mean() == 1.000001 / 3.0);
    CHECK(*sample.at(0.5) == 0.000001);
    CHECK(*sample.at(1.0) == 1.0);
  }

  TEST_CASE("the order of the jobs does not change a sum") {
    std::vector<JobOutcome> jobs;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      jobs.push_back(outcome(i, (i * 7919) % 1000, 1 + i % 97));
    }
    const auto mean = [&] {
      return *Sample(job_metric("slowdown"), OutcomesOf(jobs), {}).mean();
    };
    const double forward = mean();
    std::reverse(jobs.begin(), jobs.end());
    CHECK(mean() == forward);
  }

  TEST_CASE("jobs without a value are not counted") {
    const std::vector jobs{outcome(0, 10, 0), outcome(1, 10, 10)};
    const Sample sample(job_metric("slowdown"), OutcomesOf(jobs), {});
    CHECK(sample.n() == 1);
    CHECK(*sample.mean() == 2.0);
  }

  TEST_CASE("long waits exceed ten times the mean") {
    std::vector<JobOutcome> jobs(20, outcome(0, 0, 1));
    jobs[0].wait = seconds(100);  // mean 5, limit 50
    CHECK(Sample(job_metric("wait"), OutcomesOf(jobs), {}).above_mean(10.0) == 1);
    jobs.resize(10);  // mean 10, limit 100: not above
    CHECK(Sample(job_metric("wait"), OutcomesOf(jobs), {}).above_mean(10.0) == 0);
  }

  TEST_CASE("nothing has no mean") {
    const Sample sample(job_metric("wait"), OutcomesOf({}), {});
    CHECK(sample.n() == 0);
    CHECK(sample.mean() == std::nullopt);
    CHECK(sample.at(0.5) == std::nullopt);
    CHECK(sample.above_mean(10.0) == 0);
  }

  TEST_CASE("large jobs weigh more in a weighted mean") {
    std::vector jobs{outcome(0, 10, 100), outcome(1, 40, 50)};
    jobs[1].size = 4;  // areas 100 and 200
    CHECK(*area_weighted_mean(job_metric("wait"), OutcomesOf(jobs), {}) == 30.0);
    const std::vector weightless{outcome(0, 10, 0)};
    CHECK(area_weighted_mean(job_metric("wait"), OutcomesOf(weightless), {}) ==
          std::nullopt);
  }
}

}  // namespace berth

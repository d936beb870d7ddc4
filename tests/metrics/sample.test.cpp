#include "engine/metrics/sample.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

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

TEST_SUITE("metrics/quantile") {
  TEST_CASE("a quantile lies linearly between its neighbours") {
    const std::vector<double> sample{1, 2, 3, 4, 5, 6, 7, 50};
    CHECK(*quantile(sample, 0.25) == doctest::Approx(2.75));
    CHECK(*quantile(sample, 0.5) == doctest::Approx(4.5));
    CHECK(*quantile(sample, 0.75) == doctest::Approx(6.25));
  }

  TEST_CASE("quantiles at a place of the sample are its values") {
    const std::vector<double> sample{0, 0, 5, 10, 20, 35, 35, 60, 100};
    CHECK(*quantile(sample, 0.0) == 0);
    CHECK(*quantile(sample, 0.25) == 5);
    CHECK(*quantile(sample, 0.5) == 20);
    CHECK(*quantile(sample, 0.75) == 35);
    CHECK(*quantile(sample, 1.0) == 100);
  }

  TEST_CASE("every quantile of one value is that value") {
    const std::array sample{7.0};
    for (const double q : {0.0, 0.3, 0.95, 1.0}) CHECK(*quantile(sample, q) == 7.0);
  }

  TEST_CASE("an empty sample has no quantile") {
    CHECK(quantile({}, 0.5) == std::nullopt);
  }
}

}  // namespace berth

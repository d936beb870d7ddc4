#include "engine/metrics/sample.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/outcomes_of.hpp"
#include "tests/support/rounds.hpp"

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
    Sample sample(job_metric("wait"), OutcomesOf(jobs), {});
    CHECK(sample.n() == 3);
    CHECK(*sample.mean() == 1.000001 / 3.0);
    CHECK(sample.at(std::array{0.5, 1.0}) == std::vector{0.000001, 1.0});
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

  TEST_CASE("an empty sample has no mean") {
    Sample sample(job_metric("wait"), OutcomesOf({}), {});
    CHECK(sample.n() == 0);
    CHECK(sample.mean() == std::nullopt);
    CHECK(sample.at(std::array{0.5}).empty());
    CHECK(sample.above_mean(10.0) == 0);
  }

  TEST_CASE("large jobs have more weight in a weighted mean") {
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

  TEST_CASE("quantiles of values in any order are those of the sorted values") {
    std::mt19937_64 draw(5);
    const auto number = [&](std::uint64_t kind) {
      const auto bits = draw();
      if (kind == 0) return static_cast<double>(bits % 7);
      if (kind == 1) return static_cast<double>(bits % 1'000'003) / 17.0 - 20'000.0;
      if (kind == 2)
        return bits % 5 == 0 ? 1.0
                             : 1.0 + std::ldexp(1.0, -static_cast<int>(bits % 60));
      return std::ldexp(static_cast<double>(bits >> 11U), static_cast<int>(bits % 99));
    };
    const std::vector qs{0.0, 0.2, 0.5, 0.95, 0.99, 1.0, 0.5};
    for (std::uint64_t round = 0; round < test::rounds(200); ++round) {
      const auto n = 1 + draw() % (round % 20 == 0 ? 9000 : 40);
      std::vector<double> values;
      for (std::uint64_t i = 0; i < n; ++i) {
        values.push_back(number(round % 4));
      }
      const auto found = quantiles(values, qs);
      std::sort(values.begin(), values.end());
      for (std::size_t i = 0; i < qs.size(); ++i) {
        CHECK(found[i] == *quantile(values, qs[i]));
      }
    }
  }
}

}  // namespace berth

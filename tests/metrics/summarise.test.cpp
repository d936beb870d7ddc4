#include "engine/metrics/summarise.hpp"

#include <doctest/doctest.h>

#include "tests/support/outcomes_of.hpp"

namespace berth {

namespace {

using test::OutcomesOf;

JobOutcome outcome(std::uint32_t id, std::int32_t user, std::int64_t wait,
                   std::int64_t length) {
  JobOutcome job;
  job.job = JobId{id};
  job.user = user;
  job.size = 2;
  job.length = seconds(length);
  job.wait = seconds(wait);
  job.response = seconds(wait + length);
  return job;
}

}  // namespace

TEST_SUITE("metrics/summarise") {
  TEST_CASE("each user has a row, by number") {
    const std::vector<JobOutcome> jobs{outcome(0, 7, 30, 10), outcome(1, 3, 0, 100),
                                       outcome(2, 7, 50, 50)};
    const auto table = user_table(OutcomesOf(jobs), {});
    REQUIRE(table.size() == 2);
    CHECK(table[0].user == 3);
    CHECK(table[1].user == 7);
    CHECK(table[1].jobs == 2);
    CHECK(table[1].mean_wait == 40.0);
    CHECK(table[1].mean_bounded_slowdown == 3.0);  // 4 and 2
    CHECK(table[1].processor_seconds == 120.0);
    CHECK(table[0].processor_seconds == 200.0);
  }

  TEST_CASE("killed jobs count as use but not in means") {
    auto killed = outcome(0, 1, 500, 40);
    killed.state = JobState::kFailed;
    const auto table = user_table(OutcomesOf({killed, outcome(1, 1, 10, 10)}), {});
    CHECK(table[0].jobs == 2);
    CHECK(table[0].finished == 1);
    CHECK(table[0].mean_wait == 10.0);
    CHECK(table[0].processor_seconds == 100.0);
  }

  TEST_CASE("a user without finished jobs has no mean") {
    auto killed = outcome(0, 1, 500, 40);
    killed.state = JobState::kFailed;
    const auto table = user_table(OutcomesOf({killed}), {});
    CHECK(table[0].mean_wait == std::nullopt);
    CHECK(mean_waits(table).empty());
  }

  TEST_CASE("jobs without a user do not count for fairness") {
    const auto table =
        user_table(OutcomesOf({outcome(0, -1, 9, 1), outcome(1, 4, 5, 1)}), {});
    CHECK(table[0].user == -1);
    CHECK(mean_waits(table) == std::vector<double>{5.0});
  }

  TEST_CASE("Jain's index is 1 for equal values and 1/n for one user who waits") {
    CHECK(*jain_index(std::vector<double>{4, 4, 4}) == 1.0);
    CHECK(*jain_index(std::vector<double>{8, 0, 0, 0}) == 0.25);
    CHECK(*jain_index(std::vector<double>{1, 2, 3}) == doctest::Approx(36.0 / 42.0));
    CHECK(jain_index(std::vector<double>{0, 0}) == std::nullopt);
    CHECK(jain_index({}) == std::nullopt);
  }

  TEST_CASE("the standard deviation is that of the users themselves") {
    CHECK(*standard_deviation(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9}) == 2.0);
    CHECK(*standard_deviation(std::vector<double>{3}) == 0.0);
    CHECK(standard_deviation({}) == std::nullopt);
  }
}

}  // namespace berth

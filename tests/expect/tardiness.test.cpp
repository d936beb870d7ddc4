#include "engine/expect/tardiness.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

Job of_user(std::int64_t id, std::int64_t submit, std::int32_t size,
            std::int64_t length, std::int32_t user) {
  auto job = a_job(id, submit, size, length);
  job.user = user;
  return job;
}

using Minutes = std::vector<ViolatedMinutes>;

// The minutes that one job of this length marks; it was expected at 3600 s.
Minutes minutes_of(std::int64_t length, std::int64_t end) {
  const std::vector<Job> jobs{of_user(1, 0, 1, length, 1)};
  const std::vector<Time> expected{seconds(3600)};
  TardinessOfUsers all(jobs, expected, 0);
  all.finished(JobId{0}, seconds(end));
  return all.users().front().minutes;
}

}  // namespace

TEST_SUITE("expect/tardiness") {
  TEST_CASE("minutes are those of the worked examples") {
    CHECK(minutes_of(1800, 3720) == Minutes{{30, 32, 1}});
    CHECK(minutes_of(1800, 3661) == Minutes{{30, 32, 1}});
    CHECK(minutes_of(1810, 3661) == Minutes{{29, 31, 1}});
    CHECK(minutes_of(1800, 3600).empty());
  }

  TEST_CASE("one user late, the other not") {
    // Two processors; four jobs of 1 s of user 1 go first, two of 2 s of user 2 behind.
    std::vector<Job> jobs;
    for (std::int64_t id = 1; id <= 4; ++id) jobs.push_back(of_user(id, 0, 1, 1, 1));
    for (std::int64_t id = 5; id <= 6; ++id) jobs.push_back(of_user(id, 0, 1, 2, 2));
    std::vector<Time> expected;
    for (const std::int64_t end : {1, 2, 3, 4, 2, 4}) expected.push_back(seconds(end));
    TardinessOfUsers all(jobs, expected, 0);
    std::uint32_t id = 0;
    for (const std::int64_t end : {1, 1, 2, 2, 4, 4}) {
      all.finished(JobId{id++}, seconds(end));
    }
    const auto users = all.users();
    REQUIRE(users.size() == 2);
    CHECK(users[0].user == 1);
    CHECK(users[0].veet() == 0.0);
    CHECK(users[1].veet() == 50.0);
    CHECK(users[1].tardiness == seconds(2));
    CHECK(users[1].weighted_tardiness == seconds(2));
    CHECK(users[1].longest_line() == 1);
  }

  TEST_CASE("the violations of a row are the minutes of all tardiness") {
    std::mt19937 random(4);
    for (int round = 0; round < 2000; ++round) {
      std::vector<Job> jobs;
      std::vector<Time> expected;
      std::vector<Time> ends;
      std::map<std::int32_t, std::int64_t> wanted;
      for (std::int64_t id = 1; id <= 60; ++id) {
        const auto user = static_cast<std::int32_t>(random() % 4);
        const auto length = static_cast<std::int64_t>(random() % 4000);
        jobs.push_back(of_user(id, id * 40, 3, length, user));
        expected.push_back(jobs.back().submit +
                           seconds(length + static_cast<std::int64_t>(random() % 500)));
        ends.push_back(expected.back() - seconds(2000) +
                       static_cast<Time>(random() % 4'000'000'000U));
        const Duration late = std::max(Time{0}, ends.back() - expected.back());
        wanted[user] += (late + 60 * kSecond - 1) / (60 * kSecond);
      }
      TardinessOfUsers all(jobs, expected, 0);
      for (std::uint32_t i = 0; i < 60; ++i) all.finished(JobId{i}, ends[i]);
      for (const auto& user : all.users()) {
        std::int64_t sum = 0;
        std::int64_t before = -1;
        for (const auto& run : user.minutes) {
          CHECK(run.from >= before);
          CHECK(run.to > run.from);
          CHECK(run.violations > 0);
          before = run.to;
          sum += (run.to - run.from) * run.violations;
        }
        CHECK(sum == wanted[user.user]);
        CHECK(user.weighted_tardiness == 3 * user.tardiness);
      }
    }
  }

  TEST_CASE("a line goes on while each minute has a violation, however many") {
    UserTardiness user;
    user.minutes = {{0, 3, 1}, {3, 5, 2}, {6, 9, 1}};
    CHECK(user.longest_line() == 5);
    CHECK(UserTardiness{}.longest_line() == 0);
    CHECK(UserTardiness{}.veet() == std::nullopt);
  }

  TEST_CASE("jobs before a time are not judged; users come by their first job") {
    const std::vector<Job> jobs{of_user(1, 0, 1, 10, 9), of_user(2, 5, 1, 10, 4),
                                of_user(3, 5, 1, 10, 2), of_user(4, 6, 1, 10, 9)};
    const std::vector<Time> expected{seconds(10), seconds(15), seconds(15),
                                     seconds(20)};
    TardinessOfUsers all(jobs, expected, seconds(5));
    for (std::uint32_t i = 0; i < 4; ++i) all.finished(JobId{i}, seconds(100));
    const auto users = all.users();
    REQUIRE(users.size() == 3);
    CHECK(users[0].user == 9);
    CHECK(users[0].jobs == 1);
    CHECK(users[1].user == 2);
    CHECK(users[2].user == 4);
  }
}

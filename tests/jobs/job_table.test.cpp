#include "engine/jobs/job_table.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "engine/base/error.hpp"

using namespace berth;

namespace {

std::vector<Job> three_jobs() {
  std::vector<Job> jobs(3);
  jobs[0].id = 30;
  jobs[1].id = 10;
  jobs[2].id = 20;
  return jobs;
}

}  // namespace

TEST_SUITE("jobs/job_table") {
  TEST_CASE("a job is found by its rank, not by the number of the trace") {
    const auto jobs = three_jobs();
    const JobTable table(jobs);
    CHECK(table.size() == 3);
    CHECK(table.job(JobId{0}).id == 30);
    CHECK(table.job(JobId{2}).id == 20);
    CHECK(&table.job(JobId{1}) == &jobs[1]);
  }

  TEST_CASE("before its arrival a job lies in the future and has no entry") {
    const auto jobs = three_jobs();
    const JobTable table(jobs);
    CHECK_FALSE(table.holds(JobId{1}));
    CHECK(table.state(JobId{1}) == JobState::kFuture);
  }

  TEST_CASE("a job that has just arrived has been charged nothing") {
    const auto jobs = three_jobs();
    JobTable table(jobs);
    table.admit(JobId{0});
    const auto& entry = table[JobId{0}];
    CHECK(entry.state == JobState::kFuture);
    CHECK(entry.first_start == kNever);
    CHECK(entry.progress == 0.0);
    CHECK(entry.account.suspended == 0);
    CHECK(entry.account.kills == 0);
    CHECK_FALSE(table.holds(JobId{1}));
  }

  TEST_CASE("jobs are admitted in their order") {
    const auto jobs = three_jobs();
    JobTable table(jobs);
    CHECK_THROWS_AS(table.admit(JobId{1}), Error);
  }

  TEST_CASE("what happens to one job happens to no other") {
    const auto jobs = three_jobs();
    JobTable table(jobs, 2);
    for (std::uint32_t i = 0; i < 3; ++i) table.admit(JobId{i});
    table[JobId{1}].state = JobState::kRunning;
    table.keys(JobId{1})[0] = 5;
    CHECK(table[JobId{0}].state == JobState::kFuture);
    CHECK(table[JobId{1}].state == JobState::kRunning);
    CHECK(table[JobId{2}].state == JobState::kFuture);
    CHECK(table.keys(JobId{0})[0] == 0);
    CHECK(table.keys(JobId{1})[0] == 5);
    CHECK(table.keys(JobId{2})[1] == 0);
  }

  TEST_CASE("of forgotten jobs the last state alone stays") {
    const std::vector<Job> jobs(600);
    JobTable table(jobs);
    const auto last = [](std::uint32_t i) {
      return i % 2 == 0 ? JobState::kFinished : JobState::kRejected;
    };
    for (std::uint32_t i = 0; i < 600; ++i) table.admit(JobId{i});
    for (std::uint32_t i = 0; i < 511; ++i) table.depart(JobId{i}, last(i), 0);
    CHECK(table.holds(JobId{0}));
    table.forget_departed();
    CHECK_FALSE(table.holds(JobId{0}));
    CHECK(table.holds(JobId{511}));  // a page is given back as a whole
    table.depart(JobId{511}, last(511), 0);
    table.forget_departed();
    CHECK(table.departures() == 512);
    for (std::uint32_t i = 512; i < 600; ++i) table.depart(JobId{i}, last(i), 0);
    for (std::uint32_t i = 0; i < 600; ++i) {
      REQUIRE(table.holds(JobId{i}) == (i >= 512));
      REQUIRE(table.state(JobId{i}) == last(i));
    }
  }

  TEST_CASE("a page that is used again begins with nothing in it") {
    const std::vector<Job> jobs(1000);
    JobTable table(jobs);
    for (std::uint32_t i = 0; i < 1000; ++i) {
      table.admit(JobId{i});
      REQUIRE(table[JobId{i}].version == 0);
      table[JobId{i}].version = 9;
      if (i >= 100) table.depart(JobId{i - 100}, JobState::kFinished, 0);
      table.forget_departed();
    }
    CHECK_FALSE(table.holds(JobId{700}));
    CHECK(table.holds(JobId{899}));
  }
}

#include "engine/jobs/job_table.hpp"

#include <doctest/doctest.h>

#include <vector>

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

  TEST_CASE("before a run every job lies in the future and has been charged nothing") {
    const auto jobs = three_jobs();
    const JobTable table(jobs);
    const auto& entry = table[JobId{1}];
    CHECK(entry.state == JobState::kFuture);
    CHECK(entry.first_start == kNever);
    CHECK(entry.progress == 0.0);
    CHECK(entry.account.suspended == 0);
    CHECK(entry.account.kills == 0);
  }

  TEST_CASE("what happens to one job happens to no other") {
    const auto jobs = three_jobs();
    JobTable table(jobs);
    table[JobId{1}].state = JobState::kRunning;
    CHECK(table[JobId{0}].state == JobState::kFuture);
    CHECK(table[JobId{1}].state == JobState::kRunning);
    CHECK(table[JobId{2}].state == JobState::kFuture);
  }
}

#include "engine/metrics/job_outcome.hpp"

#include <doctest/doctest.h>

#include "tests/support/builders.hpp"

namespace berth {

namespace {

struct Made {
  Job job = test::a_job(1, 10, 2, 50, 40);
  JobEntry entry;
  [[nodiscard]] sim::Subject subject() const { return {JobId{0}, &job, &entry}; }
};

}  // namespace

TEST_SUITE("metrics/job_outcome") {
  TEST_CASE("a finished job waited until its first start") {
    Made made;
    made.entry.state = JobState::kFinished;
    made.entry.first_start = seconds(30);
    made.entry.account.suspended = seconds(7);
    made.entry.account.frozen = seconds(3);
    const auto outcome = outcome_of(made.subject(), seconds(90));
    CHECK(outcome.wait == seconds(20));
    CHECK(outcome.response == seconds(80));
    CHECK(outcome.service() == seconds(60));
    CHECK(outcome.lost_time() == seconds(10));
    CHECK(outcome.held() == seconds(53));
    CHECK(outcome.running() == seconds(50));
    CHECK(outlived_walltime(made.job, outcome));
  }

  TEST_CASE("a job left over has waited or been suspended up to now") {
    Made made;
    made.entry.state = JobState::kWaiting;
    CHECK(outcome_of(made.subject(), seconds(25)).wait == seconds(15));
    CHECK(outcome_of(made.subject(), seconds(25)).held() == 0);

    made.entry.state = JobState::kSuspended;
    made.entry.first_start = seconds(10);
    made.entry.state_since = seconds(15);
    const auto outcome = outcome_of(made.subject(), seconds(25));
    CHECK(outcome.suspended == seconds(10));
    CHECK(outcome.held() == seconds(5));
  }

  TEST_CASE("a job that stands still when the run is over is frozen up to now") {
    Made made;
    made.entry.state = JobState::kRunning;
    made.entry.frozen = true;
    made.entry.first_start = seconds(10);
    made.entry.state_since = seconds(20);
    CHECK(outcome_of(made.subject(), seconds(24)).frozen == seconds(4));
  }

  TEST_CASE("a walltime that was not given cannot be outlived") {
    Made made;
    made.entry.state = JobState::kFinished;
    made.entry.first_start = seconds(10);
    const auto outcome = outcome_of(made.subject(), seconds(60));
    CHECK(outlived_walltime(made.job, outcome));
    made.job.walltime_given = false;
    CHECK_FALSE(outlived_walltime(made.job, outcome));
  }

  TEST_CASE("a kill at the walltime loses the progress of the attempt") {
    Made made;
    made.entry.account.lost_work = seconds(5);
    made.entry.progress = static_cast<double>(seconds(40));
    made.entry.state = JobState::kFinished;
    CHECK(lost_work(made.entry) == seconds(5));
    made.entry.state = JobState::kFailed;
    CHECK(lost_work(made.entry) == seconds(45));
  }
}

}  // namespace berth

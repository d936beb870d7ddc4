#include "engine/metrics/outcomes.hpp"

#include <doctest/doctest.h>

#include "tests/support/builders.hpp"

namespace berth {

namespace {

std::vector<Job> jobs() {
  std::vector<Job> all;
  for (std::int64_t i = 0; i < 6; ++i) {
    all.push_back(test::a_job(i + 1, 10 * i, static_cast<std::int32_t>(i + 1), 100));
    all.back().user = static_cast<std::int32_t>(i % 3);
  }
  return all;
}

JobOutcome outcome(const std::vector<Job>& of, std::uint32_t number, Duration wait) {
  JobOutcome made;
  made.job = JobId{number};
  made.user = of[number].user;
  made.size = of[number].size;
  made.length = of[number].length;
  made.wait = wait;
  made.response = wait + made.length;
  return made;
}

std::vector<JobOutcome> list(const OutcomeView& view) {
  return {view.begin(), view.end()};
}

// One of each kind, in the order in which they leave.
std::vector<JobOutcome> of_all_kinds(const std::vector<Job>& of) {
  std::vector<JobOutcome> all{outcome(of, 3, 0),          outcome(of, 0, seconds(5)),
                              outcome(of, 1, seconds(7)), outcome(of, 5, seconds(9)),
                              outcome(of, 2, seconds(2)), outcome(of, 4, 0)};
  all[1].state = JobState::kFailed;
  all[2].response += seconds(3);
  all[2].suspended = seconds(2);
  all[2].frozen = seconds(1);
  all[3].response += 1;  // ran slower, by a tick
  all[4].unlimited = seconds(1);
  all[5].state = JobState::kWaiting;
  all[5].response = 0;
  return all;
}

}  // namespace

TEST_SUITE("metrics/outcomes") {
  TEST_CASE("everything that is said of a job comes back, in the order of leaving") {
    const auto workload = jobs();
    const auto all = of_all_kinds(workload);
    Outcomes outcomes(workload);
    for (const auto& one : all) outcomes.add(one);
    REQUIRE(outcomes.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(outcomes[i] == all[i]);
      CHECK(outcomes.job(i) == all[i].job);
    }
    CHECK(list(outcomes) == all);
  }

  TEST_CASE("a job of another workload has no outcome") {
    const auto workload = jobs();
    const std::span<const Job> all(workload);
    Outcomes outcomes(all.first(2));
    CHECK_THROWS_AS(outcomes.add(outcome(workload, 2, 0)), Error);
  }

  TEST_CASE("a view shows finished jobs, and jobs from a first on") {
    const auto workload = jobs();
    const auto all = of_all_kinds(workload);
    Outcomes outcomes(workload);
    CHECK(list(outcomes).empty());
    for (const auto& one : all) outcomes.add(one);
    CHECK(list(OutcomeView(outcomes, 3)) == std::vector{all[0], all[3], all[5]});
    CHECK(list(OutcomeView(outcomes, 3).finished()) == std::vector{all[0], all[3]});
    CHECK(OutcomeView(outcomes).finished().count() == 4);
    CHECK(OutcomeView(outcomes, 6).count() == 0);
  }

  TEST_CASE("outcomes are found by job, those in the view alone") {
    const auto workload = jobs();
    const auto all = of_all_kinds(workload);
    Outcomes outcomes(workload);
    for (const auto& one : all) outcomes.add(one);
    const OutcomesByJob by_job(OutcomeView(outcomes, 1).finished());
    CHECK(by_job.jobs() == 6);
    CHECK(by_job.find(JobId{1}) == all[2]);
    CHECK(by_job.find(JobId{3}) == all[0]);
    CHECK(by_job.find(JobId{0}) == std::nullopt);  // not in the view
    CHECK(by_job.find(JobId{4}) == std::nullopt);  // not finished
    CHECK(by_job.find(JobId{9}) == std::nullopt);
  }
}

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

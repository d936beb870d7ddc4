#include "engine/metrics/outcomes.hpp"

#include <doctest/doctest.h>

#include "engine/metrics/outcome_view.hpp"
#include "engine/metrics/outcomes_by_job.hpp"
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
  all[4].background = seconds(1);
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

}  // namespace berth

#include "engine/learn/mean_reward.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "engine/base/error.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using learn::Credit;
using learn::MeanReward;

// Three jobs one after the other on one processor, of 4, 2 and 0 s: they wait 0, 4 and
// 6 s.  What is given in each pass, and at the end.
std::vector<double> rewards(std::string_view metric, Credit credit,
                            std::uint32_t first_job = 0) {
  const std::vector<Job> jobs{a_job(1, 0, 1, 4), a_job(2, 0, 1, 2), a_job(3, 0, 1, 0)};
  MeanReward reward(learn::rewarded_metric(metric), credit);
  reward.begin({}, first_job, 3 - std::int64_t{first_job});
  std::vector<double> given;
  auto machine = a_machine(1);
  ScriptedPolicy policy([&](sim::Simulation& simulation) {
    given.push_back(reward.take(false, false));
    fcfs(simulation);
  });
  sim::Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
  simulation.audience().observe(reward);
  (void)simulation.advance(kNever);
  given.push_back(reward.take(true, true));
  return given;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double each : values) total += each;
  return total;
}

}  // namespace

TEST_SUITE("learn/mean_reward") {
  TEST_CASE("a job gives its share of the mean as it ends") {
    const auto given = rewards("mean_wait", Credit::kEach);
    CHECK(given[0] == 0);
    CHECK(given[1] == 0);  // job 1 waited 0 s
    CHECK(given[2] == doctest::Approx(-4.0 / 3));
    CHECK(sum(given) == doctest::Approx(-10.0 / 3));
  }

  TEST_CASE("all of it comes at the end, where it is so credited") {
    const auto given = rewards("mean_wait", Credit::kLast);
    CHECK(given.back() == doctest::Approx(-10.0 / 3));
    CHECK(sum(given) == given.back());
  }

  // The slowdowns are 1 and 3; job 3 has no length.
  TEST_CASE("a job without the metric is no 0 in the mean") {
    CHECK(sum(rewards("mean_slowdown", Credit::kEach)) == doctest::Approx(-2));
    CHECK(sum(rewards("mean_slowdown", Credit::kLast)) == doctest::Approx(-2));
  }

  TEST_CASE("jobs that warm the machine up do not count") {
    CHECK(sum(rewards("mean_wait", Credit::kEach, 1)) == doctest::Approx(-5));
  }

  TEST_CASE("a metric has a name, and is one of jobs") {
    CHECK(learn::rewarded_metric("mean_response").name == "response");
    CHECK_THROWS_WITH_AS(
        (void)learn::rewarded_metric("mean_wayt"),
        "reward: 'mean_wayt' is no mean of a metric of jobs (did you mean "
        "'mean_wait'?)",
        Error);
    CHECK_THROWS_AS((void)learn::rewarded_metric("wait"), Error);
    CHECK(learn::credit_of("last") == Credit::kLast);
    CHECK_THROWS_AS((void)learn::credit_of("each,last"), Error);
  }
}

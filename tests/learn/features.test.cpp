#include "engine/learn/features.hpp"

#include <doctest/doctest.h>

#include <array>

#include "engine/base/error.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

double of_job(std::string_view name, const learn::ShownJob& job) {
  const learn::Scene scene{8, 5, 6, 2, 4, 43'200};
  for (const auto& feature : learn::job_features()) {
    if (feature.name == name) return feature.value(job, scene);
  }
  return -1;
}

double of_machine(std::string_view name) {
  const learn::Scene scene{8, 5, 6, 2, 4, 43'200};
  for (const auto& feature : learn::machine_features()) {
    if (feature.name == name) return feature.value(scene);
  }
  return -1;
}

}  // namespace

TEST_SUITE("learn/features") {
  // 8 processors, 5 idle, 6 jobs wait, 2 run, 4 are shown, noon.
  TEST_CASE("each feature is its formula") {
    const learn::ShownJob job{2, 1800, 900, 3, true};
    CHECK(of_job("size", job) == 0.25);
    CHECK(of_job("walltime", job) == 1800.0 / 5400);
    CHECK(of_job("wait", job) == 900.0 / 4500);
    CHECK(of_job("fits", job) == 1);
    CHECK(of_job("idle_after", job) == 3.0 / 8);
    CHECK(of_job("slowdown", job) == 0.5 / 1.5);
    CHECK(of_job("area", job) == 3600.0 / (3600 + 7200));
    CHECK(of_job("user", job) == 3.0 / 8);
    CHECK(of_machine("idle") == 5.0 / 8);
    CHECK(of_machine("queue") == 0.6);
    CHECK(of_machine("running") == 2.0 / 6);
    CHECK(of_machine("day") == 0.5);
  }

  TEST_CASE(
      "a job that does not fit leaves nothing idle, and a short one counts 10 s") {
    const learn::ShownJob job{6, 2, 10, 0, false};
    CHECK(of_job("fits", job) == 0);
    CHECK(of_job("idle_after", job) == 0);
    CHECK(of_job("slowdown", job) == 0.5);
  }

  TEST_CASE("every feature lies within 0 and 1, however long a job waits") {
    const learn::ShownJob job{8, 1e12, 1e12, 8, true};
    for (const auto& feature : learn::job_features()) {
      const double value = feature.value(job, {8, 8, 1e9, 1e9, 1, 86'399});
      CHECK(value >= 0);
      CHECK(value <= 1);
    }
  }

  TEST_CASE("names are read in order, once each") {
    const learn::Observation both("wait,size", "day");
    CHECK(both.job_width() == 2);
    CHECK(both.machine_width() == 1);
    CHECK(learn::Observation("", "").job_width() == 0);
    CHECK_THROWS_WITH_AS(learn::Observation("size,wayt", ""),
                         "there is no feature of jobs 'wayt' (did you mean 'wait'?)",
                         Error);
    CHECK_THROWS_AS(learn::Observation("size,size", ""), Error);
    CHECK_THROWS_AS(learn::Observation("idle", ""), Error);
    CHECK_THROWS_AS(learn::Observation("", "idle,,day"), Error);
  }

  // At 5 s job 1 (2 of 4 processors, user 7) runs and job 2 (user 7) waits.
  TEST_CASE(
      "rows stand in the order of the jobs, zeros behind them, the machine last") {
    auto first = a_job(1, 0, 2, 100, 360);
    auto second = a_job(2, 5, 4, 10, 3600);
    first.user = second.user = 7;
    learn::Observation observation("user,size,walltime", "idle,queue");
    std::array<float, 8> seen{};
    (void)run({first, second}, a_machine(4), [&](sim::Simulation& simulation) {
      if (simulation.world().now() == 5 * kSecond) {
        const std::array jobs{simulation.queue(0).head()->job};
        const std::array<std::uint8_t, 1> fits{0};
        seen.fill(9);
        observation.write(simulation.world(), {jobs, fits, 1}, 2, seen);
      }
      fcfs(simulation);
    });
    CHECK(seen == std::array<float, 8>{0.5, 1, 0.5, 0, 0, 0, 0.5, 1.0F / 3});
  }
}

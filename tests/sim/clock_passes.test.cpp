// Passes by the clock (docs/model.md#events).

#include <doctest/doctest.h>

#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

sim::Settings every(std::int64_t cycle) {
  sim::Settings settings;
  settings.cycle = seconds(cycle);
  return settings;
}

std::vector<double> passes_of(const Remembering& watched) {
  std::vector<double> times;
  for (const auto& pass : watched.passes) times.push_back(to_seconds(pass.at));
  return times;
}

}  // namespace

TEST_SUITE("sim/clock_passes") {
  TEST_CASE(
      "jobs start at multiples of the cycle, and passes rest with an empty queue") {
    // Job 1 comes at 0 and job 3 at 90, between two passes; job 2 waits for job 1.
    const auto run = berth::test::run({a_job(1, 0, 4, 25), a_job(2, 5, 2, 10),
                                       a_job(3, 93, 1, 5), a_job(4, 100, 4, 1)},
                                      a_machine(4), fcfs, every(10));
    CHECK(run.watched.starts.at(1) == 0);
    CHECK(run.watched.starts.at(2) == seconds(30));
    CHECK(run.watched.starts.at(3) == seconds(100));
    CHECK(run.watched.starts.at(4) == seconds(110));
    CHECK(passes_of(run.watched) == std::vector<double>{0, 10, 20, 30, 100, 110});
  }

  TEST_CASE("what happened since the last pass is collected") {
    std::vector<sim::Causes> causes;
    const auto policy = [&](sim::Simulation& simulation) {
      causes.push_back(simulation.world().decision().causes);
      fcfs(simulation);
    };
    (void)berth::test::run({a_job(1, 0, 4, 12), a_job(2, 3, 4, 1), a_job(3, 15, 4, 1)},
                           a_machine(4), policy, every(10));
    CHECK(causes == std::vector<sim::Causes>{sim::kSubmit, sim::kSubmit,
                                             sim::kEnd | sim::kSubmit, sim::kEnd});
  }

  TEST_CASE("a policy that never starts a job ends the run") {
    const auto run = berth::test::run(
        {a_job(1, 0, 4, 12)}, a_machine(4), [](sim::Simulation&) {}, every(10));
    CHECK(run.watched.left == std::vector<std::int64_t>{1});
    CHECK(run.watched.passes.size() == 1);
  }
}

// Policies on hosts shared by fractions: the worked example, and properties of every
// workload (docs/model.md#fractional).

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <sstream>

#include "engine/audit/auditor.hpp"
#include "engine/base/random_stream.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/output/stretches_csv.hpp"
#include "tests/support/fractions.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using Parameters = std::map<std::string, std::string>;

struct Ran {
  std::map<std::int64_t, Remembering::Span> spans;
  std::map<std::string, std::int64_t> checked;
  std::string stretches;
  Summary summary;
};

Ran ran(const std::string& name, const std::vector<Job>& jobs,
        const TestMachine& machine, Parameters parameters = {}) {
  const auto policy = lua_policy(name, std::move(parameters));
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  Remembering watched;
  StringSink sink;
  StretchesCsv stretches(sink);
  const auto measure = make_measure(test::spec_of(machine, jobs), {});
  RunMetrics metrics(jobs, {}, {}, measure.get());
  audit::Auditor auditor({machine, {}, jobs, policy->traits()}, law_of(machine, jobs));
  simulation.audience().observe(watched);
  simulation.audience().observe(stretches);
  simulation.audience().observe(metrics);
  simulation.audience().observe(measure->observer());
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  auto summary = metrics.summary();
  add_measured(machine, measure.get(), summary);
  return {watched.spans, auditor.checked(), sink.text(), std::move(summary)};
}

const std::vector<Job>& three_jobs() {
  static const auto kJobs = [] {
    std::vector<Job> jobs;
    for (int id = 1; id <= 3; ++id) {
      jobs.push_back(with_memory(a_job(id, 0, 1, 10), 0.1));
    }
    return jobs;
  }();
  return kJobs;
}

struct Ends {
  double first;
  double second;
  double third;
};

void check_ends(const Ran& run, const Ends& ends) {
  CHECK(run.spans.at(1).end == doctest::Approx(ends.first));
  CHECK(run.spans.at(2).end == doctest::Approx(ends.second));
  CHECK(run.spans.at(3).end == doctest::Approx(ends.third));
}

struct Policy {
  const char* name;
  Parameters parameters;
};

const std::vector<Policy>& policies() {
  static const std::vector<Policy> kAll{
      {"mcb", {}},
      {"mcb", {{"variant", "3"}, {"raise", "max_min"}}},
      {"mcb", {{"least_yield", "0.5"}}},
      {"greedy", {{"variant", "SG"}}},
      {"greedy", {{"variant", "GB"}, {"attempts", "1000"}}},
      {"rounding", {{"variant", "RRNZ"}}},
      {"exact", {{"nodes", "2000"}}},
      {"near", {{"budget", "0"}}},
      {"near", {{"budget", "0.3"}}},
      {"near", {}},
      {"mcb_improved", {{"raise", "none"}}},
      {"cosine", {}},
      {"gang", {}},
      {"gang", {{"switch", "6"}}},
      {"dfrs", {{"period", "7"}}},
      {"fcfs", {}},
      {"sjf", {}},
      {"first_fit", {}},
  };
  return kAll;
}

// Hosts, needs, costs and errors vary with the seed.
TestMachine machine_of(std::uint64_t seed) {
  auto machine = a_fractional_machine(static_cast<std::int32_t>(1 + seed % 6));
  machine.migration_cost = seconds(static_cast<std::int64_t>(seed % 3));
  machine.seed = seed;
  auto& settings = fractions_of(machine);
  if (seed % 4 == 0) settings.rule = NeedsRule::kDfrs;
  if (seed % 4 == 1) settings.cpu = 0.3;
  if (seed % 5 == 0) settings.cap_overhead = 0.0027;
  if (seed % 5 == 1) settings.cap_error = 0.0072;
  if (seed % 5 < 3) settings.cap_delay = seconds(static_cast<std::int64_t>(seed % 7));
  return machine;
}

// Tenths of memory, so that ties occur.
std::vector<Job> jobs_of(std::uint64_t seed) {
  auto jobs = random_jobs(seed, {15, static_cast<std::int32_t>(1 + seed % 6)});
  auto stream = random_stream(seed, "test.memory");
  for (auto& job : jobs) {
    job = with_memory(job, std::floor(uniform(stream) * 10) / 10);
  }
  return jobs;
}

}  // namespace

TEST_SUITE("policies/fractional") {
  TEST_CASE("three jobs of 0.6 on two hosts, repacked at each event") {
    const auto run = ran("mcb", three_jobs(), a_fractional_machine(2, 0.6));
    check_ends(run, {35.0 / 3, 35.0 / 3, 10});
    CHECK(run.summary.counts.migrations == 1);
    CHECK(*run.summary.find("moved_memory")->value == doctest::Approx(0.1));
    // 10 s with the smallest yield 5/6, then 5/3 s with 1.
    const double span = 35.0 / 3;
    CHECK(*run.summary.find("least_yield")->value ==
          doctest::Approx((10 * 5.0 / 6 + 5.0 / 3) / span));
    CHECK(*run.summary.find("running_yield")->value ==
          doctest::Approx((10 * 8.0 / 9 + 5.0 / 3) / span));
    CHECK(*run.summary.find("useful_utilisation")->value ==
          doctest::Approx(0.6 * 30 / (2 * span)));
    CHECK(run.stretches ==
          "job_id,from,to,kind,tier,yield,resources\n"
          "3,0,10,running,,1,1\n"
          "2,0,10,running,,0.8333333333333334,0\n"
          "1,0,10,running,,0.8333333333333334,0\n"
          "1,10,11.666667,running,,1,0\n"
          "2,10,11.666667,running,,1,1\n");
  }

  TEST_CASE("with no budget a job stays; without repacking one waits") {
    const auto machine = a_fractional_machine(2, 0.6);
    check_ends(ran("near", three_jobs(), machine, {{"budget", "0"}}), {12, 10, 12});
    check_ends(ran("near", three_jobs(), machine), {35.0 / 3, 10, 35.0 / 3});
    check_ends(ran("fcfs", three_jobs(), machine), {10, 10, 20});
    check_ends(ran("gang", three_jobs(), machine), {20, 20, 20});
  }

  TEST_CASE("every law holds under each policy, and every job ends") {
    std::map<std::string, std::int64_t> checked;
    const auto workloads = rounds(70, 500);
    for (std::uint64_t seed = 0; seed < workloads; ++seed) {
      const auto jobs = jobs_of(seed);
      const auto& policy = policies()[seed % policies().size()];
      CAPTURE(seed);
      CAPTURE(std::string(policy.name));
      Ran run;
      REQUIRE_NOTHROW(run =
                          ran(policy.name, jobs, machine_of(seed), policy.parameters));
      CHECK(run.spans.size() == jobs.size());
      for (const auto& [rule, times] : run.checked) checked[rule] += times;
      // The same again, to the byte.
      const auto again = ran(policy.name, jobs, machine_of(seed), policy.parameters);
      CHECK(again.stretches == run.stretches);
    }
    for (const auto* rule : {"C2", "C3", "C7", "C8", "W1", "W2", "W3", "W4", "W8"}) {
      CAPTURE(std::string(rule));
      CHECK(checked[rule] >= static_cast<std::int64_t>(workloads));
    }
  }

  TEST_CASE("yields add up to lengths") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      auto machine = machine_of(seed);
      fractions_of(machine).cap_overhead = fractions_of(machine).cap_error = 0;
      fractions_of(machine).cap_delay = 0;
      const auto jobs = jobs_of(seed);
      const auto run = ran("mcb", jobs, machine);
      std::map<std::int64_t, double> done;
      std::istringstream lines(run.stretches);
      std::string line;
      std::getline(lines, line);
      while (std::getline(lines, line)) {
        std::int64_t id = 0;
        double from = 0;
        double to = 0;
        char kind[16] = {};
        double yield = 0;
        REQUIRE(std::sscanf(line.c_str(), "%ld,%lf,%lf,%15[a-z],,%lf", &id, &from, &to,
                            kind, &yield) >= 4);
        done[id] += (to - from) * yield;
      }
      for (const auto& job : jobs) {
        CHECK(done[job.id] == doctest::Approx(to_seconds(job.length)).epsilon(1e-5));
      }
    }
  }

  TEST_CASE("needs of 1 and no memory: FCFS as on exclusive processors") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const auto jobs = random_jobs(seed, {30, 8});
      for (const std::string name : {"fcfs", "first_fit", "sjf"}) {
        const auto shared = ran(name, jobs, a_fractional_machine(8)).spans;
        const auto policy = lua_policy(name);
        const auto alone = test::run(jobs, a_machine(8), *policy).watched.spans;
        CHECK(shared == alone);
      }
    }
  }

  // Three tasks that can each use all of one host: a third for each.
  TEST_CASE("F27: a job is killed at its walltime, whatever its yield was") {
    auto machine = a_fractional_machine(1);
    machine.overrun = sim::Overrun::kKill;
    const auto run = ran("mcb", three_jobs(), machine);
    for (std::int64_t id = 1; id <= 3; ++id) {
      CHECK(run.spans.at(id) == Remembering::Span{0, 10});
    }
  }
}

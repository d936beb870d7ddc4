// Runs near the end of the clock (docs/model.md#time): what is planned behind it is
// never, an end behind it stops the run, and nothing overflows.

#include <doctest/doctest.h>

#include "engine/audit/auditor.hpp"
#include "engine/base/error.hpp"
#include "tests/support/fractions.hpp"
#include "tests/support/kinds.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int32_t kProcessors = 8;
constexpr auto kLongest = static_cast<std::int64_t>(kMaxSeconds);

struct NamedMachine {
  const char* name;
  TestMachine machine;
};

std::vector<NamedMachine> all_machines() {
  return {{"pool", TestMachine(a_machine(kProcessors))},
          {"hosts", TestMachine(with_hosts({{"host", 2, kProcessors / 2, 0}}, {}))},
          {"tiers", a_two_tier_machine(kProcessors)},
          {"network", a_network_machine(kProcessors)},
          {"fractions", a_fractional_machine(kProcessors)}};
}

const std::vector<std::string>& all_policies() {
  static const std::vector<std::string> kAll{
      "fcfs",  "first_fit", "best_fit",  "sjf",   "priority",     "easy",
      "keasy", "reasy",     "lxf_measy", "measy", "conservative", "bb",
      "ibb",   "bgmbf",     "bgmbfsdf",  "mcb",   "greedy",       "near",
      "gang",  "dfrs",      "tetris",    "drf",   "cosine"};
  return kAll;
}

// "": it ran to its end; else the error, which is not one of berth itself.
std::string error_of_run(const std::string& name, const TestMachine& machine,
                         const std::vector<Job>& jobs,
                         const sim::Settings& settings = {}) {
  const auto policy = lua_policy(name);
  try {
    sim::Simulation simulation(machine, settings, jobs, *policy,
                               make_model(machine, jobs));
    audit::Auditor auditor({machine, settings, jobs, policy->traits()},
                           law_of(machine, jobs));
    simulation.audience().observe(auditor);
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const Error& error) {
    CAPTURE(error.what());
    const bool is_expected =
        error.code() == ErrorCode::kInput || error.code() == ErrorCode::kPolicy;
    CHECK(is_expected);
    return error.what();
  }
  return "";
}

// `wide` jobs of the whole machine, one after the other, and narrow ones between.
std::vector<Job> long_jobs(int wide, std::int64_t length, std::int64_t walltime) {
  std::vector<Job> jobs;
  for (int i = 0; i < wide; ++i) {
    const auto id = 2 * i + 1;
    jobs.push_back(a_job(id, i, kProcessors, length, walltime));
    jobs.push_back(a_job(id + 1, i, 1 + i % 3, 1 + i, walltime));
  }
  return jobs;
}

}  // namespace

TEST_SUITE("policies/clock_end") {
  TEST_CASE("walltimes that add up to more than the clock are no error") {
    const auto jobs = long_jobs(120, 60, kLongest);
    for (const auto& [name, machine] : all_machines()) {
      for (const auto& policy : all_policies()) {
        const auto& of_name = name;
        CAPTURE(of_name);
        CAPTURE(policy);
        const auto error = error_of_run(policy, machine, jobs);
        CHECK(error.find("clock") == std::string::npos);
      }
    }
    CHECK(error_of_run("conservative", TestMachine(a_machine(kProcessors)), jobs) ==
          "");
    CHECK(error_of_run("easy", TestMachine(a_machine(kProcessors)), jobs) == "");
  }

  TEST_CASE("a run comes as near to the end of the clock as jobs may end") {
    const auto jobs = long_jobs(87, kLongest, kLongest);
    for (const auto& [name, machine] : all_machines()) {
      for (const auto& policy : all_policies()) {
        if (policy == "dfrs") continue;  // it wakes itself each ten minutes
        const auto& of_name = name;
        CAPTURE(of_name);
        CAPTURE(policy);
        (void)error_of_run(policy, machine, jobs);
      }
    }
    sim::Settings cycle;
    cycle.cycle = seconds(kLongest);
    for (const auto& policy : {"fcfs", "easy", "conservative"}) {
      CAPTURE(policy);
      CHECK(error_of_run(policy, TestMachine(a_machine(kProcessors)), jobs) == "");
      CHECK(error_of_run(policy, TestMachine(a_machine(kProcessors)), jobs, cycle)
                .find("clock") != 0);
    }
  }

  TEST_CASE("a job that would end behind the clock stops the run and is named") {
    const auto jobs = long_jobs(100, kLongest, kLongest);
    for (const auto& policy : {"fcfs", "easy", "conservative", "first_fit"}) {
      CAPTURE(policy);
      const auto error =
          error_of_run(policy, TestMachine(a_machine(kProcessors)), jobs);
      CAPTURE(error);
      const bool is_named = error.find(
                                " would end later than 8823372036854.775807 s, "
                                "which the clock cannot carry") != std::string::npos;
      CHECK(is_named);
    }
  }
}

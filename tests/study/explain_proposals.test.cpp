// Whether a job starts when a proposal says, if it is tried.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/explain/explainer.hpp"
#include "engine/sim/simulation.hpp"
#include "study/explain/job_report.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int32_t kProcessors = 8;

std::map<JobId, ExplainedJob> explained(const std::vector<Job>& jobs,
                                        const std::string& policy_name) {
  const auto policy = lua_policy(policy_name);
  ExplainWhat what;
  for (std::uint32_t i = 0; i < jobs.size(); ++i) what.in_detail.push_back(JobId{i});
  Explainer explainer(*policy, what);
  const auto machine = a_machine(kProcessors);
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  simulation.audience().observe(explainer);
  simulation.audience().inspect(explainer);
  (void)simulation.advance(kNever);
  simulation.finish();
  return explainer.jobs();
}

Time start_of(std::vector<Job> jobs, const std::string& policy_name, std::int64_t id) {
  const auto policy = lua_policy(policy_name);
  const auto outcome = run(std::move(jobs), a_machine(kProcessors), *policy);
  return outcome.watched.starts.at(id);
}

struct Tally {
  int tried = 0;
  int kept = 0;  // started no later than named
};

enum class What : std::uint8_t { kWalltime, kSize };

// Every size or walltime that is named, tried.
Tally tally(const std::string& policy_name, What what, bool exact) {
  Tally made;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto jobs = random_jobs(seed, {20, kProcessors, exact, false});
    for (const auto& [job, each] : explained(jobs, policy_name)) {
      for (const auto& line : each.lines) {
        auto changed = jobs;
        auto& own = changed[index(job)];
        Time at = kNever;
        if (what == What::kWalltime && line.walltime) {
          own.walltime = line.walltime->value;
          at = line.walltime->at;
        } else if (what == What::kSize && line.size) {
          own.size = static_cast<std::int32_t>(line.size->value);
          at = line.size->at;
        }
        if (at == kNever) continue;
        ++made.tried;
        made.kept += start_of(changed, policy_name, own.id) <= at ? 1 : 0;
      }
    }
  }
  return made;
}

}  // namespace

TEST_SUITE("study/explain proposals") {
  TEST_CASE("a walltime that is named starts the job no later than named") {
    for (const bool exact : {true, false}) {
      const auto made = tally("easy", What::kWalltime, exact);
      CHECK(made.tried > 100);
      CHECK(made.kept == made.tried);
    }
  }

  TEST_CASE("so does a size, where nothing rests on long estimates") {
    for (const auto* policy : {"fcfs", "sjf", "first_fit", "best_fit"}) {
      for (const bool exact : {true, false}) {
        CAPTURE(policy);
        const auto made = tally(policy, What::kSize, exact);
        CHECK(made.tried > 50);
        CHECK(made.kept == made.tried);
      }
    }
    for (const auto* policy : {"easy", "conservative"}) {
      CAPTURE(policy);
      const auto made = tally(policy, What::kSize, true);
      CHECK(made.tried > 100);
      CHECK(made.kept == made.tried);
    }
  }

  // With another size the first job has another reservation; jobs that it lets pass may
  // hold processors that an early end frees.
  TEST_CASE("with long estimates a size mostly does, but others may come in between") {
    for (const auto* policy : {"easy", "conservative"}) {
      CAPTURE(policy);
      const auto made = tally(policy, What::kSize, false);
      CHECK(made.kept < made.tried);
      CHECK(made.kept * 100 > made.tried * 97);
    }
  }
}

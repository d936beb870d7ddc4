// Properties of the policies on every workload (docs/model.md#r1, #r2, #s1).

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "engine/audit/auditor.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Setting {
  std::string name;
  std::map<std::string, std::string> parameters;
};

const std::vector<Setting>& all_policies() {
  static const std::vector<Setting> kAll{{"fcfs", {}},
                                         {"sjf", {}},
                                         {"first_fit", {}},
                                         {"sjf", {{"block", "false"}}},
                                         {"best_fit", {}},
                                         {"easy", {}},
                                         {"easy", {{"backfill_depth", "3"}}},
                                         {"conservative", {}},
                                         {"conservative", {{"compress", "every_pass"}}},
                                         {"conservative", {{"compress", "start_now"}}}};
  return kAll;
}

// Starts by job number; the auditor throws where a law or a promise is broken.
std::map<std::int64_t, Time> audited(const std::vector<Job>& jobs,
                                     const sim::Machine& machine, sim::Policy& policy,
                                     const sim::Settings& settings = {},
                                     std::int64_t* judged = nullptr) {
  sim::Simulation simulation(machine, settings, jobs, policy,
                             make_model(machine, jobs));
  Remembering watched;
  audit::Auditor auditor({machine, settings, jobs, policy.traits()},
                         law_of(machine, jobs));
  simulation.audience().observe(watched);
  simulation.audience().observe(auditor);
  simulation.advance(kNever);
  simulation.finish();
  if (judged != nullptr) {
    for (const auto* rule : {"R1", "R2"}) {
      const auto checked = auditor.checked();
      const auto at = checked.find(rule);
      if (at != checked.end()) *judged += at->second;
    }
  }
  return watched.starts;
}

std::map<std::int64_t, Time> audited(const std::vector<Job>& jobs,
                                     const sim::Machine& machine,
                                     const Setting& setting,
                                     const sim::Settings& settings = {},
                                     std::int64_t* judged = nullptr) {
  const auto policy = lua_policy(setting.name, setting.parameters);
  return audited(jobs, machine, *policy, settings, judged);
}

std::vector<Job> doubled(std::vector<Job> jobs) {
  for (auto& job : jobs) {
    job.submit *= 2;
    job.length *= 2;
    job.walltime *= 2;
  }
  return jobs;
}

}  // namespace

TEST_SUITE("policies/properties") {
  TEST_CASE("EASY and conservative keep their promises on 2,000 workloads") {
    for (const std::string name : {"easy", "conservative"}) {
      std::int64_t judged = 0;
      for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(name);
        CAPTURE(seed);
        const RandomShape shape{30, static_cast<std::int32_t>(1 + seed % 16),
                                seed % 3 == 0, seed % 5 == 0};
        const auto jobs = random_jobs(seed, shape);
        REQUIRE_NOTHROW(
            audited(jobs, a_machine(shape.processors), {name, {}}, {}, &judged));
      }
      CHECK(judged > 20'000);
    }
  }

  TEST_CASE("a priority that ages keeps the promise of EASY to the job first in line") {
    std::int64_t judged = 0;
    for (const std::string formula : {"wfp3", "unicef", "f1", "expansion"}) {
      for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(formula);
        CAPTURE(seed);
        const RandomShape shape{30, static_cast<std::int32_t>(1 + seed % 16),
                                seed % 3 == 0, seed % 5 == 0};
        REQUIRE_NOTHROW(audited(random_jobs(seed, shape), a_machine(shape.processors),
                                {"priority", {{"formula", formula}}}, {}, &judged));
      }
    }
    CHECK(judged > 5'000);
  }

  TEST_CASE("EASY in one step gives the schedule of EASY out of its parts") {
    for (const std::string depth : {"-1", "0", "1", "3"}) {
      for (std::uint64_t seed = 0; seed < 250; ++seed) {
        CAPTURE(depth);
        CAPTURE(seed);
        const auto jobs = random_jobs(seed, {30, 8, seed % 3 == 0, seed % 2 == 0});
        const auto in_one_step = policy_of(
            "return { schedule = function(queue, cluster) cluster:backfill(queue, " +
            depth + ") end }");
        const Setting easy{"easy", {{"backfill_depth", depth}}};
        REQUIRE(audited(jobs, a_machine(8), easy) ==
                audited(jobs, a_machine(8), *in_one_step));
      }
    }
  }

  TEST_CASE("promises hold with a pass after each event, whatever comes first") {
    sim::Settings settings;
    settings.pass = sim::PassMode::kEvent;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      settings.ties = seed % 2 == 0 ? Ties::kEndsFirst : Ties::kSubmitsFirst;
      for (const std::string name : {"easy", "conservative"}) {
        CAPTURE(name);
        CAPTURE(seed);
        const auto jobs = random_jobs(seed, {30, 8, false, seed % 4 == 0});
        REQUIRE_NOTHROW(audited(jobs, a_machine(8), {name, {}}, settings));
      }
    }
  }

  TEST_CASE("FCFS starts jobs in the order of their submission") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto starts =
          audited(random_jobs(seed, {40, 8, true}), a_machine(8), {"fcfs", {}});
      Time last = 0;
      for (const auto& [id, start] : starts) {
        CHECK(start >= last);
        last = start;
      }
    }
  }

  TEST_CASE("on a machine without limits every policy starts every job at once") {
    for (const auto& setting : all_policies()) {
      CAPTURE(setting.name);
      const auto jobs = random_jobs(1, {50, 8});
      const auto starts = audited(jobs, a_machine(100'000), setting);
      for (const auto& job : jobs) CHECK(starts.at(job.id) == job.submit);
    }
  }

  TEST_CASE("if every job needs the whole machine all orders by arrival agree") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      auto jobs = random_jobs(seed, {30, 8});
      for (auto& job : jobs) job.size = 8;
      const auto wanted = audited(jobs, a_machine(8), {"fcfs", {}});
      for (const std::string name : {"easy", "conservative", "first_fit"}) {
        CAPTURE(name);
        CHECK(audited(jobs, a_machine(8), {name, {}}) == wanted);
      }
    }
  }

  TEST_CASE("doubling all times doubles all starts") {
    auto machine = a_machine(8);
    auto slow = machine;
    slow.min_planned *= 2;
    slow.overrun_grace *= 2;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto jobs = random_jobs(seed, {30, 8, false, true});
      for (const auto& setting : all_policies()) {
        CAPTURE(setting.name);
        auto wanted = audited(jobs, machine, setting);
        for (auto& [id, start] : wanted) start *= 2;
        CHECK(audited(doubled(jobs), slow, setting) == wanted);
      }
    }
  }

  TEST_CASE("what cannot be known yet changes no earlier decision") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto jobs = random_jobs(seed, {40, 8});
      for (const auto& setting : all_policies()) {
        CAPTURE(setting.name);
        CAPTURE(seed);
        const auto before = audited(jobs, a_machine(8), setting);
        // From `t` on everything is different: later jobs, and the lengths of those
        // that have not ended by then.
        const Time t = jobs[20].submit;
        auto changed = jobs;
        for (auto& job : changed) {
          const bool later = job.submit > t;
          const auto start = before.at(job.id);
          if (later) job.size = 9 - job.size;
          if (later) job.walltime += seconds(50);
          if (later || start + job.length > t)
            job.length = std::max(job.length, t - start) + seconds(40);
        }
        for (const auto& [id, start] : audited(changed, a_machine(8), setting)) {
          if (start <= t || before.at(id) <= t) CHECK(start == before.at(id));
        }
      }
    }
  }

  TEST_CASE("other names of jobs and users in the same order change nothing else") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto jobs = random_jobs(seed, {40, 8, false, true});
      auto renamed = jobs;
      for (auto& job : renamed) {
        job.id = job.id * 1000 + 7;
        job.user = job.user * 3 + 1;
      }
      for (const auto& setting : all_policies()) {
        CAPTURE(setting.name);
        std::map<std::int64_t, Time> wanted;
        for (const auto& [id, start] : audited(jobs, a_machine(8), setting)) {
          wanted[id * 1000 + 7] = start;
        }
        CHECK(audited(renamed, a_machine(8), setting) == wanted);
      }
    }
  }

  TEST_CASE("processors chosen from the other end change no start") {
    auto highest = a_machine(8);
    highest.pick = Pick::kHighest;
    const auto jobs = random_jobs(3, {60, 8});
    for (const auto& setting : all_policies()) {
      CHECK(audited(jobs, a_machine(8), setting) == audited(jobs, highest, setting));
    }
  }
}

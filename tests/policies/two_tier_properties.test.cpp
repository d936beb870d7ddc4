// Properties of every workload on a machine with two tiers (docs/model.md#two-tier).

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/audit/auditor.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

const std::vector<std::string> kPolicies{"easy", "keasy", "reasy", "measy",
                                         "lxf_measy"};

struct Audited {
  std::map<std::int64_t, Time> starts;
  std::map<std::int64_t, Time> ends;
  std::map<std::string, std::int64_t> checked;
};

// The machine of a seed: losses, efficiencies, ways to count, costs and knowledge vary.
TestMachine machine_of(std::uint64_t seed) {
  auto machine = a_two_tier_machine(static_cast<std::int32_t>(1 + seed % 12));
  machine.migration_cost = seconds(static_cast<std::int64_t>(seed % 4));
  machine.pick = seed % 5 == 0 ? Pick::kLowest : Pick::kHighest;
  auto& tiers = machine.tiers();
  machine.seed = seed;
  if (seed % 2 == 0) tiers.fg_loss = {0.005, 0.04};
  if (seed % 3 == 0) tiers.fg_loss_when = LossWhen::kAlways;
  if (seed % 3 == 1) tiers.fg_loss_when = LossWhen::kActive;
  if (seed % 7 == 0) tiers.eff_scope = DrawScope::kProcess;
  if (seed % 4 == 1) tiers.bg_cap = BackgroundCap::kAfter;
  if (seed % 6 == 2) tiers.cpu_usage_known = false;
  if (seed % 11 == 3) tiers.cpu_use = 1.0;
  return machine;
}

std::vector<Job> jobs_of(std::uint64_t seed) {
  const RandomShape shape{25, static_cast<std::int32_t>(1 + seed % 12), seed % 3 == 0,
                          seed % 5 == 0};
  return random_jobs(seed, shape);
}

Audited audited(const std::string& name, const std::vector<Job>& jobs,
                const TestMachine& machine, bool promises_easy = false) {
  const auto policy = lua_policy(name);
  auto traits = policy->traits();
  if (promises_easy) traits.promise = sim::Promise::kEasy;
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  Remembering watched;
  audit::Auditor auditor({machine, {}, jobs, traits}, law_of(machine, jobs));
  simulation.audience().observe(watched);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  Audited result{watched.starts, {}, auditor.checked()};
  for (const auto& [id, span] : watched.spans) {
    result.ends[id] = ticks_from_seconds(span.end).value();
  }
  return result;
}

}  // namespace

TEST_SUITE("policies/two_tier_properties") {
  TEST_CASE("every law of the model holds on 3,000 workloads, and every job ends") {
    std::int64_t rates = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
      const auto jobs = jobs_of(seed);
      const auto& name = kPolicies[1 + seed % 4];
      CAPTURE(seed);
      CAPTURE(name);
      Audited run;
      REQUIRE_NOTHROW(run = audited(name, jobs, machine_of(seed)));
      CHECK(run.ends.size() == jobs.size());
      rates += run.checked["W4"];
    }
    CHECK(rates > 100'000);
  }

  TEST_CASE("KEASY and MEASY keep the promise of EASY on 2,000 workloads") {
    std::int64_t judged = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      const std::string name = seed % 2 == 0 ? "keasy" : "measy";
      CAPTURE(seed);
      CAPTURE(name);
      Audited run;
      REQUIRE_NOTHROW(run = audited(name, jobs_of(seed), machine_of(seed), true));
      judged += run.checked["R1"];
    }
    CHECK(judged > 10'000);
  }

  TEST_CASE("REASY can break the promise of EASY: a pinned head waits longer") {
    std::int64_t broken = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      try {
        (void)audited("reasy", jobs_of(seed), machine_of(seed), true);
      } catch (const Error& error) {
        broken += std::string(error.what()).find("R1") != std::string::npos ? 1 : 0;
      }
    }
    CHECK(broken > 0);
  }

  TEST_CASE("a full processor has no background: all policies by arrival then agree") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      auto machine = machine_of(seed);
      machine.processors = 8;
      machine.tiers().cpu_use = 1.0;
      machine.tiers().cpu_usage_known = true;
      auto jobs = jobs_of(seed);
      for (auto& job : jobs) job.size = 8;
      const auto wanted = audited("easy", jobs, machine).ends;
      for (const std::string name : {"keasy", "reasy", "measy"}) {
        CHECK(audited(name, jobs, machine).ends == wanted);
      }
    }
  }

  TEST_CASE("what cannot be known yet changes no earlier decision") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const auto jobs = jobs_of(seed);
      const auto machine = machine_of(seed);
      const auto& name = kPolicies[1 + seed % 4];
      CAPTURE(seed);
      CAPTURE(name);
      const auto before = audited(name, jobs, machine);
      // Lengths of those that still run at `t`, and of all later jobs.
      const Time t = jobs[15].submit;
      auto changed = jobs;
      for (auto& job : changed) {
        const bool later = job.submit > t;
        if (later) job.walltime += seconds(50);
        if (later || before.ends.at(job.id) > t) job.length += seconds(40);
      }
      const auto after = audited(name, changed, machine);
      for (const auto& [id, start] : after.starts) {
        if (start <= t || before.starts.at(id) <= t)
          CHECK(start == before.starts.at(id));
      }
    }
  }

  TEST_CASE("true use, loss and efficiency that do not show yet change no decision") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto jobs = jobs_of(seed);
      auto machine = machine_of(seed);
      machine.tiers().cpu_usage_known = false;
      const auto& name = kPolicies[1 + seed % 4];
      const auto before = audited(name, jobs, machine);
      auto changed = machine;
      changed.seed += 1000;  // every draw is another
      const auto after = audited(name, jobs, changed);
      Time first = kNever;  // instant at which an end shows that something differs
      for (const auto& [id, end] : before.ends) {
        if (end != after.ends.at(id)) first = std::min({first, end, after.ends.at(id)});
      }
      CAPTURE(seed);
      for (const auto& [id, start] : before.starts) {
        if (start < first) CHECK(after.starts.at(id) == start);
      }
    }
  }

  TEST_CASE("other numbers of jobs in the same order change only what is drawn") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      auto machine = machine_of(seed);
      machine.tiers().fg_loss = {0.02, 0.02};
      machine.tiers().bg_eff_single = {0.8, 0.8};
      machine.tiers().bg_eff_multi = {0.5, 0.5};
      machine.tiers().cpu_use = 0.7;
      const auto jobs = jobs_of(seed);
      auto renamed = jobs;
      for (auto& job : renamed) job.id = job.id * 1000 + 7;
      for (const auto& name : kPolicies) {
        std::map<std::int64_t, Time> wanted;
        for (const auto& [id, end] : audited(name, jobs, machine).ends) {
          wanted[id * 1000 + 7] = end;
        }
        CHECK(audited(name, renamed, machine).ends == wanted);
      }
    }
  }
}

// Jobs of which the policy expects other times than their walltimes
// (docs/model.md#own-estimates).

#include "engine/jobs/own_estimates.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "engine/hosts/machine_windows.hpp"
#include "tests/sim/hit_runs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using Estimate = std::function<std::optional<Duration>(const Job& job)>;

class Estimating final : public ScriptedPolicy {
 public:
  Estimating(const Named& policy, Estimate estimate)
      : ScriptedPolicy(policy.schedule, traits_of(policy)),
        estimate_(std::move(estimate)) {}
  [[nodiscard]] std::optional<Duration> estimate(sim::Simulation& simulation,
                                                 JobId job) override {
    return estimate_(simulation.world().jobs().job(job));
  }

 private:
  static sim::PolicyTraits traits_of(const Named& policy) {
    sim::PolicyTraits traits;
    traits.label = "estimating";
    traits.promise = policy.promise;
    traits.has_estimate = true;
    return traits;
  }

  Estimate estimate_;
};

struct EstimatedRun {
  Watching watched;
  std::map<std::string, std::int64_t> checked;
};

EstimatedRun run_estimated(const std::vector<Job>& jobs, const sim::Machine& machine,
                           const Named& of, const Estimate& estimate,
                           const sim::Settings& settings = {}) {
  Estimating policy(of, estimate);
  sim::Simulation simulation(machine, settings, jobs, policy,
                             make_model(machine, jobs));
  audit::Auditor auditor({machine, settings, jobs, policy.traits()},
                         law_of(machine, jobs), audit::Thoroughness::kFull);
  EstimatedRun run;
  simulation.audience().observe(run.watched);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever - 1);
  simulation.finish();
  run.checked = auditor.checked();
  return run;
}

std::vector<Job> some_jobs(std::mt19937_64& random, std::int32_t widest) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<Job> jobs;
  int submit = 0;
  for (int i = 1, n = drawn(1, 16); i <= n; ++i) {
    submit += drawn(0, 4);
    const int length = drawn(0, 12);
    const int walltime = std::max(0, length + drawn(-3, 9));
    const int size = drawn(1, widest);
    jobs.push_back(a_job(i, submit, size, length, walltime));
  }
  return jobs;
}

}  // namespace

TEST_SUITE("sim/own_estimates") {
  // The shadow of job 2 is 15, and from 16 on 30: 15 + 60 is more than the walltime.
  TEST_CASE("a job that outlives its estimate is expected at its walltime at most") {
    const std::vector<Job> jobs{a_job(1, 0, 3, 20, 30), a_job(2, 0, 4, 10, 10),
                                a_job(3, 1, 1, 12, 20), a_job(4, 14, 1, 5, 40),
                                a_job(5, 16, 1, 3, 8)};
    const auto run = run_estimated(jobs, a_machine(4), kEasyPolicy,
                                   [](const Job& job) { return job.walltime / 2; });
    CHECK(run.watched.attempts == Attempts{{1, {{0, 20}}},
                                           {2, {{20, 30}}},
                                           {3, {{1, 13}}},
                                           {4, {{30, 35}}},
                                           {5, {{16, 19}}}});
    CHECK(run.watched.shadows.at({0, 1}) == 15);
    CHECK(run.watched.shadows.at({14, 1}) == 15);
    CHECK(run.watched.shadows.at({16, 1}) == 30);
    CHECK(run.checked.at("L6") == 5);
  }

  TEST_CASE("steps of the overrun rule are counted from the estimated end") {
    OwnEstimates estimates(2, OverrunRule{seconds(60), 2, 0});
    estimates.started(JobId{0}, seconds(100), seconds(300));
    estimates.started(JobId{1}, seconds(90), seconds(90));  // by its walltime
    CHECK_FALSE(estimates.take_late(seconds(99)));
    const auto at_100 = estimates.take_late(seconds(100));
    REQUIRE(at_100);
    CHECK(at_100->job == JobId{0});
    CHECK(at_100->expected == seconds(160));
    CHECK_FALSE(estimates.take_late(seconds(159)));
    CHECK(estimates.take_late(seconds(230))->expected == seconds(300));
    CHECK_FALSE(estimates.take_late(seconds(1000)));
    CHECK(estimates.stopped(JobId{0}, seconds(220)) == seconds(220));
    CHECK(estimates.stopped(JobId{1}, seconds(80)) == seconds(90));
  }

  TEST_CASE("an estimate of the walltime, or of more, changes nothing") {
    std::mt19937_64 random(4361);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto processors = std::uniform_int_distribution<int>(2, 8)(random);
      const auto machine = a_machine(processors);
      const auto jobs = some_jobs(random, processors);
      const auto more = seconds(static_cast<std::int64_t>(round % 2));
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        const auto without = run_full(jobs, machine, policy);
        const auto with = run_estimated(
            jobs, machine, policy, [&](const Job& job) { return job.walltime + more; });
        CHECK(with.watched.attempts == without.watched.attempts);
        CHECK(with.watched.shadows == without.watched.shadows);
        CHECK(with.watched.reserved == without.watched.reserved);
      }
    }
  }

  TEST_CASE("every rule of the audit holds whatever is expected of jobs") {
    std::mt19937_64 random(4362);
    std::int64_t judged = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto drawn = [&](int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(random);
      };
      const auto processors = drawn(2, 8);
      auto machine = a_machine(processors);
      machine.overrun_grace = seconds(drawn(1, 4));
      machine.overrun_growth = drawn(1, 2);
      if (drawn(0, 3) == 0) machine.overrun = sim::Overrun::kKill;
      const auto jobs = some_jobs(random, processors);
      std::vector<std::optional<Duration>> said(jobs.size() + 1);
      for (auto& each : said) {
        if (drawn(0, 4) > 0) each = seconds(drawn(0, 12));
      }
      sim::Settings settings;
      if (round % 3 == 1) settings.pass = sim::PassMode::kEvent;
      if (round % 3 == 2) settings.cycle = seconds(drawn(1, 5));
      if (round % 4 == 3) {
        const auto down = seconds(drawn(0, 20));
        machine.life.requeue_delay = seconds(drawn(0, 3));
        machine.life.events =
            std::make_shared<const std::vector<HostEvent>>(std::vector<HostEvent>{
                {down, HostEvent::Kind::kDown, 0, after(down, seconds(5))},
                {after(down, seconds(8)), HostEvent::Kind::kUp, 0,
                 after(down, seconds(8))}});
      }
      if (round % 5 < 2) {
        machine.life.on_failure = OnFailure::kResume;
        machine.life.checkpoints = {seconds(2), seconds(1),
                                    seconds(static_cast<std::int64_t>(round % 2))};
      }
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        // The audit throws for what is wrong.
        const auto run = run_estimated(
            jobs, machine, policy,
            [&](const Job& job) { return said[static_cast<std::size_t>(job.id)]; },
            settings);
        CHECK(run.watched.left.empty());
        const auto found = run.checked.find("L6");
        judged += found == run.checked.end() ? 0 : found->second;
      }
    }
    CHECK(judged > 0);
  }

  TEST_CASE("machines that plan by walltimes alone refuse estimates") {
    const std::vector<Job> jobs{a_job(1, 0, 1, 5)};
    const auto half = [](const Job& job) { return job.walltime / 2; };
    auto tiers = a_machine(4);
    tiers.sharing = "two_tier";
    CHECK_THROWS_WITH_AS((void)run_estimated(jobs, tiers, kFcfs, half),
                         "estimating: estimate: jobs of this machine (sharing = "
                         "\"two_tier\") are planned by their walltimes",
                         Error);
  }
}

namespace {

// In seconds; on hosts where it names some, else so many processors of a pool.
struct KeptFree {
  std::int64_t from;
  std::int64_t to;
  std::int32_t processors;
  std::vector<std::int32_t> hosts{};
  std::vector<std::int32_t> users{};
  bool hits = false;
};

sim::Machine keeping_free(sim::Machine machine, const std::vector<KeptFree>& all) {
  std::vector<MachineWindow> windows;
  for (const auto& each : all) {
    windows.push_back({"w" + std::to_string(windows.size()), seconds(each.from),
                       seconds(each.to), each.processors, -kNever, each.users,
                       each.hits, each.hosts});
  }
  machine.life.windows =
      std::make_shared<const std::vector<MachineWindow>>(std::move(windows));
  return machine;
}

// Three hosts with three, three and two processors, or a pool of as many.
sim::Machine eight_processors(bool has_hosts) {
  auto machine = a_machine(8);
  machine.overrun_grace = seconds(3);
  if (has_hosts) machine.resources.hosts = {{"a", 2, 3}, {"b", 1, 2}};
  return machine;
}

// One after the other.
std::vector<KeptFree> random_windows(std::mt19937_64& random, bool has_hosts) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<KeptFree> all;
  for (int at = drawn(0, 20), n = drawn(1, 3); n > 0; --n) {
    KeptFree each{at, at + drawn(1, 12), drawn(1, 8)};
    if (has_hosts) each.hosts = {drawn(0, 2)};
    if (has_hosts) each.processors = each.hosts.front() == 2 ? 2 : 3;
    if (drawn(0, 1) == 0) each.users = {1};
    each.hits = drawn(0, 1) == 0;
    all.push_back(each);
    at = static_cast<int>(each.to) + drawn(0, 15);
  }
  return all;
}

const Estimate kFiveSeconds = [](const Job&) { return std::optional(seconds(5)); };

}  // namespace

TEST_SUITE("sim/own_estimates/windows") {
  TEST_CASE(
      "a job whose walltime runs into a window waits, whatever is expected of it") {
    const std::vector<Job> jobs{a_job(1, 0, 4, 5, 30), a_job(2, 0, 2, 10, 18),
                                a_job(3, 0, 2, 8, 22)};
    const auto pool = keeping_free(a_machine(4), {{20, 30, 4}});
    for (const auto& policy : {kEasyPolicy, kConservativePolicy}) {
      const auto run = run_estimated(jobs, pool, policy, kFiveSeconds);
      CHECK(run.watched.attempts ==
            Attempts{{1, {{30, 35}}}, {2, {{0, 10}}}, {3, {{35, 43}}}});
      CHECK(run.checked.at("L3") > 0);
    }
    auto hosts = a_machine(4);
    hosts.resources.hosts = {{"a", 2, 2}};
    const auto kept = keeping_free(hosts, {{20, 30, 2, {1}}});
    const auto run = run_estimated(jobs, kept, kEasyPolicy, kFiveSeconds);
    CHECK(run.watched.attempts.at(1) == Attempts{{1, {{30, 35}}}}.at(1));
  }

  // By its walltime job 1 may still run as the window begins.
  TEST_CASE("a shadow beside a window goes by the walltimes of the jobs that run") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 5, 40), a_job(2, 0, 2, 10, 30)};
    const auto pool = keeping_free(a_machine(4), {{20, 30, 2}});
    const auto run = run_estimated(jobs, pool, kEasyPolicy, kFiveSeconds);
    CHECK(run.watched.shadows.at({0, 1}) == 30);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 5}}}, {2, {{5, 15}}}});
    const auto booked = run_estimated(jobs, pool, kConservativePolicy, kFiveSeconds);
    CHECK(booked.watched.attempts == run.watched.attempts);
  }

  TEST_CASE("beside windows, too, an estimate of the walltime changes nothing") {
    std::mt19937_64 random(4363);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      const auto machine =
          keeping_free(eight_processors(has_hosts), random_windows(random, has_hosts));
      auto jobs = some_jobs(random, 8);
      for (auto& job : jobs) job.user = static_cast<std::int32_t>(1 + job.id % 3);
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        const auto without = run_full(jobs, machine, policy);
        const auto with = run_estimated(jobs, machine, policy,
                                        [](const Job& job) { return job.walltime; });
        CHECK(with.watched.attempts == without.watched.attempts);
        CHECK(with.watched.shadows == without.watched.shadows);
        CHECK(with.watched.reserved == without.watched.reserved);
      }
    }
  }

  TEST_CASE("beside windows every rule of the audit holds whatever is expected") {
    std::mt19937_64 random(4364);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      const auto machine =
          keeping_free(eight_processors(has_hosts), random_windows(random, has_hosts));
      auto jobs = some_jobs(random, 8);
      for (auto& job : jobs) job.user = static_cast<std::int32_t>(1 + job.id % 3);
      std::vector<std::optional<Duration>> said(jobs.size() + 1);
      for (auto& each : said) {
        each = seconds(std::uniform_int_distribution<int>(0, 12)(random));
      }
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        const auto run = run_estimated(jobs, machine, policy, [&](const Job& job) {
          return said[static_cast<std::size_t>(job.id)];
        });
        CHECK(run.watched.left.empty());
      }
    }
  }
}

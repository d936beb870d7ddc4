// Worked examples on machines with two tiers; processors count from 0.

#include <doctest/doctest.h>

#include <array>

#include "engine/audit/auditor.hpp"
#include "tests/policies/figure_1_logs.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Counts {
  std::int32_t kills = 0;
  std::int32_t migrations = 0;
  std::int32_t swaps = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

struct Played {
  std::map<std::int64_t, Remembering::Span> spans;
  double mean_response = 0;
  Counts counts;
  std::string log;
};

constexpr auto kLog =
    sim::kinds<sim::StartRecord, sim::ChangeRecord, sim::EndRecord, sim::PlanRecord>();

// A run under audit.
Played play(const std::string& policy_name, const std::vector<Job>& jobs,
            const TestMachine& machine,
            std::map<std::string, std::string> parameters = {}) {
  const auto policy = lua_policy(policy_name, std::move(parameters));
  sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
  Remembering watched;
  Told told(kLog);
  audit::Auditor auditor({machine, {}, jobs, policy->traits()}, law_of(machine, jobs));
  simulation.audience().observe(watched);
  simulation.audience().observe(told);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  Played played{watched.spans, 0, {}, told.text};
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    const auto& account = simulation.world().jobs()[JobId{i}].account;
    played.counts.kills += account.kills;
    played.counts.migrations += account.migrations;
    played.counts.swaps += account.swaps;
    played.mean_response +=
        played.spans.at(jobs[i].id).end / static_cast<double>(jobs.size());
  }
  return played;
}

// Figure 1 with the values that the specification chooses.
std::vector<Job> twelve_jobs() {
  return {a_job(1, 0, 2, 10), a_job(2, 0, 4, 6),  a_job(3, 0, 2, 5),
          a_job(4, 0, 1, 11), a_job(5, 0, 1, 2),  a_job(6, 0, 1, 3),
          a_job(7, 0, 1, 5),  a_job(8, 0, 1, 4),  a_job(9, 0, 1, 5),
          a_job(10, 0, 1, 5), a_job(11, 0, 5, 4), a_job(12, 0, 4, 3)};
}

// One-process jobs use all of a processor, the others half; job 2 uses `second`.
TestMachine figure_machine(double second) {
  CpuGivenTable given;
  for (const auto& job : twelve_jobs()) {
    const double use = job.size == 1 ? 1.0 : job.id == 2 ? second : 0.5;
    given[job.id] = {.use = std::vector(static_cast<std::size_t>(job.size), use),
                     .efficiency = 0.8};
  }
  auto machine = a_two_tier_machine(5, std::move(given));
  machine.migration_cost = seconds(1);
  return machine;
}

constexpr double kVariantA = 0.5;
constexpr double kVariantB = 0.25;

struct Column {
  std::string policy;
  double second;
  std::array<double, 12> ends;
  double mean;
  Counts counts;
};

// All jobs at full use of their processors.
TestMachine full_machine(std::int32_t processors) {
  auto machine = a_two_tier_machine(processors);
  machine.tiers().cpu_use = 1.0;
  return machine;
}

}  // namespace

TEST_SUITE("policies/two_tier") {
  TEST_CASE("two jobs on one processor: the lower one swaps, or ends below") {
    const auto run_two = [](std::int64_t length) {
      const auto machine = a_two_tier_machine(
          1, {{1, {.use = {0.6}, .loss = 0.02}},
              {2, {.use = {1.0}, .loss = 0.02, .efficiency = 0.86}}});
      return play("keasy", {a_job(1, 0, 1, 100), a_job(2, 0, 1, length)}, machine);
    };
    const auto longer = run_two(50);
    CHECK(longer.spans.at(1).end == doctest::Approx(102.040816).epsilon(1e-8));
    CHECK(longer.spans.at(2).end == doctest::Approx(116.938776).epsilon(1e-8));
    CHECK(longer.counts == Counts{0, 0, 1});
    const auto shorter = run_two(20);
    CHECK(shorter.spans.at(2).end == doctest::Approx(58.139535).epsilon(1e-8));
    CHECK(shorter.spans.at(1).end == doctest::Approx(101.162791).epsilon(1e-8));
    CHECK(shorter.counts == Counts{});
  }

  TEST_CASE("the twelve jobs of Figure 1 end as in the specification") {
    const std::vector<Column> columns{
        {"easy",
         kVariantA,
         {10, 16, 5, 11, 7, 8, 16, 20, 21, 21, 25, 28},
         15.666667,
         {}},
        {"keasy",
         kVariantA,
         {10, 16, 5, 11, 5, 8, 8, 10, 16, 16.6, 21.08, 19},
         12.14,
         {2, 0, 3}},
        {"keasy",
         kVariantB,
         {10, 16, 5, 11, 5, 8, 8, 10, 16, 15, 20, 18.75},
         11.895833,
         {2, 0, 1}},
        {"reasy",
         kVariantA,
         {10, 16, 5, 11, 5, 7.5, 8, 7, 16.6, 15, 20.92, 18.2},
         11.685,
         {0, 0, 5}},
        {"reasy",
         kVariantB,
         {10, 16, 5, 11, 5, 7.5, 8, 7, 15, 13.333333, 20, 17.083333},
         11.243056,
         {0, 0, 2}},
        {"measy",
         kVariantA,
         {10, 16, 5, 11, 5, 7, 8, 8.2, 14.6, 16.76, 20.984, 17.88},
         11.702,
         {0, 3, 3}},
        {"measy",
         kVariantB,
         {10, 16, 5, 11, 5, 7, 8, 8.2, 14.4, 15.76, 20, 18.15},
         11.5425,
         {0, 3, 1}},
    };
    for (const auto& column : columns) {
      CAPTURE(column.policy);
      CAPTURE(column.second);
      const auto played =
          play(column.policy, twelve_jobs(), figure_machine(column.second));
      for (std::size_t i = 0; i < column.ends.size(); ++i) {
        CAPTURE(i);
        const auto id = static_cast<std::int64_t>(i) + 1;
        CHECK(played.spans.at(id).end == doctest::Approx(column.ends[i]).epsilon(1e-7));
      }
      CHECK(played.mean_response == doctest::Approx(column.mean).epsilon(1e-7));
      CHECK(played.counts == column.counts);
    }
  }

  TEST_CASE("the twelve jobs of Figure 1 take every step of the event log") {
    for (const auto& log : kFigureLogs) {
      CAPTURE(log.policy);
      CAPTURE(log.second);
      const auto played =
          play(std::string(log.policy), twelve_jobs(), figure_machine(log.second));
      CHECK(played.log == log.text);
    }
  }

  TEST_CASE("8.1: with exact estimates a job runs below while it could not backfill") {
    const std::vector jobs{a_job(1, 0, 1, 4), a_job(2, 0, 2, 2), a_job(3, 0, 1, 5)};
    const auto easy = play("easy", jobs, full_machine(2));
    CHECK(easy.spans.at(1).end == 4);
    CHECK(easy.spans.at(2).end == 6);
    CHECK(easy.spans.at(3).end == 11);
    for (const std::string name : {"keasy", "reasy", "measy"}) {
      CAPTURE(name);
      const auto played = play(name, jobs, full_machine(2));
      CHECK(played.spans.at(3) == Remembering::Span{0, 7});
      CHECK(played.mean_response == doctest::Approx(17.0 / 3).epsilon(1e-9));
      CHECK(played.counts == Counts{0, 0, 1});
    }
  }

  TEST_CASE("8.2: an overestimated job ends below before it could have started") {
    const std::vector jobs{a_job(1, 0, 1, 4), a_job(2, 0, 2, 2), a_job(3, 0, 1, 3, 6)};
    const auto easy = play("easy", jobs, full_machine(2));
    CHECK(easy.spans.at(3).end == 9);
    CHECK(easy.mean_response == doctest::Approx(19.0 / 3).epsilon(1e-9));
    for (const std::string name : {"keasy", "reasy", "measy"}) {
      CAPTURE(name);
      const auto played = play(name, jobs, full_machine(2));
      CHECK(played.spans.at(3).end == 3);
      CHECK(played.mean_response == doctest::Approx(13.0 / 3).epsilon(1e-9));
    }
  }

  TEST_CASE("8.3: REASY reserves the processors below which its head runs") {
    auto machine = a_two_tier_machine(3, {{1, {.use = {0.5}, .efficiency = 0.8}},
                                          {2, {.use = {0.5}, .efficiency = 0.8}},
                                          {3, {.use = {0.5, 0.5}, .efficiency = 0.8}},
                                          {4, {.use = {1.0}, .efficiency = 0.8}}});
    machine.migration_cost = seconds(1);
    const std::vector jobs{a_job(1, 0, 1, 10), a_job(2, 0, 1, 7), a_job(3, 0, 2, 8),
                           a_job(4, 0, 1, 12)};
    struct Row {
      std::string policy;
      std::array<double, 4> ends;
      Counts counts;
    };
    const std::vector<Row> rows{{"reasy", {10, 7, 10, 16.2}, {0, 0, 1}},
                                {"easy", {10, 7, 15, 22}, {}},
                                {"keasy", {10, 7, 15, 22}, {2, 0, 0}},
                                {"measy", {10, 7, 10.4, 18.6}, {0, 2, 0}}};
    for (const auto& row : rows) {
      CAPTURE(row.policy);
      const auto played = play(row.policy, jobs, machine);
      for (std::size_t i = 0; i < row.ends.size(); ++i) {
        const auto id = static_cast<std::int64_t>(i) + 1;
        CHECK(played.spans.at(id).end == doctest::Approx(row.ends[i]).epsilon(1e-9));
      }
      CHECK(played.counts == row.counts);
    }
    const auto reasy = play("reasy", jobs, machine).log;
    CHECK(reasy.find("0 start 1 fg [2]; 0 start 2 fg [1]; ") == 0);
    CHECK(reasy.find("7 plan 3 at 10 spare 1; 7 swap 4 fg [1]") != std::string::npos);
  }

  // Jobs 1 (2 processors) and 2 run in the foreground, 3 (2) below an empty slot and
  // below job 1.  When job 2 ends at 7, one processor is spare beside the reservation
  // of job 3, or 2 idle + 2 above the head - 2 = 2, which lets job 4 start above job 3.
  TEST_CASE("REASY by count lets a job start above the processes of its head") {
    const std::vector jobs{a_job(1, 0, 2, 10), a_job(2, 0, 1, 7), a_job(3, 0, 2, 20),
                           a_job(4, 7, 2, 20)};
    CpuGivenTable halves;
    for (const auto& job : jobs) {
      halves[job.id] = {.use = std::vector(static_cast<std::size_t>(job.size), 0.5),
                        .efficiency = 0.8};
    }
    const auto machine = a_two_tier_machine(4, halves);
    const auto set = play("reasy", jobs, machine);
    CHECK(set.spans.at(3).end == doctest::Approx(22));
    CHECK(set.spans.at(4).end == doctest::Approx(27.6));
    CHECK(set.counts.swaps == 2);
    const auto count = play("reasy", jobs, machine, {{"extra", "count"}});
    CHECK(count.spans.at(3).end == doctest::Approx(25));
    CHECK(count.spans.at(4).end == doctest::Approx(27));
    CHECK(count.counts.swaps == 0);
  }

  // Rate 0.9 in the foreground: in its walltime of 100 s job 1 does 90 s of work.
  TEST_CASE("F27: a job is killed at its walltime, whatever work it did by then") {
    auto machine = a_two_tier_machine(4, {{1, {.use = {1, 1}, .loss = 0.1}}});
    machine.tiers().fg_loss_when = LossWhen::kAlways;
    machine.overrun = sim::Overrun::kKill;
    for (const auto* policy :
         {"fcfs", "easy", "conservative", "keasy", "reasy", "measy"}) {
      CAPTURE(policy);
      const auto played = play(policy, {a_job(1, 0, 2, 100)}, machine);
      CHECK(played.spans.at(1) == Remembering::Span{0, 100});
    }
  }

  // Job 2 sits below job 1 and its efficiency is 0.5: after 10 s it has 5 of its 8 s.
  // There no walltime limits it; in the foreground, from 10 on, it needs 3 s more.
  TEST_CASE("F27: the time in the background counts for no walltime") {
    auto machine = a_two_tier_machine(
        1, {{1, {.use = {0.5}}}, {2, {.use = {0.5}, .efficiency = 0.5}}});
    machine.overrun = sim::Overrun::kKill;
    const auto played = play("keasy", {a_job(1, 0, 1, 10), a_job(2, 0, 1, 8)}, machine);
    CHECK(played.counts.swaps == 1);
    CHECK(played.spans.at(2) == Remembering::Span{0, 13});
  }

  // It runs from 0 to 4, is frozen from 10 to 30, and has 6 s of its walltime left
  // then.
  TEST_CASE("F27: a suspended job keeps what is left of its walltime") {
    auto machine = a_two_tier_machine(1, {{1, {.use = {1}, .loss = 0.1}}});
    machine.tiers().fg_loss_when = LossWhen::kAlways;
    machine.overrun = sim::Overrun::kKill;
    ScriptedPolicy policy([](sim::Simulation& world) {
      const auto at = world.world().now();
      if (at == seconds(4))
        return world.actions().suspend(JobId{0}), world.actions().wake_at(seconds(10));
      if (at <= seconds(10)) CHECK(world.actions().start(JobId{0}));
      if (at == 0) world.actions().wake_at(seconds(4));
    });
    const std::vector jobs{a_job(1, 0, 1, 10)};
    sim::Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
    Remembering watched;
    audit::Auditor auditor({machine, {}, jobs, policy.traits()}, law_of(machine, jobs));
    simulation.audience().observe(watched);
    simulation.audience().observe(auditor);
    (void)simulation.advance(kNever);
    simulation.finish();
    CHECK(watched.spans.at(1) == Remembering::Span{0, 36});
  }
}

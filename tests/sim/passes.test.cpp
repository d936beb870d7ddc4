// Wake-ups, passes by the clock and such that are left out, and runs that stand still
// (docs/model.md#events).

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Simulation;

constexpr auto kPasses = sim::kinds<sim::PassRecord>();
constexpr auto kWakes = sim::kinds<sim::WakeRecord, sim::PassRecord>();

std::string passes(std::vector<Job> jobs, ScriptedPolicy::Schedule schedule,
                   sim::RecordKinds kinds = kPasses,
                   const sim::Settings& settings = {}) {
  ScriptedPolicy policy(std::move(schedule));
  return told(std::move(jobs), a_machine(4), policy, settings, kinds);
}

// One job of 10 s that the policy starts at once.
std::vector<Job> one_job() { return {a_job(1, 0, 1, 10)}; }

std::string standstill(const sim::Settings& settings,
                       ScriptedPolicy::Schedule schedule) {
  sim::PolicyTraits traits;
  traits.label = "restless(x=1)";
  ScriptedPolicy policy(std::move(schedule), traits);
  try {
    (void)run({a_job(1, 3, 1, 10)}, a_machine(4), policy, settings);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kTime);
    return error.what();
  }
  return "it ended";
}

// Starts all jobs, and moves all of them at 1.
void juggle_at_one(Simulation& world) {
  if (world.world().now() == 0) world.actions().wake_at(seconds(1));
  const bool is_time = world.world().now() == seconds(1) &&
                       (world.world().decision().causes & sim::kWoken) != 0;
  for (std::uint32_t i = 0; is_time && i < 4; ++i) world.actions().suspend(JobId{i});
  fcfs(world);
}

}  // namespace

TEST_SUITE("sim/passes") {
  TEST_CASE("a wake-up makes a pass when nothing else happens") {
    CHECK(passes(one_job(), [](Simulation& world) {
            fcfs(world);
            if (world.world().now() < seconds(5))
              world.actions().wake_at(seconds(5) + 1);
          }) == "0 pass 1; 5.000001 pass 2; 10 pass 3");
  }

  TEST_CASE("the last wake-up counts, and nil clears it") {
    CHECK(passes(
              one_job(),
              [](Simulation& world) {
                fcfs(world);
                if (world.world().now() > 0) return;
                world.actions().wake_at(seconds(3));
                world.actions().wake_at(seconds(2));
                world.actions().wake_at(seconds(2));
                world.actions().wake_at(seconds(6));
              },
              kWakes) == "0 wake 3; 0 wake 2; 0 wake 6; 0 pass 1; 6 pass 2; 10 pass 3");
    CHECK(passes(
              one_job(),
              [](Simulation& world) {
                fcfs(world);
                if (world.world().now() == 0) world.actions().wake_at(seconds(3));
                world.actions().wake_at({});
              },
              kWakes) == "0 wake 3; 0 wake off; 0 pass 1; 10 pass 2");
  }

  TEST_CASE("a wake-up stays in force until it comes or is replaced") {
    CHECK(passes({a_job(1, 0, 1, 10), a_job(2, 2, 1, 1)}, [](Simulation& world) {
            fcfs(world);
            if (world.world().now() == 0) world.actions().wake_at(seconds(5));
          }) == "0 pass 1; 2 pass 2; 3 pass 3; 5 pass 4; 10 pass 5");
  }

  TEST_CASE("a wake-up at an instant with other events makes no pass of its own") {
    std::vector<sim::Causes> causes;
    CHECK(passes(one_job(), [&](Simulation& world) {
            fcfs(world);
            causes.push_back(world.world().decision().causes);
            if (world.world().now() == 0) world.actions().wake_at(seconds(10));
          }) == "0 pass 1; 10 pass 2");
    CHECK(causes.back() == (sim::kEnd | sim::kWoken));
  }

  TEST_CASE("a wake-up that is not later than now is a wrong call") {
    (void)passes(one_job(), [](Simulation& world) {
      CHECK(wrong_call([&] { world.actions().wake_at(world.world().now()); }) ==
            "wake_at: " + seconds_text(world.world().now()) +
                " is not later than now (t=" + seconds_text(world.world().now()) + ")");
      CHECK(wrong_call([&] {
              world.actions().wake_at(-1);
            }).find("-0.000001 is not later") != std::string::npos);
      fcfs(world);
    });
  }

  TEST_CASE("wake-ups alone keep no run alive") {
    CHECK(passes(one_job(), [](Simulation& world) {
            fcfs(world);
            world.actions().wake_at(world.world().now() + seconds(7));
          }) == "0 pass 1; 7 pass 2; 10 pass 3");
  }

  TEST_CASE("a job that waits keeps wake-ups alive") {
    CHECK(passes(one_job(), [](Simulation& world) {
            if (world.world().now() == seconds(14)) fcfs(world);
            world.actions().wake_at(world.world().now() + seconds(7));
          }) == "0 pass 1; 7 pass 2; 14 pass 3; 21 pass 4; 24 pass 5");
  }

  TEST_CASE("a policy that only wakes itself is stopped, with its name and the time") {
    sim::Settings settings;
    settings.idle_passes_in_a_row = 5;
    CHECK(standstill(settings,
                     [](Simulation& world) {
                       world.actions().wake_at(world.world().now() + seconds(1));
                     }) ==
          "restless(x=1): the run stands still at t=8: 5 passes in a row without an "
          "action or an event; the policy wakes itself but does nothing");
  }

  TEST_CASE("a job that starts begins the count of idle passes anew") {
    sim::Settings settings;
    settings.idle_passes_in_a_row = 3;
    // A start at 3, 7 and 11, an end at 4 and 8, and two idle passes before each start.
    const auto schedule = [](Simulation& world) {
      const auto t = world.world().now() / kSecond;
      const auto first = world.queue(0).head();
      if (t % 4 == 3 && first) (void)world.actions().start(first->job);
      if (first) world.actions().wake_at(world.world().now() + seconds(1));
    };
    const std::vector jobs{a_job(1, 0, 1, 1), a_job(2, 0, 1, 1), a_job(3, 0, 1, 1)};
    const auto outcome = run(jobs, a_machine(4), schedule, settings);
    CHECK(outcome.watched.spans.at(3).start == 11);
    settings.idle_passes_in_a_row = 2;
    CHECK_THROWS_AS((void)run(jobs, a_machine(4), schedule, settings), Error);
  }

  TEST_CASE("a gap of 30 days before a known event is no standstill") {
    constexpr std::int64_t kGap = 30 * 86'400;
    const auto wakes_each_second = [](Simulation& world) {
      fcfs(world);
      world.actions().wake_at(world.world().now() + seconds(1));
    };
    // Job 2 waits for the end of job 1.
    const std::vector jobs{a_job(1, 0, 4, kGap), a_job(2, 1, 4, 50)};
    sim::Settings cycle;
    cycle.cycle = seconds(1);
    const auto start_of_second = [&](const std::vector<Job>& of,
                                     const sim::Settings& settings, auto schedule) {
      return run(of, a_machine(4), schedule, settings).watched.spans.at(2).start;
    };
    CHECK(start_of_second(jobs, cycle, fcfs) == kGap);
    CHECK(start_of_second(jobs, {}, wakes_each_second) == kGap);
    // The policy keeps job 1 until job 2 arrives.
    const std::vector later{a_job(1, 0, 4, 50), a_job(2, kGap, 4, 50)};
    const auto in_pairs = [](Simulation& world) {
      if (world.world().now() >= seconds(kGap)) fcfs(world);
      world.actions().wake_at(world.world().now() + seconds(1));
    };
    CHECK(start_of_second(later, {}, in_pairs) == kGap + 50);
    CHECK(start_of_second(later, cycle, in_pairs) == kGap + 50);
  }

  TEST_CASE("a long freeze that the policy leaves alone is no standstill") {
    auto machine = a_machine(4);
    machine.preemption = true;
    machine.migration_cost = seconds(100);
    sim::Settings settings;
    settings.idle_passes_in_a_row = 5;
    const auto moves_once = [](Simulation& world) {
      if (world.world().now() == seconds(1)) world.actions().suspend(JobId{0});
      fcfs(world);
      world.actions().wake_at(world.world().now() + seconds(1));
    };
    const auto outcome =
        run({a_job(1, 0, 4, 10), a_job(2, 0, 4, 1)}, machine, moves_once, settings);
    CHECK(outcome.watched.spans.at(1).end == 110);
  }

  TEST_CASE("a standstill under a cycle is found") {
    sim::Settings settings;
    settings.cycle = seconds(1);
    settings.idle_passes_in_a_row = 5;
    // Passes at 3, 4, 5, ...: those at 6, 9, 12, 15 and 18 are asked for.
    const auto wakes = [](Simulation& world) {
      if (world.world().now() % seconds(3) == 0)
        world.actions().wake_at(world.world().now() + seconds(3));
    };
    CHECK(standstill(settings, wakes) ==
          "restless(x=1): the run stands still at t=18: 5 passes in a row without an "
          "action or an event; the policy wakes itself but does nothing");

    sim::PolicyTraits sparing;
    sparing.passes = sim::Passes::kWhenAJobFits;
    ScriptedPolicy policy(wakes, sparing);
    const std::vector one{a_job(1, 3, 4, 10)};
    CHECK_THROWS_AS((void)run(one, a_machine(4), policy, settings), Error);

    auto machine = a_machine(4);
    machine.preemption = true;
    machine.migration_cost = seconds(2);
    const auto shuffle = [](Simulation& world) {
      const JobId job{0};
      if (world.world().jobs()[job].state == JobState::kRunning)
        world.actions().suspend(job);
      (void)world.actions().start(job);
    };
    CHECK_THROWS_AS(
        (void)run({a_job(1, 0, 4, 10), a_job(2, 3, 4, 1)}, machine, shuffle, settings),
        Error);
  }

  TEST_CASE("idle passes between moves do not hide that no job gets on") {
    auto machine = a_machine(4);
    machine.preemption = true;
    machine.migration_cost = seconds(10);
    sim::Settings settings;
    settings.idle_passes_in_a_row = 5;
    // At each multiple of 4 the job is frozen anew; the passes between do nothing.
    const auto shuffle = [](Simulation& world) {
      const JobId job{0};
      const bool runs = world.world().jobs()[job].state == JobState::kRunning;
      if (runs && world.world().now() % seconds(4) == 0) world.actions().suspend(job);
      fcfs(world);
      world.actions().wake_at(world.world().now() + seconds(1));
    };
    CHECK_THROWS_AS((void)run({a_job(1, 0, 4, 30)}, machine, shuffle, settings), Error);
  }

  TEST_CASE("jobs that are frozen again before they get on are a standstill") {
    auto machine = a_machine(4);
    machine.preemption = true;
    machine.migration_cost = seconds(2);
    sim::Settings settings;
    settings.idle_passes_in_a_row = 5;
    const auto shuffle = [](Simulation& world) {
      const JobId job{0};
      if (world.world().jobs()[job].state == JobState::kRunning)
        (void)world.actions().suspend(job);
      (void)world.actions().start(job);
    };
    try {
      (void)run({a_job(1, 0, 4, 10), a_job(2, 3, 4, 1)}, machine, shuffle, settings);
      FAIL("it ends");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kTime);
      CHECK(std::string(error.what())
                .find("5 passes in a row without an event or a job that gets on; the "
                      "policy "
                      "suspends and starts jobs, no more") != std::string::npos);
    }
  }

  TEST_CASE(
      "an event between wake-ups is no standstill, even if its pass is left out") {
    sim::Settings settings;
    settings.idle_passes_in_a_row = 3;
    sim::PolicyTraits traits;
    traits.passes = sim::Passes::kWhenAJobFits;
    ScriptedPolicy policy(
        [](Simulation& world) {
          fcfs(world);
          world.actions().wake_at(world.world().now() + seconds(2));
        },
        traits);
    std::vector<Job> jobs{a_job(1, 0, 4, 20)};
    for (std::int64_t i = 2; i <= 10; ++i) jobs.push_back(a_job(i, 2 * i - 3, 4, 1));
    CHECK(run(jobs, a_machine(4), policy, settings).watched.spans.size() == 10);
  }

  TEST_CASE("a pass for each of many thaws at one instant is no standstill") {
    auto machine = a_machine(4);
    machine.preemption = true;
    machine.migration_cost = seconds(2);
    sim::Settings settings;
    settings.pass = sim::PassMode::kEvent;
    std::vector<Job> jobs;
    for (std::int64_t i = 1; i <= 4; ++i) jobs.push_back(a_job(i, 0, 1, 10));
    // At 1 all four are moved, in a pass that leaves none that gets on; at 3 all four
    // thaw: a pass each.
    const auto attempt_with = [&](std::int64_t limit) {
      settings.idle_passes_in_a_row = limit;
      sim::PolicyTraits traits;
      traits.label = "juggler";
      ScriptedPolicy policy(juggle_at_one, traits);
      (void)run(jobs, machine, policy, settings);
    };
    CHECK_NOTHROW(attempt_with(2));
    CHECK_THROWS_WITH(attempt_with(1),
                      "juggler: the run stands still at t=1: 1 passes in a row without "
                      "an event or a job that gets on; the policy suspends and starts "
                      "jobs, no more");
  }

  TEST_CASE(
      "a pass that follows a completion or an arrival does not count as standing") {
    sim::Settings settings;
    settings.idle_passes_in_a_row = 1;
    std::vector<Job> jobs;
    for (std::int64_t i = 1; i <= 40; ++i) jobs.push_back(a_job(i, 5, 4, 0));
    ScriptedPolicy policy(fcfs);
    const auto outcome = run(jobs, a_machine(4), policy, settings);
    CHECK(outcome.watched.passes.size() == 41);
    CHECK(outcome.watched.finished_at == seconds(5));
  }

  TEST_CASE(
      "when_a_job_fits gives the schedules of every pass, with the same numbers") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const auto jobs = random_jobs(seed, {40, 6, false, seed % 3 == 0});
      sim::PolicyTraits sparing;
      sparing.passes = sim::Passes::kWhenAJobFits;
      for (const auto& schedule : {fcfs, easy}) {
        CAPTURE(seed);
        ScriptedPolicy always(schedule);
        ScriptedPolicy seldom(schedule, sparing);
        const auto all = run(jobs, a_machine(6), always);
        const auto some = run(jobs, a_machine(6), seldom);
        CHECK(all.watched.starts == some.watched.starts);
        CHECK(all.watched.passes.size() > some.watched.passes.size());
        auto at = all.watched.passes.begin();
        for (const auto& pass : some.watched.passes) {
          while (at != all.watched.passes.end() && at->number < pass.number) ++at;
          REQUIRE(at != all.watched.passes.end());
          CHECK(at->at == pass.at);
          CHECK(at->actions == pass.actions);
        }
      }
    }
  }

  TEST_CASE("passes left out are numbered; a wake-up that is due is never left out") {
    sim::PolicyTraits sparing;
    sparing.passes = sim::Passes::kWhenAJobFits;
    ScriptedPolicy policy(
        [](Simulation& world) {
          fcfs(world);
          if (world.world().now() == 0) world.actions().wake_at(seconds(4));
        },
        sparing);
    CHECK(told({a_job(1, 0, 4, 10), a_job(2, 1, 1, 1), a_job(3, 2, 1, 1)}, a_machine(4),
               policy, {}, kPasses) == "0 pass 1; 4 pass 4; 10 pass 5");
  }
}

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

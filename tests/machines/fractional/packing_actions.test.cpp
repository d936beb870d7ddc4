// Hosts shared by fractions: start, suspend, share and repack.

#include "engine/machines/fractional/packing_actions.hpp"

#include <doctest/doctest.h>

#include "engine/audit/auditor.hpp"
#include "tests/support/fractions.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)
using sim::LeftOut;
using sim::PackingActions;
using sim::Simulation;

namespace {

constexpr JobId kOne{0};
constexpr JobId kTwo{1};
constexpr JobId kThree{2};

Seat seat(JobId job, std::vector<std::int32_t> hosts, double yield) {
  return {job, {std::move(hosts), yield}};
}

// Runs `act` at the first decision, under a full audit; nothing at later ones.
template <class Act>
Remembering play(const std::vector<Job>& jobs, const TestMachine& machine, Act act) {
  bool is_first = true;
  ScriptedPolicy policy([&](Simulation& simulation) {
    if (std::exchange(is_first, false)) act(simulation);
  });
  Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
  Remembering watched;
  audit::Auditor auditor({machine, {}, jobs, policy.traits()}, law_of(machine, jobs));
  simulation.audience().observe(watched);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  return watched;
}

std::vector<Job> three_jobs() {
  std::vector<Job> jobs;
  for (int id = 1; id <= 3; ++id) jobs.push_back(with_memory(a_job(id, 0, 1, 10), 0.1));
  return jobs;
}

const TaskHosts& place(const Simulation& simulation, JobId job) {
  return *simulation.world().hosts().placement(job).form_if<TaskHosts>();
}

TestMachine with_delay(Duration delay) {
  auto machine = a_fractional_machine(2, 0.5);
  fractions_of(machine).cap_delay = delay;
  return machine;
}

// When job 1 ends, which runs alone from 0 on with yield 1: at 10 its yield becomes
// `first`, by a move where that costs time, at 11 `second`.
double end_with(const TestMachine& machine, double first, double second,
                const TestMachine& judged_by) {
  const std::vector jobs{a_job(1, 0, 1, 100), a_job(2, 10, 1, 1), a_job(3, 11, 1, 1)};
  ScriptedPolicy policy([&](Simulation& simulation) {
    PackingActions actions(simulation);
    const auto now = simulation.world().now();
    if (now == 0) (void)simulation.actions().start(kOne);
    if (now == seconds(11)) (void)actions.share(kOne, second);
    if (now != seconds(10)) return;
    const std::int32_t host = machine.migration_cost > 0 ? 1 : 0;
    (void)actions.repack(std::vector{seat(kOne, {host}, first)});
  });
  Simulation simulation(judged_by, {}, jobs, policy, make_model(machine, jobs));
  Remembering watched;
  audit::Auditor auditor({judged_by, {}, jobs, policy.traits()},
                         law_of(judged_by, jobs));
  simulation.audience().observe(watched);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  return watched.spans.at(1).end;
}

}  // namespace

TEST_SUITE("machines/fractional/packing_actions") {
  TEST_CASE("a plain start gives full needs, task by task to the least loaded host") {
    std::vector jobs{a_job(1, 0, 3, 10), a_job(2, 0, 2, 10), a_job(3, 0, 3, 10)};
    (void)play(jobs, a_fractional_machine(3, 0.4), [](Simulation& simulation) {
      CHECK(simulation.actions().start(kOne));
      CHECK(place(simulation, kOne).hosts == std::vector{0, 1, 2});
      CHECK(simulation.actions().start(kTwo));
      CHECK(place(simulation, kTwo).hosts == std::vector{0, 1});
      CHECK(place(simulation, kTwo).yield == 1);
      // Two tasks of 0.4 on hosts 0 and 1, one on host 2: room for one more.
      CHECK(simulation.actions().start(kThree).reason() == Refusal::kBusy);
      const auto why = simulation.actions().why_not(kThree);
      CHECK(why->available == 1);
      CHECK(why->needed == 3);
    });
  }

  TEST_CASE("memory is compared in KiB") {
    constexpr std::int64_t kHost = 1024 * 1024;
    std::vector jobs{a_job(1, 0, 1, 10), a_job(2, 0, 1, 10), a_job(3, 0, 1, 10)};
    for (auto& job : jobs) job.memory_kib = kHost / 2;
    jobs[1].memory_kib = kHost / 2 + 1;
    const auto seen =
        play(jobs, a_fractional_machine(1, 0.1), [](Simulation& simulation) {
          CHECK(simulation.actions().start(kOne));
          CHECK(simulation.actions().start(kTwo).reason() == Refusal::kBusy);
          CHECK(simulation.actions().start(kThree));
        });
    CHECK(seen.left == std::vector<std::int64_t>{2});
  }

  TEST_CASE("a task larger than a host is turned away") {
    const std::vector jobs{with_memory(a_job(1, 0, 1, 10), 1.5), a_job(2, 0, 1, 10)};
    const auto seen = play(jobs, a_fractional_machine(2), [](Simulation& simulation) {
      CHECK(simulation.actions().start(kTwo));
    });
    CHECK(seen.rejected == std::vector<std::int64_t>{1});
  }

  TEST_CASE("F44: a job may have more tasks than there are hosts") {
    // Two tasks of 0.2 on the only host.
    auto seen = play({a_job(1, 0, 2, 10)}, a_fractional_machine(1, 0.2),
                     [](Simulation& simulation) {
                       CHECK(simulation.actions().start(kOne));
                       CHECK(place(simulation, kOne).hosts == std::vector{0, 0});
                       CHECK(place(simulation, kOne).yield == 1);
                     });
    CHECK(seen.rejected.empty());
    CHECK(seen.spans.at(1).end == 10);

    // Five tasks that need a whole CPU each, on two hosts: three on the fuller one.
    seen = play({a_job(1, 0, 5, 10), a_job(2, 0, 1, 10)}, a_fractional_machine(2),
                [](Simulation& simulation) {
                  CHECK(simulation.actions().start(kOne));
                  CHECK(place(simulation, kOne).hosts == std::vector{0, 1, 0, 1, 0});
                  CHECK(place(simulation, kOne).yield == doctest::Approx(1.0 / 3));
                  CHECK(simulation.actions().start(kTwo).reason() == Refusal::kBusy);
                });
    CHECK(seen.rejected.empty());
    CHECK(seen.spans.at(1).end == doctest::Approx(30));
  }

  TEST_CASE(
      "F44: a job is turned away where the empty hosts lack memory for its tasks") {
    // Two tasks of 0.4 in the memory of each of two hosts.
    const std::vector jobs{with_memory(a_job(1, 0, 4, 10), 0.4),
                           with_memory(a_job(2, 0, 5, 10), 0.4),
                           with_memory(a_job(3, 0, 1000, 10), 0)};
    const auto seen =
        play(jobs, a_fractional_machine(2, 0.001), [](Simulation& simulation) {
          CHECK(simulation.actions().start(kOne));
          CHECK(simulation.actions().start(kThree));
        });
    CHECK(seen.rejected == std::vector<std::int64_t>{2});
  }

  TEST_CASE("the rate of a job is its yield") {
    const auto seen =
        play(three_jobs(), a_fractional_machine(2, 0.6), [](Simulation& simulation) {
          PackingActions actions(simulation);
          const double most = 1 / 1.2;
          const std::vector seats{seat(kOne, {0}, most), seat(kTwo, {0}, most),
                                  seat(kThree, {1}, 1)};
          CHECK(actions.repack(seats));
          // Half of the second job's share, to the first.
          CHECK(actions.share(kOne, 1).reason() == Refusal::kBusy);
          CHECK(actions.share(kTwo, 0.5));
          CHECK(actions.share(kOne, 1));
        });
    CHECK(seen.spans.at(1).end == doctest::Approx(10));
    CHECK(seen.spans.at(2).end == doctest::Approx(20));
    CHECK(seen.spans.at(3).end == doctest::Approx(10));
  }

  TEST_CASE("two full hosts exchange jobs in one step, which moves both") {
    auto machine = a_fractional_machine(2);
    machine.migration_cost = seconds(3);
    const auto seen = play(three_jobs(), machine, [](Simulation& simulation) {
      PackingActions actions(simulation);
      CHECK(simulation.actions().start(kOne));
      CHECK(simulation.actions().start(kTwo));
      CHECK(actions.repack(std::vector{seat(kOne, {1}, 1), seat(kTwo, {0}, 1)}));
      CHECK(simulation.world().jobs()[kOne].account.migrations == 1);
      CHECK(simulation.world().jobs()[kTwo].frozen);
    });
    CHECK(seen.spans.at(1).end == 13);
    CHECK(seen.spans.at(2).end == 13);
  }

  TEST_CASE("what a repacking leaves as it was has no record") {
    const auto seen =
        play(three_jobs(), a_fractional_machine(3), [](Simulation& simulation) {
          PackingActions actions(simulation);
          CHECK(simulation.actions().start(kOne));
          CHECK(simulation.actions().start(kTwo));
          const auto actions_before = simulation.world().decision().actions;
          CHECK(actions.repack(std::vector{seat(kOne, {0}, 1), seat(kTwo, {1}, 1)}));
          CHECK(simulation.world().decision().actions == actions_before);
        });
    CHECK(seen.rates.empty());
  }

  TEST_CASE("the tasks of a job are alike: exchanging them is no move") {
    const std::vector jobs{a_job(1, 0, 2, 10)};
    (void)play(jobs, a_fractional_machine(2), [](Simulation& simulation) {
      PackingActions actions(simulation);
      CHECK(actions.repack(std::vector{seat(kOne, {0, 1}, 1)}));
      CHECK(actions.repack(std::vector{seat(kOne, {1, 0}, 0.5)}));
      CHECK(place(simulation, kOne).hosts == std::vector{0, 1});
      CHECK(simulation.world().jobs()[kOne].account.migrations == 0);
    });
  }

  TEST_CASE("a refused repacking changes nothing") {
    auto machine = a_fractional_machine(2, 0.6);
    fractions_of(machine).migration_budget = 0.05;
    (void)play(three_jobs(), machine, [](Simulation& simulation) {
      PackingActions actions(simulation);
      CHECK(simulation.actions().start(kOne));
      const std::vector moving{seat(kOne, {1}, 1), seat(kTwo, {0}, 1)};
      CHECK(actions.repack(moving).reason() == kOverBudget);
      const std::vector full{seat(kOne, {0}, 1), seat(kTwo, {0}, 1)};
      CHECK(actions.repack(full).reason() == kNoPacking);
      CHECK(place(simulation, kOne).hosts == std::vector{0});
      CHECK(simulation.world().jobs().state(kTwo) == JobState::kWaiting);
      CHECK(simulation.world().decision().actions == 1);
    });
  }

  TEST_CASE("wrong calls name the job and what is wrong") {
    const auto fails = [](const std::vector<Seat>& seats, const std::string& part) {
      (void)play(three_jobs(), a_fractional_machine(2, 0.6),
                 [&](Simulation& simulation) {
                   REQUIRE(simulation.actions().start(kOne));
                   std::string said;
                   try {
                     (void)PackingActions(simulation).repack(seats);
                   } catch (const Error& error) {
                     said = error.what();
                   }
                   CAPTURE(said);
                   CHECK(said.find(part) != std::string::npos);
                   CHECK(simulation.world().decision().actions == 1);
                 });
    };
    fails({seat(kTwo, {1}, 1)}, "apply: job 1 runs and has no place in the packing");
    fails({seat(kOne, {2}, 1)}, "job 1 has 1 tasks, and each needs one of the 2");
    fails({seat(kOne, {0, 1}, 1)}, "job 1 has 1 tasks");
    fails({seat(kOne, {0}, 1.5)}, "a yield of 1.5 is not from 0 to 1");
    fails({seat(kOne, {0}, 1), seat(kOne, {0}, 1)}, "job 1 stands in the packing");
  }

  TEST_CASE("jobs that a repacking leaves out are suspended if asked for") {
    int pass = 0;
    auto machine = a_fractional_machine(1);
    machine.migration_cost = seconds(2);
    const auto jobs = three_jobs();
    ScriptedPolicy policy([&](Simulation& simulation) {
      PackingActions actions(simulation);
      if (++pass == 1) {
        CHECK(simulation.actions().start(kOne));
        CHECK(actions.repack(std::vector{seat(kTwo, {0}, 1)}, LeftOut::kSuspended));
        CHECK(simulation.world().jobs().state(kOne) == JobState::kSuspended);
      } else if (pass == 2) {
        CHECK(actions.repack(std::vector{seat(kOne, {0}, 1)}));
      }
    });
    Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
    Remembering watched;
    audit::Auditor auditor({machine, {}, jobs, policy.traits()}, law_of(machine, jobs));
    simulation.audience().observe(watched);
    simulation.audience().observe(auditor);
    (void)simulation.advance(kNever);
    simulation.finish();
    CHECK(watched.spans.at(2).end == 10);
    CHECK(watched.spans.at(1).end == 22);  // resumed at 10, frozen until 12
  }

  TEST_CASE("plans and the book say that nothing can be planned") {
    (void)play(three_jobs(), a_fractional_machine(2), [](Simulation& simulation) {
      CHECK_THROWS_WITH_AS((void)simulation.actions().reserve(kOne),
                           doctest::Contains("reserve: this machine shares hosts by"),
                           Error);
      CHECK_THROWS_WITH_AS((void)simulation.parts().world.book(),
                           doctest::Contains("book: this"), Error);
    });
  }

  TEST_CASE("an audit finds a model that keeps other rules") {
    const auto says = [](const TestMachine& model, const TestMachine& law) {
      const std::vector jobs{with_memory(a_job(1, 0, 1, 10), 0.6),
                             with_memory(a_job(2, 0, 1, 10), 0.6)};
      ScriptedPolicy policy([](Simulation& simulation) {
        for (const JobId job : {kOne, kTwo}) {
          if (queues(simulation.world().jobs().state(job)))
            (void)simulation.actions().start(job);
        }
      });
      Simulation simulation(law, {}, jobs, policy, make_model(model, jobs));
      audit::Auditor auditor({law, {}, jobs, policy.traits()}, law_of(law, jobs));
      simulation.audience().observe(auditor);
      try {
        (void)simulation.advance(kNever);
        simulation.finish();
      } catch (const audit::AuditFailure& failure) {
        return std::string(failure.violation().rule.code);
      }
      return std::string("nothing");
    };
    const auto right = a_fractional_machine(1, 0.5);
    CHECK(says(right, right) == "nothing");
    auto roomy = right;
    fractions_of(roomy).memory = 2;
    CHECK(says(roomy, right) == "C2");
    auto modest = roomy;
    fractions_of(modest).cpu = 0.1;
    auto greedy = roomy;
    fractions_of(greedy).cpu = 0.6;
    CHECK(says(modest, greedy) == "C3");
    auto slow = right;
    fractions_of(slow).cap_overhead = 0.1;
    CHECK(says(slow, right) == "W4");
  }

  TEST_CASE("after a share is set the old rate holds for the delay of the cap") {
    const auto end = [](const TestMachine& machine, double first, double second) {
      return end_with(machine, first, second, machine);
    };
    const auto four = with_delay(seconds(4));
    CHECK(end(with_delay(0), 0.5, 0.5) == doctest::Approx(190));  // 10 + 90 / 0.5
    CHECK(end(four, 0.5, 0.5) == doctest::Approx(186));           // 14 + 86 / 0.5
    // Set again within the delay: the rate that holds is still the first.
    CHECK(end(four, 0.5, 0.25) == doctest::Approx(355));  // 15 + 85 / 0.25
    CHECK(end(four, 0.5, 1) == doctest::Approx(100));
    // Set again when it has just taken hold.
    CHECK(end(with_delay(seconds(1)), 0.5, 0.25) == doctest::Approx(12 + 88.5 / 0.25));
    // The job ends before.
    CHECK(end(with_delay(seconds(1000)), 0.5, 0.25) == doctest::Approx(100));
    // It stands still from 10 to 20: what was set meanwhile holds when it goes on.
    auto moving = four;
    moving.migration_cost = seconds(10);
    CHECK(end(moving, 0.5, 0.25) == doctest::Approx(380));
  }

  TEST_CASE("an audit finds a share that takes hold too early or too late") {
    const auto rule = [](Duration delay, Duration of_law) {
      try {
        (void)end_with(with_delay(delay), 0.5, 0.25, with_delay(of_law));
      } catch (const audit::AuditFailure& failure) {
        return std::string(failure.violation().rule.code);
      }
      return std::string("nothing");
    };
    CHECK(rule(seconds(4), seconds(4)) == "nothing");
    CHECK(rule(0, seconds(4)) == "W4");
    CHECK(rule(seconds(3), seconds(4)) == "W4");
    CHECK(rule(seconds(4), 0) == "W4");
    CHECK(rule(seconds(4), seconds(3)) == "W4");
    CHECK(rule(seconds(1000), seconds(4)) == "W4");
  }

  TEST_CASE("overhead and error of a cap lower the rate") {
    FractionalSettings settings;
    settings.cap_overhead = 0.0027;
    const std::vector jobs{a_job(1, 0, 1, 100)};
    const auto columns = std::make_shared<JobColumns>(jobs);
    const auto none = [](JobId) { return std::int64_t{0}; };
    const NeedsOfTasks plain(settings, 1, columns, none);
    CHECK(plain.rate(kOne, 0.5, 1) == 0.5 * 0.9973);
    settings.cap_error = 0.0072;
    settings.cap_error_max = 0.0599;
    const NeedsOfTasks drawn(settings, 1, columns, none);
    double least = 1;
    double most = 0;
    for (int times = 1; times <= 1000; ++times) {
      const double rate = drawn.rate(kOne, 0.5, times);
      CHECK(rate == drawn.rate(kOne, 0.5, times));
      least = std::min(least, rate);
      most = std::max(most, rate);
    }
    CHECK(least >= 0.5 * 0.9973 * (1 - 0.0599));
    CHECK(least < 0.48);
    CHECK(most <= 0.5 * 0.9973 * (1 + 0.0599));
    CHECK(most > 0.51);
  }
}

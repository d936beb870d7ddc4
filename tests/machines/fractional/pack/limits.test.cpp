// Every packer ends where its budget does, at the same place every time.

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <new>
#include <sstream>
#include <string>

#include "engine/base/error.hpp"
#include "engine/machines/fractional/pack/adapt.hpp"
#include "engine/machines/fractional/pack/bin_packer.hpp"
#include "engine/machines/fractional/pack/compact_form.hpp"
#include "engine/machines/fractional/pack/draft.hpp"
#include "engine/machines/fractional/pack/exact.hpp"
#include "engine/machines/fractional/pack/generator.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/improve.hpp"
#include "engine/machines/fractional/pack/instances_csv.hpp"
#include "engine/machines/fractional/pack/linear_program.hpp"
#include "engine/machines/fractional/pack/raise.hpp"
#include "engine/machines/fractional/pack/renumber.hpp"
#include "engine/machines/fractional/pack/rounding.hpp"
#include "engine/machines/fractional/pack/solver_child.hpp"
#include "tests/machines/fractional/pack/instances.hpp"
#include "tests/support/limited.hpp"

using namespace berth::pack;  // NOLINT(google-build-using-namespace)
using berth::Budget;
using berth::BudgetSpent;
using berth::test::ended_at;
using berth::test::Limited;

namespace {

Problem drawn(int hosts, int jobs) {
  InstanceSettings settings;
  settings.hosts = hosts;
  settings.jobs = jobs;
  return random_instance(settings, budget, 1, 1);
}

// Two tasks fit a host in memory, and there is one more than twice the hosts: all ways
// to place them are tried before that is known.
Problem hopeless() {
  std::vector<JobNeeds> jobs;
  for (int i = 0; i < 21; ++i) jobs.push_back({i, 1, 0.1 + 0.001 * i, 0.34});
  return {Items(std::move(jobs)), 10, {}};
}

struct Packer {
  const char* name;
  std::function<void(Budget&)> run;
};

// Each takes more than 100,000 units.
std::vector<Packer> packers() {
  static const Problem kWide = drawn(100'000, 100'000);
  static const Problem kSmall = drawn(30, 120);
  static const Problem kHopeless = hopeless();
  static const Packing kPacked = greedy(kSmall, budget, TaskOrder::kByMemory);
  static const Problem kMoving{kSmall.items, kSmall.hosts, kPacked.hosts};
  return {
      {"exact", [](Budget& own) { (void)exact(kSmall, own, 2'000'000'000); }},
      {"greedy", [](Budget& own) { (void)greedy(kWide, own, TaskOrder::kByNumber); }},
      {"backtracking",
       [](Budget& own) {
         (void)greedy_backtracking(kHopeless, own, TaskOrder::kByNumber,
                                   1'000'000'000'000);
       }},
      {"mcb", [](Budget& own) { (void)mcb(kWide, own); }},
      {"meta", [](Budget& own) { (void)meta(kWide, own); }},
      {"uniform parts",
       [](Budget& own) {
         (void)relaxed_parts(drawn(1'000, 1'000), own, RelaxedSource::kUniform);
       }},
      {"rounding",
       [](Budget& own) {
         const std::vector<double> parts(1'000'000, 1e-3);
         (void)rounded(drawn(1'000, 1'000), own, parts, 0, rounding_draws(1, 1));
       }},
      {"program", [](Budget& own) { (void)compact_form(drawn(300, 300), own, true); }},
      {"renumbering",
       [](Budget& own) {
         const Problem problem{kWide.items, kWide.hosts,
                               Hosts(std::size_t(kWide.items.tasks()), 0)};
         Hosts hosts(std::size_t(kWide.items.tasks()));
         for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i] = int(i);
         (void)renumbered(problem, own, packed(problem, hosts));
       }},
      {"raising",
       [](Budget& own) {
         Hosts hosts(std::size_t(kWide.items.tasks()));
         for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i] = int(i);
         (void)raised(kWide, own, packed(kWide, hosts), Raising::kMaxMin);
       }},
      {"improvement",
       [](Budget& own) {
         const Hosts hosts(std::size_t(kWide.items.tasks()), 0);
         (void)improved(kWide, own, packed(kWide, hosts));
       }},
      {"adaptation",
       [](Budget& own) {
         const Problem problem{kWide.items, kWide.hosts,
                               Hosts(std::size_t(kWide.items.tasks()), kNoHost)};
         (void)adapted(problem, own, 1);
       }},
      {"a draft",
       [](Budget& own) {
         Draft draft(kWide, own);
         (void)draft.order(Key::kMax);
       }},
      {"drawing",
       [](Budget& own) {
         (void)random_instance({4, 100'001}, own, 1, 1);
       }},
      {"reading and writing",
       [](Budget& own) {
         std::ostringstream out;
         write_instances(out, {{1, kWide}}, own);
         (void)read_instances(out.str(), "i.csv", own);
       }},
  };
}

// More branching than a second allows.
LinearProgram hard_program(int hosts, int jobs) {
  return compact_form(drawn(hosts, jobs), budget, true);
}

using Numbers = SolverChild::Numbers;

// Of a child, as its answer.
Numbers number_of_process(const Numbers&) { return {static_cast<double>(::getpid())}; }
pid_t asked_for_number(SolverChild& child) {
  return static_cast<pid_t>(child.ask({}, budget).at(0));
}

bool has_child() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

}  // namespace

TEST_SUITE("machines/fractional/pack/limits") {
  TEST_CASE("F26: a limit of work ends every packer, at the same unit every time") {
    for (const auto& [name, run] : packers()) {
      const auto& of_name = name;
      CAPTURE(of_name);
      const auto once = ended_at(50'000, run);
      REQUIRE(once);
      CHECK(*once > 50'000);
      CHECK(ended_at(50'000, run) == once);
    }
  }

  TEST_CASE("work follows the size of a job, not its square") {
    // One job of so many tasks on as many hosts, half of which it leaves.
    const auto units_of = [](int tasks) {
      const Problem problem{Items({{1, tasks, 0.5, 0}}), tasks,
                            Hosts(std::size_t(tasks), 0)};
      Budget own;
      const auto packing = mcb(problem, own);
      REQUIRE(packing.packed());
      const auto found = greedy(problem, own, TaskOrder::kByNumber);
      (void)raised(problem, own, renumbered(problem, own, found), Raising::kAverage);
      return own.charged();
    };
    CHECK(units_of(100'000) < 15 * units_of(10'000));
  }

  TEST_CASE("F26: a solver ends when its time is over, and its process with it") {
    if (!has_solver()) return;
    const auto program = hard_program(30, 150);
    Limited meter;
    meter.polls = 10;  // some 50 ms
    Budget budget(meter);
    CHECK_THROWS_AS((void)solve(program, budget), BudgetSpent);
    CHECK_FALSE(has_child());
  }

  TEST_CASE("F26: a limit of work ends a solver at the same unit every time") {
    if (!has_solver()) return;
    const auto program = hard_program(4, 18);
    const auto run = [&](Budget& own) { (void)solve(program, own); };
    const auto once = ended_at(20'000, run);
    REQUIRE(once);
    CHECK(ended_at(20'000, run) == once);
  }

  TEST_CASE("a solver goes on after a program that was ended") {
    if (!has_solver()) return;
    Limited meter;
    meter.polls = 1;
    Budget limited(meter);
    CHECK_THROWS_AS((void)solve(hard_program(30, 150), limited), BudgetSpent);
    const auto program = compact_form(drawn(4, 18), budget, false);
    const auto once = solve(program, budget);
    CHECK(once.outcome == LinearOutcome::kOptimal);
    CHECK(solve(program, budget).values == once.values);
  }

  TEST_CASE("a child answers questions of any length, one after another") {
    SolverChild child([](Numbers question) {
      question.push_back(2.5);
      return question;
    });
    for (const std::size_t length : {0U, 1U, 100'000U, 3U}) {
      auto expected = Numbers(length, 1.5);
      const auto got = child.ask(expected, budget);
      expected.push_back(2.5);
      CHECK(got == expected);
    }
  }

  TEST_CASE("one child answers all questions, and ends with its object") {
    pid_t pid = 0;
    {
      SolverChild child(number_of_process);
      pid = asked_for_number(child);
      CHECK(asked_for_number(child) == pid);
      CHECK(::kill(pid, 0) == 0);
    }
    CHECK(::kill(pid, 0) != 0);
  }

  TEST_CASE("a process forked by others meanwhile has a child of its own") {
    SolverChild child(number_of_process);
    const auto pid = asked_for_number(child);
    const auto forked = ::fork();
    if (forked == 0) {
      const auto other = asked_for_number(child);
      ::_exit(other != pid && ::getppid() > 0 ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(forked, &status, 0) == forked);
    CHECK(status == 0);
    CHECK(asked_for_number(child) == pid);
  }

  TEST_CASE("a child keeps no file of its parent open") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    SolverChild child(number_of_process);
    (void)asked_for_number(child);
    ::close(ends[1]);
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == 0);
    ::close(ends[0]);
  }

  TEST_CASE("a child without memory is std::bad_alloc, any other end a defect") {
    int asked = 0;
    SolverChild child([&](const Numbers& question) -> Numbers {
      if (question.empty()) throw std::bad_alloc();
      if (question[0] < 0) throw 1;
      return {static_cast<double>(++asked)};
    });
    CHECK_THROWS_AS((void)child.ask({}, budget), std::bad_alloc);
    CHECK_THROWS_WITH_AS((void)child.ask({-1}, budget),
                         "the linear solver ended with wait status 1024", berth::Error);
    // Another child begins each time.
    CHECK(child.ask({0}, budget) == Numbers{1});
    CHECK_THROWS_AS((void)child.ask({}, budget), std::bad_alloc);
    CHECK(child.ask({0}, budget) == Numbers{1});
    CHECK(child.ask({0}, budget) == Numbers{2});
  }
}

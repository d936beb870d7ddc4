// Instances that a person can check, task by task.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "engine/machines/fractional/pack/adapt.hpp"
#include "engine/machines/fractional/pack/bin_packer.hpp"
#include "engine/machines/fractional/pack/exact.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/improve.hpp"
#include "engine/machines/fractional/pack/raise.hpp"
#include "engine/machines/fractional/pack/renumber.hpp"
#include "engine/machines/fractional/pack/rounding.hpp"
#include "tests/machines/fractional/pack/instances.hpp"

using namespace berth::pack;  // NOLINT(google-build-using-namespace)

namespace {

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(1e-6); }

void check_yields(const std::vector<double>& yields,
                  const std::vector<double>& expected) {
  REQUIRE(yields.size() == expected.size());
  for (std::size_t job = 0; job < yields.size(); ++job) {
    CHECK(yields[job] == near(expected[job]));
  }
}

Packing at(const Problem& problem, const Hosts& hosts) {
  return packed(problem, hosts);
}

// A packer of one's own: each task, largest first, onto the host whose rest points most
// nearly in the direction of its needs.
Fill cosine(const Problem& problem) {
  return [&problem](double yield, Hosts& hosts) {
    const auto& items = problem.items;
    std::vector<int> order = in_order(items, TaskOrder::kByNumber);
    const auto key = [&](int task) {
      return std::max(items.cpu(task) * yield, items.memory(task));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return key(a) > key(b); });
    std::vector<double> cpu_left(problem.hosts, 1);
    std::vector<double> memory_left(problem.hosts, 1);
    for (const int task : order) {
      const double cpu = items.cpu(task) * yield;
      const double memory = items.memory(task);
      int best = kNoHost;
      double most = 0;
      for (int host = 0; host < problem.hosts; ++host) {
        const double c = cpu_left[host];
        const double m = memory_left[host];
        if (cpu > c + kCapEps || memory > m + kCapEps) continue;
        const double score =
            (cpu * c + memory * m) / (std::hypot(cpu, memory) * std::hypot(c, m));
        if (best == kNoHost || score > most) best = host, most = score;
      }
      if (best == kNoHost) return false;
      hosts[task] = best;
      cpu_left[best] -= cpu;
      memory_left[best] -= memory;
    }
    return true;
  };
}

struct Expected {
  int variant;
  Hosts hosts;
  double yield;
  Hosts improved;
  double improved_yield;
};

void check_mcb(const Problem& problem, const std::vector<Expected>& rows) {
  for (const auto& row : rows) {
    CAPTURE(row.variant);
    const auto packing = mcb(problem, budget, mcb_rule(row.variant));
    CHECK(packing.hosts == row.hosts);
    CHECK(packing.yield == near(row.yield));
    const auto better = improved(problem, budget, packing);
    CHECK(better.hosts == row.improved);
    CHECK(better.yield == near(row.improved_yield));
    CHECK(better.effort.steps == (row.improved == row.hosts ? 0 : 1));
  }
}

}  // namespace

TEST_SUITE("machines/fractional/pack/worked_examples") {
  TEST_CASE("three jobs of 0.6 on two hosts: 5/6 without migration, at most 1") {
    const auto problem = single_tasks(2, {0.6, 0.6, 0.6}, {0, 0, 0});
    CHECK(exact(problem, budget).packing.yield == near(0.833333));
    CHECK(*relaxed_bound(problem) == 1);
  }

  TEST_CASE("five jobs: MCB1 to MCB8, and after one swap") {
    const double third = 2.0 / 3;
    check_mcb(five_jobs(), {{1, {1, 0, 0, 0, 1}, 0.625, {1, 0, 1, 0, 0}, third},
                            {2, {1, 0, 0, 0, 1}, 0.625, {1, 0, 1, 0, 0}, third},
                            {3, {0, 1, 0, 1, 1}, third, {0, 1, 0, 1, 1}, third},
                            {4, {1, 0, 0, 0, 1}, 0.625, {1, 0, 1, 0, 0}, third},
                            {5, {0, 1, 1, 1, 0}, 0.625, {0, 1, 0, 1, 1}, third},
                            {6, {1, 0, 1, 0, 0}, third, {1, 0, 1, 0, 0}, third},
                            {7, {1, 0, 1, 0, 0}, third, {1, 0, 1, 0, 0}, third},
                            {8, {0, 1, 1, 1, 0}, 0.625, {0, 1, 0, 1, 1}, third}});
  }

  TEST_CASE("five jobs: the greedy four") {
    const auto problem = five_jobs();
    CHECK(greedy(problem, budget, TaskOrder::kByNumber).outcome == Outcome::kNoPacking);
    const auto sg = greedy(problem, budget, TaskOrder::kByMemory);
    CHECK(sg.hosts == Hosts{1, 1, 0, 1, 0});
    CHECK(sg.yield == near(0.526316));
    const auto gb = greedy_backtracking(problem, budget, TaskOrder::kByNumber);
    CHECK(gb.hosts == Hosts{0, 1, 1, 1, 0});
    CHECK(gb.effort.attempts == 8);
    CHECK(gb.yield == near(0.625));
    const auto sgb = greedy_backtracking(problem, budget, TaskOrder::kByMemory);
    CHECK(sgb.hosts == Hosts{1, 1, 0, 1, 0});
    CHECK(sgb.effort.attempts == 6);
    CHECK(sgb.yield == near(0.526316));
  }

  TEST_CASE("five jobs: the bound, the optimum, a packer of one's own") {
    const auto problem = five_jobs();
    CHECK(*relaxed_bound(problem) == near(2 / 2.8));
    const auto best = exact(problem, budget);
    CHECK(best.packing.yield == near(2.0 / 3));
    const bool is_either = best.packing.hosts == Hosts{1, 0, 1, 0, 0} ||
                           best.packing.hosts == Hosts{0, 1, 0, 1, 1};
    CHECK(is_either);
    CHECK(best.gap() == 0);
    const auto own = search(problem, budget, cosine(problem));
    CHECK(own.hosts == Hosts{0, 1, 1, 1, 0});
    CHECK(own.yield == near(0.625));
  }

  TEST_CASE("five jobs: the yields that the search of MCB8 tries") {
    const auto problem = five_jobs();
    BinPacker packer(problem, budget, {});
    std::vector<double> tried;
    std::vector<bool> succeeded;
    const auto packing = search(problem, budget, [&](double yield, Hosts& hosts) {
      tried.push_back(yield);
      succeeded.push_back(packer.pack(yield, hosts));
      return succeeded.back();
    });
    CHECK(packing.effort.packs == 14);
    const std::array<double, 6> yields = {0.714286, 0.357143, 0.535714,
                                          0.625,    0.669643, 0.647321};
    const std::array<bool, 6> results = {false, true, true, true, false, false};
    for (std::size_t i = 0; i < yields.size(); ++i) {
      CHECK(tried[i] == near(yields.at(i)));
      CHECK(succeeded[i] == results.at(i));
    }
  }

  TEST_CASE("five jobs: a worse minimum gives the better mean") {
    const auto problem = five_jobs();
    const auto mcb8 = at(problem, {0, 1, 1, 1, 0});
    const auto best = at(problem, {1, 0, 1, 0, 0});
    const double third = 2.0 / 3;
    const auto mcb8_average = raised(problem, budget, mcb8, Raising::kAverage);
    check_yields(mcb8_average.yields, {0.75, 0.625, 0.625, 0.625, 1});
    CHECK(mcb8_average.mean_yield() == near(0.725));
    const auto best_average = raised(problem, budget, best, Raising::kAverage);
    check_yields(best_average.yields, {third, third, 14.0 / 15, third, third});
    CHECK(best_average.mean_yield() == near(0.72));
    check_yields(raised(problem, budget, mcb8, Raising::kMaxMin).yields,
                 {5.0 / 6, 0.625, 0.625, 0.625, 5.0 / 6});
    check_yields(raised(problem, budget, best, Raising::kMaxMin).yields,
                 {10.0 / 13, third, 10.0 / 13, third, third});
    check_yields(raised(problem, budget, mcb8, Raising::kNone).yields,
                 {0.625, 0.625, 0.625, 0.625, 0.625});
  }

  TEST_CASE("five other jobs: MCB1 to MCB8, and after one swap") {
    const double best = 5.0 / 6;
    const Hosts first{1, 0, 0, 0, 1};
    const Hosts second{0, 1, 1, 1, 0};
    const auto problem = other_five_jobs();
    check_mcb(problem, {{1, first, best, first, best},
                        {3, second, best, second, best},
                        {4, first, best, first, best},
                        {5, second, best, second, best},
                        {6, first, best, first, best},
                        {7, first, best, first, best},
                        {8, {0, 0, 1, 0, 1}, 0.769231, first, best}});
    const auto mcb2 = mcb(problem, budget, mcb_rule(2));
    CHECK(mcb2.hosts == Hosts{1, 1, 1, 0, 0});
    CHECK(mcb2.yield == near(0.714286));
    CHECK(mcb(problem, budget).effort.packs == 15);
    const auto average =
        raised(problem, budget, mcb(problem, budget), Raising::kAverage);
    check_yields(average.yields, {10.0 / 13, 10.0 / 13, 1, 10.0 / 13, 1});
    CHECK(average.mean_yield() == near(0.861538));
  }

  TEST_CASE("five other jobs: all other packers") {
    const auto problem = other_five_jobs();
    CHECK(*relaxed_bound(problem) == near(0.869565));
    CHECK(exact(problem, budget).packing.yield == near(0.833333));
    CHECK_FALSE(greedy(problem, budget, TaskOrder::kByNumber).packed());
    const auto sg = greedy(problem, budget, TaskOrder::kByMemory);
    CHECK(sg.hosts == Hosts{1, 1, 1, 0, 0});
    CHECK(sg.yield == near(0.714286));
    const auto gb = greedy_backtracking(problem, budget, TaskOrder::kByNumber);
    CHECK(gb.yield == near(0.833333));
    CHECK(gb.effort.attempts == 8);
    const auto sgb = greedy_backtracking(problem, budget, TaskOrder::kByMemory);
    CHECK(sgb.yield == near(0.714286));
    CHECK(sgb.effort.attempts == 5);
    const auto own = search(problem, budget, cosine(problem));
    CHECK(own.hosts == Hosts{1, 0, 0, 0, 1});
    CHECK(own.yield == near(0.833333));
  }

  TEST_CASE("raising on two hosts, one of them with three jobs") {
    const auto problem = single_tasks(2, {0.5, 0.4, 0.3, 0.9, 0.9}, {0, 0, 0, 0, 0});
    const auto placed = at(problem, {0, 0, 0, 1, 1});
    const double least = 5.0 / 9;
    CHECK(placed.yield == near(least));
    const auto average = raised(problem, budget, placed, Raising::kAverage);
    check_yields(average.yields, {0.6, 1, 1, least, least});
    CHECK(average.mean_yield() == near(0.742222));
    const auto max_min = raised(problem, budget, placed, Raising::kMaxMin);
    check_yields(max_min.yields, {5.0 / 6, 5.0 / 6, 5.0 / 6, least, least});
    CHECK(max_min.mean_yield() == near(0.722222));
  }

  TEST_CASE(
      "adaptation: a swap within the allowance, and no more moves than it needs") {
    const auto problem =
        single_tasks(2, {0.6, 0.6, 0.3, 0.5}, {0.4, 0.3, 0.3, 0.5}, {0, 0, 1, kNoHost});
    for (const double allowance : {0.0, 0.29}) {
      const auto packing = adapted(problem, budget, allowance);
      CHECK(packing.hosts == Hosts{0, 0, 1, 1});
      CHECK(packing.yield == near(0.833333));
      CHECK(moved(problem, packing.hosts).memory == 0);
    }
    for (const double allowance : {0.3, 1.0, kUnlimited}) {
      const auto packing = adapted(problem, budget, allowance);
      CHECK(packing.hosts == Hosts{0, 1, 1, 0});
      CHECK(packing.yield == near(0.909091));
      CHECK(moved(problem, packing.hosts).memory == near(0.3));
      CHECK(moved(problem, packing.hosts).jobs == 1);
    }
  }

  TEST_CASE("adaptation: a second present placement") {
    const auto problem =
        single_tasks(2, {0.8, 0.7, 0.4, 0.3}, {0.3, 0.2, 0.4, 0.2}, {0, 0, 1, kNoHost});
    CHECK(adapted(problem, budget, 0).yield == near(0.666667));
    CHECK(adapted(problem, budget, 0.19).yield == near(0.666667));
    for (const double allowance : {0.2, kUnlimited}) {
      const auto packing = adapted(problem, budget, allowance);
      CHECK(packing.yield == near(0.909091));
      CHECK(moved(problem, packing.hosts).memory == near(0.2));
    }
  }

  TEST_CASE("a parallel job rises no further than the fullest of its hosts") {
    const Problem problem{Items({{1, 2, 0.5, 0}, {2, 1, 0.3, 0}, {3, 1, 0.6, 0}}), 2};
    const auto placed = at(problem, {0, 1, 0, 1});
    CHECK(placed.yield == near(0.909091));
    for (const auto how : {Raising::kAverage, Raising::kMaxMin}) {
      const auto packing = raised(problem, budget, placed, how);
      check_yields(packing.yields, {1 / 1.1, 1, 1 / 1.1});
      CHECK(packing.mean_yield() == near(0.939394));
    }
  }

  TEST_CASE("rounding: RRND runs out of hosts where RRNZ does not") {
    const auto problem = single_tasks(2, {0.5, 0.5, 0.5}, {0.3, 0.8, 0.5});
    const std::vector<double> parts = {1, 0, 0.5, 0.5, 0, 1};
    const std::vector<double> draws = {0.3, 0.2, 0.9, 0.4, 0.7};
    std::size_t used = 0;
    const auto draw = [&] { return draws.at(used++); };
    CHECK(rounded(problem, budget, parts, 0, draw).outcome == Outcome::kNoPacking);
    CHECK(used == 4);
    used = 0;
    CHECK(rounded(problem, budget, parts, kRrnzEpsilon, draw).hosts == Hosts{0, 1, 0});
    CHECK(used == 5);
  }

  TEST_CASE("renumbering: two bins exchange hosts after the greedy matching") {
    const auto problem = single_tasks(3, {0.1, 0.1, 0.1}, {0.3, 0.2, 0.4}, {2, 0, 2});
    const auto packing = renumbered(problem, budget, at(problem, {0, 1, 1}));
    CHECK(packing.hosts == Hosts{2, 0, 0});
    CHECK(moved(problem, packing.hosts).memory == near(0.4));
    CHECK(moved(problem, packing.hosts).jobs == 1);
  }

  TEST_CASE("no task: yield 1") {
    const Problem problem{Items{}, 3};
    CHECK(mcb(problem, budget).packed());
    CHECK(mcb(problem, budget).yield == 1);
    CHECK(exact(problem, budget).packing.packed());
    CHECK(greedy_backtracking(problem, budget, TaskOrder::kByMemory).packed());
    CHECK(adapted(problem, budget, 0).packed());
    CHECK(
        raised(problem, budget, mcb(problem, budget), Raising::kMaxMin).mean_yield() ==
        1);
  }

  TEST_CASE("what memory alone forbids fails without a search, with the reason") {
    const auto full = single_tasks(1, {0.1, 0.1}, {0.6, 0.6});
    CHECK(name_of(mcb(full, budget).outcome) == "memory");
    CHECK(mcb(full, budget).effort.packs == 0);
    CHECK(exact(full, budget).bound == 0);
    const auto wide = single_tasks(3, {0.1}, {1.5});
    CHECK(name_of(greedy(wide, budget, TaskOrder::kByNumber).outcome) == "too_big");
    CHECK_FALSE(relaxed_bound(wide));
    CHECK_FALSE(improved(wide, budget, mcb(wide, budget)).packed());
  }

  TEST_CASE("as many hosts as tasks: every job at 1, by the first pack") {
    const auto problem = single_tasks(3, {1, 0.9, 1}, {1, 1, 1});
    CHECK(mcb(problem, budget).yield == 1);
    CHECK(mcb(problem, budget).effort.packs == 1);
  }
}

// What holds for every instance, tried on thousands.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/machines/fractional/pack/adapt.hpp"
#include "engine/machines/fractional/pack/bin_packer.hpp"
#include "engine/machines/fractional/pack/compact_form.hpp"
#include "engine/machines/fractional/pack/exact.hpp"
#include "engine/machines/fractional/pack/generator.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/improve.hpp"
#include "engine/machines/fractional/pack/raise.hpp"
#include "engine/machines/fractional/pack/renumber.hpp"
#include "engine/machines/fractional/pack/rounding.hpp"
#include "tests/machines/fractional/pack/instances.hpp"
#include "tests/support/rounds.hpp"

using namespace berth::pack;  // NOLINT(google-build-using-namespace)

namespace {

constexpr int kInstances = 1000;
constexpr auto kNoLimit = std::numeric_limits<std::int64_t>::max();

std::vector<Packing> by_all_heuristics(const Problem& problem) {
  std::vector<Packing> packings;
  for (int variant = 1; variant <= 8; ++variant) {
    packings.push_back(mcb(problem, budget, mcb_rule(variant)));
    packings.push_back(mcb(problem, budget, mcb_rule(variant, FirstList::kMemory),
                           {.tolerance = 1e-3, .test_upper_first = false}));
  }
  for (const auto order : {TaskOrder::kByNumber, TaskOrder::kByMemory}) {
    packings.push_back(greedy(problem, budget, order));
    packings.push_back(greedy_backtracking(problem, budget, order));
  }
  packings.push_back(meta(problem, budget));
  if (const auto parts = relaxed_parts(problem, budget, RelaxedSource::kUniform)) {
    packings.push_back(rounded(problem, budget, *parts, 0, rounding_draws(1, 1)));
  }
  return packings;
}

double mean_by_program(const Problem& problem, const Packing& packing) {
  LinearProgram program;
  program.rows.assign(problem.hosts, {-1e300, 1});
  const auto& items = problem.items;
  for (int job = 0; job < items.jobs(); ++job) {
    program.columns.push_back({-1, packing.yield, 1});
    std::vector<LinearProgram::Entry> entries;
    for (int host = 0; host < problem.hosts; ++host) {
      const auto begin = packing.hosts.begin();
      const auto tasks =
          std::count(begin + items.first(job), begin + items.first(job + 1), host);
      if (tasks > 0) {
        entries.push_back({host, static_cast<double>(tasks) * items.needs(job).cpu});
      }
    }
    program.entries.push_back(entries);
  }
  const auto solution = solve(program, budget);
  REQUIRE(solution.outcome == LinearOutcome::kOptimal);
  return -solution.bound / items.jobs();
}

// The plain reading of MCB: lists are made anew and tasks erased one by one.
bool plain_mcb(const Problem& problem, int variant, double yield, Hosts& hosts) {
  const auto& items = problem.items;
  struct Task {
    double key, cpu, memory;
    int number;
  };
  std::vector<Task> lists[2];
  for (int task = 0; task < items.tasks(); ++task) {
    const double cpu = items.cpu(task) * yield;
    const double memory = items.memory(task);
    const double more = std::max(cpu, memory);
    const double less = std::min(cpu, memory);
    const double keys[] = {
        cpu + memory, more - less,
        less > 0 ? more / less : std::numeric_limits<double>::infinity(), more};
    lists[cpu >= memory ? 0 : 1].push_back(
        {keys[(variant - 1) % 4], cpu, memory, task});
  }
  for (auto& list : lists) {
    std::sort(list.begin(), list.end(), [&](const Task& a, const Task& b) {
      if (a.key != b.key) return variant <= 4 ? a.key < b.key : a.key > b.key;
      return a.number < b.number;
    });
  }
  for (int host = 0; host < problem.hosts; ++host) {
    double cpu = 1;
    double memory = 1;
    const auto take = [&](std::vector<Task>& list) {
      const auto found = std::find_if(list.begin(), list.end(), [&](const Task& task) {
        return task.cpu <= cpu + kCapEps && task.memory <= memory + kCapEps;
      });
      if (found == list.end()) return false;
      hosts[found->number] = host;
      cpu -= found->cpu;
      memory -= found->memory;
      list.erase(found);
      return true;
    };
    while (true) {
      const int first = cpu >= memory ? 0 : 1;
      if (!take(lists[first]) && !take(lists[1 - first])) break;
    }
  }
  return lists[0].empty() && lists[1].empty();
}

// A random present placement of some of the jobs, which fits.
Problem with_present(RandomInstances& random, Problem problem) {
  const auto packing = greedy_backtracking(problem, budget, TaskOrder::kByNumber);
  if (!packing.packed()) return problem;
  std::vector<int> other(problem.hosts);
  std::iota(other.begin(), other.end(), 0);
  for (int& host : other) std::swap(host, other[random.whole(0, problem.hosts - 1)]);
  problem.present.assign(problem.items.tasks(), kNoHost);
  for (int job = 0; job < problem.items.jobs(); ++job) {
    if (random.whole(0, 3) == 0) continue;
    for (int task = problem.items.first(job); task < problem.items.first(job + 1);
         ++task) {
      problem.present[task] = other[packing.hosts[task]];
    }
  }
  return problem;
}

}  // namespace

TEST_SUITE("machines/fractional/pack/properties") {
  TEST_CASE("every packing is feasible; heuristic <= optimum <= bound") {
    RandomInstances random("pack.feasible");
    int feasible = 0;
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      const auto problem = random.next();
      const auto best = exact(problem, budget);
      feasible += best.packing.packed() ? 1 : 0;
      CHECK(best.gap() == 0);
      if (best.packing.packed()) {
        CHECK(best.packing.yield <= *relaxed_bound(problem) + 1e-9);
        CHECK(is_feasible(problem, best.packing));
      }
      for (const auto& packing : by_all_heuristics(problem)) {
        if (!packing.packed()) continue;
        REQUIRE(is_feasible(problem, packing));
        REQUIRE(packing.yield <= best.packing.yield + 1e-9);
        const auto better = improved(problem, budget, packing);
        REQUIRE(is_feasible(problem, better));
        REQUIRE(better.yield >= packing.yield - 1e-12);
        REQUIRE(better.yield <= best.packing.yield + 1e-9);
      }
    }
    CHECK(feasible > kInstances / 2);
    CHECK(feasible < kInstances);
  }

  TEST_CASE("the exact search finds what enumeration finds") {
    RandomInstances random("pack.enumeration");
    int tried = 0;
    for (int i = 0; i < kInstances; ++i) {
      const auto problem = random.next(8, 4);
      if (std::pow(problem.hosts, problem.items.tasks()) > 20'000) continue;
      CAPTURE(i);
      ++tried;
      CHECK(exact(problem, budget).packing.yield ==
            doctest::Approx(best_by_enumeration(problem)).epsilon(1e-9));
    }
    CHECK(tried > kInstances / 2);
  }

  TEST_CASE("a node limit leaves the best packing so far and a valid bound") {
    RandomInstances random("pack.limit");
    int cut = 0;
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      const auto problem = random.next();
      const auto some = exact(problem, budget, 20);
      const auto all = exact(problem, budget);
      CHECK(some.packing.effort.nodes <= 20);
      CHECK(some.bound >= all.packing.yield - 1e-9);
      CHECK(some.packing.yield <= all.packing.yield + 1e-9);
      if (some.packing.packed()) CHECK(is_feasible(problem, some.packing));
      if (some.packing.outcome == Outcome::kLimit) CHECK(some.gap() == 1);
      cut += some.gap() > 0 ? 1 : 0;
    }
    CHECK(cut > 10);
  }

  TEST_CASE("backtracking without a limit fails only if nothing is feasible") {
    RandomInstances random("pack.backtracking");
    int infeasible = 0;
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      const auto problem = random.next(8, 3);
      const bool is_feasible_at_all = exact(problem, budget).packing.packed();
      infeasible += is_feasible_at_all ? 0 : 1;
      for (const auto order : {TaskOrder::kByNumber, TaskOrder::kByMemory}) {
        CHECK(greedy_backtracking(problem, budget, order, kNoLimit).packed() ==
              is_feasible_at_all);
      }
    }
    CHECK(infeasible > 10);
  }

  TEST_CASE("backtracking stops at its limit and says so") {
    // Four tasks of 0.6 cannot share three hosts; two of 0.1 delay the discovery.
    const auto problem =
        single_tasks(3, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, {0.1, 0.1, 0.6, 0.6, 0.6, 0.6});
    const auto whole =
        greedy_backtracking(problem, budget, TaskOrder::kByNumber, kNoLimit);
    CHECK(whole.outcome == Outcome::kNoPacking);
    const auto cut = greedy_backtracking(problem, budget, TaskOrder::kByNumber, 10);
    CHECK(cut.outcome == Outcome::kLimit);
    CHECK(cut.effort.attempts == 10);
  }

  TEST_CASE("MCB passes each list once and packs as the plain algorithm does") {
    RandomInstances random("pack.plain");
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      const auto problem = random.next();
      if (cannot_fit(problem)) continue;
      for (int variant = 1; variant <= 8; ++variant) {
        CAPTURE(variant);
        BinPacker packer(problem, budget, mcb_rule(variant));
        Hosts hosts(problem.items.tasks(), kNoHost);
        Hosts plain = hosts;
        for (const double yield : {1.0, 0.7, 0.5, 0.25, 0.1}) {
          const bool is_packed = packer.pack(yield, hosts);
          REQUIRE(is_packed == plain_mcb(problem, variant, yield, plain));
          if (is_packed) REQUIRE(hosts == plain);
        }
      }
    }
  }

  TEST_CASE("MCB packs lists of hundreds of tasks as the plain algorithm does") {
    for (int i = 1; i <= 10; ++i) {
      CAPTURE(i);
      InstanceSettings settings{40, 300, i / 20.0};
      settings.cv_cpu = settings.cv_memory = 0.75;
      settings.parallel = i % 2 == 0;  // tasks of a job have equal needs
      const auto problem = random_instance(settings, budget, 1, i);
      const double bound = relaxed_bound(problem).value();
      for (int variant = 1; variant <= 8; ++variant) {
        CAPTURE(variant);
        BinPacker packer(problem, budget, mcb_rule(variant));
        Hosts hosts(problem.items.tasks(), kNoHost);
        Hosts plain = hosts;
        for (const double part : {1.0, 0.95, 0.8, 0.5}) {
          const bool is_packed = packer.pack(part * bound, hosts);
          REQUIRE(is_packed == plain_mcb(problem, variant, part * bound, plain));
          if (is_packed) REQUIRE(hosts == plain);
        }
      }
    }
  }

  TEST_CASE("a key of one's own is used at every yield") {
    RandomInstances random("pack.own_key");
    for (int i = 0; i < kInstances; ++i) {
      const auto problem = random.next();
      McbRule own;
      own.own_key = [](double cpu, double memory) { return cpu + memory; };
      CHECK(mcb(problem, budget, own).hosts == mcb(problem, budget, mcb_rule(5)).hosts);
    }
  }

  TEST_CASE("jobs are numbered alike whatever the order they come in") {
    RandomInstances random("pack.order");
    for (int i = 0; i < kInstances; ++i) {
      const auto problem = random.next();
      std::vector<JobNeeds> jobs;
      for (int job = problem.items.jobs(); job-- > 0;) {
        jobs.push_back(problem.items.needs(job));
        jobs.back().number = 10 * jobs.back().number - 1000;
      }
      const Problem reversed{Items(jobs), problem.hosts};
      CHECK(mcb(reversed, budget).hosts == mcb(problem, budget).hosts);
      CHECK(greedy_backtracking(reversed, budget, TaskOrder::kByMemory).hosts ==
            greedy_backtracking(problem, budget, TaskOrder::kByMemory).hosts);
    }
  }

  TEST_CASE("raising keeps the smallest yield; max_min is the largest in that order") {
    RandomInstances random("pack.raise");
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      const auto problem = random.next();
      const auto placed = mcb(problem, budget);
      if (!placed.packed()) continue;
      const auto average = raised(problem, budget, placed, Raising::kAverage);
      const auto max_min = raised(problem, budget, placed, Raising::kMaxMin);
      for (const auto* packing : {&average, &max_min}) {
        REQUIRE(is_feasible(problem, *packing));
        CHECK(*std::min_element(packing->yields.begin(), packing->yields.end()) ==
              doctest::Approx(placed.yield).epsilon(1e-9));
      }
      auto rising = max_min.yields;
      auto other = average.yields;
      std::sort(rising.begin(), rising.end());
      std::sort(other.begin(), other.end());
      for (std::size_t job = 0; job < rising.size(); ++job) {
        if (std::abs(rising[job] - other[job]) < 1e-9) continue;
        CHECK(rising[job] > other[job]);
        break;
      }
    }
  }

  TEST_CASE("improvement keeps any allowance, and one of 0 moves nothing") {
    RandomInstances random("pack.improve");
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      auto problem = random.next();
      const auto placed = mcb(problem, budget, mcb_rule(4));
      if (!placed.packed()) continue;
      problem.present = placed.hosts;
      // What needs no memory moves free of charge.
      const auto stays = improved(problem, budget, placed, 0);
      CHECK(moved(problem, stays.hosts).memory == 0);
      for (const double allowance : {0.1, 0.4}) {
        const auto packing = improved(problem, budget, placed, allowance);
        CHECK(moved(problem, packing.hosts).memory <= allowance + 2e-9);
        CHECK(packing.yield >= placed.yield);
      }
    }
  }

  TEST_CASE("adaptation keeps its allowance and is never worse than staying") {
    RandomInstances random("pack.adapt");
    int moved_some = 0;
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      const auto problem = with_present(random, random.next(10, 4));
      if (problem.present.empty()) continue;
      const auto stays = adapted(problem, budget, 0);
      if (stays.packed()) CHECK(moved(problem, stays.hosts).memory <= 1e-9);
      auto before = problem.present;
      const bool is_placed = place_rest(problem, budget, TaskOrder::kByMemory, before);
      for (const double allowance : {0.2, 0.5, kUnlimited}) {
        const auto packing = adapted(problem, budget, allowance);
        if (is_placed) {
          REQUIRE(packing.packed());
          CHECK(packing.yield >= common_yield(problem, before) - 1e-9);
        }
        if (!packing.packed()) continue;
        CHECK(is_feasible(problem, packing));
        CHECK(moved(problem, packing.hosts).memory <= allowance + 2e-9);
        moved_some += moved(problem, packing.hosts).jobs > 0 ? 1 : 0;
      }
      const auto repacked = mcb(problem, budget);
      if (repacked.packed()) {
        CHECK(adapted(problem, budget, kUnlimited).yield >=
              improved(problem, budget, renumbered(problem, budget, repacked)).yield -
                  1e-9);
      }
    }
    CHECK(moved_some > 100);
  }

  TEST_CASE("adaptation does not beat the best placement within the allowance") {
    RandomInstances random("pack.adapt_exact");
    for (int i = 0; i < 200; ++i) {
      CAPTURE(i);
      const auto problem = with_present(random, random.next(6, 3));
      if (problem.present.empty()) continue;
      for (const double allowance : {0.0, 0.3}) {
        double best = 0;
        for_each_placement(problem, [&](const Hosts& hosts) {
          if (moved(problem, hosts).memory > allowance + kCapEps) return;
          best = std::max(best, common_yield(problem, hosts));
        });
        CHECK(adapted(problem, budget, allowance).yield <= best + 1e-9);
      }
    }
  }

  TEST_CASE("renumbering permutes hosts and never moves more") {
    RandomInstances random("pack.renumber");
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      const auto problem = with_present(random, random.next());
      const auto packing = mcb(problem, budget);
      if (!packing.packed()) continue;
      const auto again = renumbered(problem, budget, packing);
      CHECK(moved(problem, again.hosts).memory <=
            moved(problem, packing.hosts).memory + 1e-9);
      CHECK(again.yield == packing.yield);
      std::vector<int> host_of(problem.hosts, kNoHost);
      std::vector<int> bin_of(problem.hosts, kNoHost);
      for (int task = 0; task < problem.items.tasks(); ++task) {
        int& host = host_of[packing.hosts[task]];
        int& bin = bin_of[again.hosts[task]];
        if (host == kNoHost && bin == kNoHost) {
          host = again.hosts[task];
          bin = packing.hosts[task];
        }
        REQUIRE(host == again.hosts[task]);
        REQUIRE(bin == packing.hosts[task]);
      }
    }
  }

  TEST_CASE("perfect packings, cut from full hosts, have the exact yield 1") {
    RandomInstances random("pack.perfect");
    for (int i = 0; i < 200; ++i) {
      CAPTURE(i);
      const int hosts = random.whole(1, 3);
      std::vector<double> cpus;
      std::vector<double> memories;
      for (int host = 0; host < hosts; ++host) {
        for (auto* needs : {&cpus, &memories}) {
          const int first = random.whole(1, 8);
          const int second = random.whole(1, 9 - first);
          needs->push_back(first / 10.0);
          needs->push_back(second / 10.0);
          needs->push_back((10 - first - second) / 10.0);
        }
      }
      CHECK(exact(single_tasks(hosts, cpus, memories), budget).packing.yield ==
            doctest::Approx(1).epsilon(1e-9));
    }
  }

  TEST_CASE("rounding is feasible and a function of seed and instance") {
    RandomInstances random("pack.rounding");
    int found = 0;
    for (int i = 0; i < kInstances; ++i) {
      CAPTURE(i);
      const auto problem = random.next();
      const auto parts = relaxed_parts(problem, budget, RelaxedSource::kUniform);
      if (!parts) continue;
      const auto once = rounded(problem, budget, *parts, 0, rounding_draws(3, i));
      const auto twice = rounded(problem, budget, *parts, 0, rounding_draws(3, i));
      CHECK(once.hosts == twice.hosts);
      if (!once.packed()) continue;
      ++found;
      CHECK(is_feasible(problem, once));
    }
    CHECK(found > kInstances / 4);
  }

  TEST_CASE("the compact form: its optimum and its relaxation" *
            doctest::skip(!has_solver())) {
    RandomInstances random("pack.program");
    for (std::uint64_t i = 0; i < berth::test::rounds(40, 150); ++i) {
      CAPTURE(i);
      const auto problem = random.next(8, 4);
      const auto by_search = exact(problem, budget);
      const auto by_program = exact_by_program(problem, budget);
      CHECK(by_program.packing.packed() == by_search.packing.packed());
      CHECK(by_program.gap() == doctest::Approx(0));
      CHECK(by_program.packing.yield ==
            doctest::Approx(by_search.packing.yield).epsilon(1e-7));
      if (by_program.packing.packed()) CHECK(is_feasible(problem, by_program.packing));
      const auto relaxed = solve(compact_form(problem, budget, false), budget);
      const auto bound = relaxed_bound(problem);
      CHECK((relaxed.outcome == LinearOutcome::kOptimal) == bound.has_value());
      if (bound) CHECK(1 / relaxed.bound == doctest::Approx(*bound).epsilon(1e-7));
    }
  }

  TEST_CASE("raising by average is the largest mean for jobs of one task" *
            doctest::skip(!has_solver())) {
    RandomInstances random("pack.average");
    const auto instances = berth::test::rounds(kInstances / 10, kInstances);
    std::uint64_t tried = 0;
    for (std::uint64_t i = 0; i < instances; ++i) {
      CAPTURE(i);
      const auto problem = random.next();
      const auto placed = mcb(problem, budget);
      if (!placed.packed()) continue;
      const double mean =
          raised(problem, budget, placed, Raising::kAverage).mean_yield();
      const double most = mean_by_program(problem, placed);
      CHECK(mean <= most + 1e-7);
      if (problem.items.jobs() != problem.items.tasks()) continue;
      ++tried;
      CHECK(mean == doctest::Approx(most).epsilon(1e-7));
    }
    CHECK(tried > instances / 10);
  }
}

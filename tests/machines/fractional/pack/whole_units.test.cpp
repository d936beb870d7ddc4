// Memory in whole units: what a packer puts on a host the machine takes, to the unit,
// and the other way round, however large the host is.

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "engine/machines/fractional/pack/adapt.hpp"
#include "engine/machines/fractional/pack/bin_packer.hpp"
#include "engine/machines/fractional/pack/draft.hpp"
#include "engine/machines/fractional/pack/exact.hpp"
#include "engine/machines/fractional/pack/greedy.hpp"
#include "engine/machines/fractional/pack/improve.hpp"
#include "engine/machines/fractional/pack/rounding.hpp"
#include "tests/machines/fractional/pack/instances.hpp"

using namespace berth::pack;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::int64_t kHostUnits = std::int64_t{1} << 32;  // 4 TiB in KiB
constexpr std::int64_t kMostUnits = std::int64_t{1} << 52;

// Jobs of one task with so many units each.
Problem of_units(int hosts, std::int64_t host_units,
                 const std::vector<std::int64_t>& units, Hosts present = {}) {
  std::vector<JobNeeds> jobs;
  for (std::size_t i = 0; i < units.size(); ++i) {
    jobs.push_back({static_cast<std::int64_t>(i), 1, 0.01,
                    static_cast<double>(units[i]) / static_cast<double>(host_units),
                    units[i]});
  }
  return {Items(std::move(jobs), host_units), hosts, std::move(present)};
}

struct Named {
  std::string name;
  std::function<Packing(const Problem&)> pack;
};

std::vector<Named> all_packers() {
  std::vector<Named> packers{
      {"GR", [](auto& of) { return greedy(of, budget, TaskOrder::kByNumber); }},
      {"SG", [](auto& of) { return greedy(of, budget, TaskOrder::kByMemory); }},
      {"GB",
       [](auto& of) { return greedy_backtracking(of, budget, TaskOrder::kByNumber); }},
      {"SGB",
       [](auto& of) { return greedy_backtracking(of, budget, TaskOrder::kByMemory); }},
      {"meta", [](auto& of) { return meta(of, budget); }},
      {"exact", [](auto& of) { return exact(of, budget, 100'000).packing; }},
      {"adapted", [](auto& of) { return adapted(of, budget, kUnlimited); }},
  };
  for (int variant = 1; variant <= 8; ++variant) {
    packers.push_back({"MCB" + std::to_string(variant), [variant](auto& of) {
                         return mcb(of, budget, mcb_rule(variant));
                       }});
  }
  return packers;
}

bool keeps_units(const Problem& problem, const Packing& packing) {
  std::vector<std::int64_t> used(static_cast<std::size_t>(problem.hosts));
  for (int task = 0; task < problem.items.tasks(); ++task) {
    used[static_cast<std::size_t>(packing.hosts[static_cast<std::size_t>(task)])] +=
        problem.items.needs(problem.items.job(task)).units;
  }
  return std::all_of(used.begin(), used.end(), [&](std::int64_t units) {
    return units <= problem.items.host_units();
  });
}

}  // namespace

TEST_SUITE("machines/fractional/pack/whole_units") {
  TEST_CASE("every packer fills a host to the unit and not one beyond") {
    for (const auto host : {std::int64_t{3}, std::int64_t{1'000'003}, kHostUnits,
                            std::int64_t{1'048'576'000'000}, kMostUnits}) {
      const auto third = host / 3;
      const std::vector<std::vector<std::int64_t>> full{
          {host}, {third, host - third}, {third, third, host - 2 * third}};
      for (const auto& units : full) {
        auto more = units;
        ++more.front();
        for (const auto& packer : all_packers()) {
          CAPTURE(host);
          CAPTURE(units.size());
          CAPTURE(packer.name);
          CHECK(packer.pack(of_units(1, host, units)).packed());
          CHECK_FALSE(packer.pack(of_units(1, host, more)).packed());
        }
      }
    }
  }

  TEST_CASE("what is packed on several hosts keeps the units of each") {
    RandomInstances drawn("whole units");
    int packed = 0;
    for (int i = 0; i < 300; ++i) {
      CAPTURE(i);
      const int hosts = drawn.whole(1, 4);
      std::vector<std::int64_t> units;
      // Halves, thirds and quarters, a few units off.
      for (int left = drawn.whole(1, 3 * hosts); left > 0; --left) {
        units.push_back(kHostUnits / drawn.whole(2, 4) + drawn.whole(-2, 2));
      }
      const auto problem = of_units(hosts, kHostUnits, units);
      for (const auto& packer : all_packers()) {
        CAPTURE(packer.name);
        const auto packing = packer.pack(problem);
        if (!packing.packed()) continue;
        ++packed;
        CHECK(keeps_units(problem, packing));
        CHECK(keeps_units(problem, improved(problem, budget, packing)));
      }
    }
    CHECK(packed > 1000);
  }

  TEST_CASE("rounding and drafts count units, too") {
    const auto half = kHostUnits / 2;
    const auto fits = of_units(1, kHostUnits, {half, half});
    const auto too_much = of_units(1, kHostUnits, {half, half + 1});
    CHECK(rounded(fits, budget, {1, 1}, 0, rounding_draws(1, 1)).packed());
    CHECK_FALSE(rounded(too_much, budget, {1, 1}, 0, rounding_draws(1, 1)).packed());
    for (const auto* problem : {&fits, &too_much}) {
      Draft draft(*problem, budget);
      draft.begin(1);
      CHECK(draft.put(0, 0));
      CHECK(draft.put(1, 0) == (problem == &fits));
    }
  }

  TEST_CASE("an allowance is kept to the unit") {
    const auto half = kHostUnits / 2;
    // Three tasks of which one has to leave host 0 for CPU to be shared evenly.
    std::vector<JobNeeds> jobs;
    for (int i = 0; i < 2; ++i) jobs.push_back({i, 1, 0.9, 0.5, half});
    const Problem problem{Items(jobs, kHostUnits), 2, {0, 0}};
    const auto units = [](std::int64_t count) {
      return static_cast<double>(count) / static_cast<double>(kHostUnits);
    };
    CHECK(moved(problem, adapted(problem, budget, units(half)).hosts).jobs == 1);
    CHECK(moved(problem, adapted(problem, budget, units(half - 1)).hosts).jobs == 0);
  }
}

// What must hold on every workload of machines with several kinds of resource; set
// BERTH_ROUNDS for more workloads.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <boost/random/uniform_int_distribution.hpp>

#include "tests/support/kinds.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::uint64_t kUsual = 300;
constexpr std::int32_t kProcessors = 8;

// Memory in units of `unit` KiB: up to 4 for each processor, and some licences.
NeedColumns random_needs(std::uint64_t seed, const std::vector<Job>& jobs,
                         std::int64_t unit) {
  auto stream = random_stream(seed, "test.needs");
  const auto draw = [&stream](std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(stream);
  };
  NeedColumns needs;
  for (const auto& job : jobs) {
    needs["memory"][job.id] = {static_cast<double>(draw(0, 4) * unit)};
    needs["licence"][job.id] = {static_cast<double>(draw(0, 5) / 4)};
  }
  return needs;
}

// Two hosts of four processors, or a pool of eight; 12 units of memory on each host.
sim::Machine machine_of(bool has_hosts, std::int64_t unit) {
  if (has_hosts) {
    return with_hosts({{"host", 2, kProcessors / 2, 12 * unit}}, {{"licence", 2}});
  }
  auto pool = a_pool(kProcessors, 1, {{"licence", 2}});
  pool.resources.memory = 24 * unit;
  return pool;
}

RandomShape shape_of(std::uint64_t seed) {
  RandomShape shape;
  shape.processors = kProcessors;
  shape.overruns = seed % 3 == 0;
  return shape;
}

}  // namespace

TEST_SUITE("policies/kinds_properties") {
  TEST_CASE("reservations are kept, in a pool and on hosts") {
    std::int64_t checked = 0;
    for (std::uint64_t seed = 0; seed < rounds(kUsual); ++seed) {
      CAPTURE(seed);
      auto shape = shape_of(seed);
      shape.overruns = false;
      const auto jobs = random_jobs(seed, shape);
      const auto policy = lua_policy("conservative");
      auto run = run_kinds(jobs, random_needs(seed, jobs, kGib),
                           machine_of(seed % 2 == 0, kGib), *policy);
      checked += run.checked["R2"];
    }
    CHECK(checked > 0);
  }

  TEST_CASE("memory in another unit changes no decision that is made by parts") {
    const std::vector<std::string> policies{"fcfs", "easy", "conservative", "bb",
                                            "ibb",  "drf",  "tetris",       "best_fit"};
    for (std::uint64_t seed = 0; seed < rounds(kUsual); ++seed) {
      CAPTURE(seed);
      const auto jobs = random_jobs(seed, shape_of(seed));
      const auto& name = policies[seed % policies.size()];
      CAPTURE(name);
      const bool has_hosts = seed / policies.size() % 2 == 0;
      sim::Settings settings;
      settings.shares = ShareSettings();
      const auto starts = [&](std::int64_t unit) {
        const auto policy = lua_policy(name);
        return run_kinds(jobs, random_needs(seed, jobs, unit),
                         machine_of(has_hosts, unit), *policy, settings)
            .watched.starts;
      };
      CHECK(starts(1'048'576) == starts(1024));
    }
  }

  TEST_CASE("whose turn it is, is what a walk over all users finds") {
    constexpr const char* kByHand = R"(return { passes = "when_a_job_fits",
      schedule = function(queue, cluster)
        local shares, blocked = cluster.shares, {}
        repeat
          local poorest, least
          for user in queue:users() do
            local share = shares:dominant(user) / shares:weight(user)
            if not blocked[user] and (not poorest or share < least) then
              poorest, least = user, share
            end
          end
          local job = poorest and queue:of(poorest):head()
          if job and not cluster:start(job) then blocked[poorest] = true end
        until not poorest
      end })";
    for (std::uint64_t seed = 0; seed < rounds(kUsual); ++seed) {
      CAPTURE(seed);
      const auto jobs = random_jobs(seed, shape_of(seed));
      const auto needs = random_needs(seed, jobs, kGib);
      sim::Settings settings;
      settings.shares = ShareSettings();
      settings.shares->users = {{1, 2.0}, {2, 0.5}};
      const auto starts = [&](sim::Policy& policy) {
        return run_kinds(jobs, needs, machine_of(seed % 2 == 0, kGib), policy, settings)
            .watched.starts;
      };
      const auto by_hand = policy_of(kByHand);
      const auto policy = lua_policy("drf");
      CHECK(starts(*policy) == starts(*by_hand));
    }
  }

  TEST_CASE("the tightest by weights is what a walk over all that fit finds") {
    constexpr const char* kPolicy = R"(
      local weights
      local function needed(cluster, job)
        local sum = 0
        for kind = 1, cluster:kinds() do
          sum = sum + weights[kind] * cluster:need_fraction(job, kind)
        end
        return sum
      end
      local by_hand = {}
      function by_hand.tightest(queue, cluster)
        local best, most
        for job in queue:fitting() do
          local sum = needed(cluster, job)
          if not best or sum > most + 1e-12 then best, most = job, sum end
        end
        return best
      end
      function by_hand.schedule(queue, cluster)
        repeat
          weights = {}
          for kind = 1, cluster:kinds() do
            weights[kind] = SIGN * (1 - cluster:used_fraction(kind))
          end
          local job = FIND
          if job then cluster:start(job) end
        until not job
      end
      return { passes = "when_a_job_fits", schedule = by_hand.schedule })";
    const auto with = [&](std::uint64_t seed, const std::string& find) {
      auto text = std::string(kPolicy);
      text.replace(text.find("SIGN"), 4, seed % 3 == 0 ? "-1" : "1");
      return policy_of(text.replace(text.find("FIND"), 4, find));
    };
    for (std::uint64_t seed = 0; seed < rounds(kUsual); ++seed) {
      CAPTURE(seed);
      const auto jobs = random_jobs(seed, shape_of(seed));
      const auto needs = random_needs(seed, jobs, kGib);
      const auto starts = [&](const std::string& find) {
        const auto policy = with(seed, find);
        return run_kinds(jobs, needs, machine_of(seed % 2 == 0, kGib), *policy)
            .watched.starts;
      };
      CHECK(starts("queue:tightest(weights)") ==
            starts("by_hand.tightest(queue, cluster)"));
    }
  }

  TEST_CASE("other numbers for the users, in the same order, change nothing else") {
    const std::vector<std::string> policies{"fairshare_fifo", "fairshare_easy",
                                            "fairshare_conservative", "drf",
                                            "multifactor"};
    for (std::uint64_t seed = 0; seed < rounds(kUsual); ++seed) {
      CAPTURE(seed);
      auto jobs = random_jobs(seed, shape_of(seed));
      const auto& name = policies[seed % policies.size()];
      CAPTURE(name);
      const auto needs = random_needs(seed, jobs, kGib);
      sim::Settings settings;
      settings.shares = ShareSettings();
      settings.shares->half_life = seconds(60);
      const auto starts = [&] {
        const auto policy = lua_policy(name);
        return run_kinds(jobs, needs, machine_of(seed % 2 == 0, kGib), *policy,
                         settings)
            .watched.starts;
      };
      const auto before = starts();
      for (auto& job : jobs) job.user = 5 * job.user + 70;
      CHECK(starts() == before);
    }
  }
}

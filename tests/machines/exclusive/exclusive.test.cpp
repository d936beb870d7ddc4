#include "engine/machines/exclusive/exclusive.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <variant>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"
#include "tests/support/kinds.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;

namespace {

std::string processors(const Placement& placement) { return placement.text(); }

constexpr JobId kAny{99};

// Allocates what the machine's own rule gives the job, and says where that is.
std::string allocate(Exclusive& hosts, JobId job, std::int32_t size) {
  Grant grant;
  REQUIRE(hosts.grant(job, Demand(size), nullptr, grant));
  Affected affected;
  hosts.take(grant, affected);
  CHECK(affected.empty());  // no other job runs faster or slower
  return processors(hosts.placement(job));
}

void leave(Exclusive& hosts, JobId job) {
  Affected affected;
  hosts.leave(job, affected);
  CHECK(affected.empty());
}

}  // namespace

TEST_SUITE("machines/exclusive/exclusive") {
  TEST_CASE("a job gets the lowest idle processors") {
    Exclusive hosts(8, Pick::kLowest);
    CHECK(allocate(hosts, JobId{0}, 3) == "0-2");
    CHECK(allocate(hosts, JobId{1}, 2) == "3-4");
    leave(hosts, JobId{0});
    CHECK(hosts.idle() == 6);
    CHECK(allocate(hosts, JobId{2}, 4) == "0-2 5");
    CHECK(hosts.idle() == 2);
  }

  TEST_CASE("a machine may give the highest instead") {
    Exclusive hosts(8, Pick::kHighest);
    CHECK(allocate(hosts, JobId{0}, 3) == "5-7");
    CHECK(allocate(hosts, JobId{1}, 2) == "3-4");
    leave(hosts, JobId{0});
    CHECK(allocate(hosts, JobId{2}, 4) == "2 5-7");
  }

  TEST_CASE("a job that finds too few idle is refused as busy") {
    Exclusive hosts(4, Pick::kLowest);
    allocate(hosts, JobId{0}, 3);
    const auto refused = hosts.choose(kAny, Demand(2), nullptr);
    REQUIRE_FALSE(refused);
    CHECK(refused.reason() == Refusal::kBusy);
    CHECK(hosts.choose(kAny, Demand(1), nullptr));
  }

  TEST_CASE("choosing changes nothing") {
    const Exclusive hosts(4, Pick::kLowest);
    CHECK(processors(hosts.choose(kAny, Demand(2), nullptr).value()) == "0-1");
    CHECK(processors(hosts.choose(kAny, Demand(2), nullptr).value()) == "0-1");
    CHECK(hosts.idle() == 4);
  }

  TEST_CASE("a job kept to some processors gets idle ones of these alone") {
    Exclusive hosts(8, Pick::kLowest);
    allocate(hosts, JobId{0}, 3);  // 0-2
    IntervalSet allowed(2, 3);
    allowed.insert(Interval{6, 7});
    const Placement where(allowed);
    CHECK(processors(hosts.choose(kAny, Demand(2), &where).value()) == "3 6");
    CHECK(processors(hosts.choose(kAny, Demand(3), &where).value()) == "3 6-7");
    const auto refused = hosts.choose(kAny, Demand(4), &where);
    REQUIRE_FALSE(refused);
    CHECK(refused.reason() == Refusal::kBusy);
  }

  TEST_CASE("a job runs at full speed, and not at all while frozen") {
    Exclusive hosts(4, Pick::kLowest);
    allocate(hosts, JobId{0}, 1);
    allocate(hosts, JobId{1}, 1);
    CHECK(hosts.rate(JobId{0}) == 1.0);
    Affected affected;
    hosts.freeze(JobId{0}, Frozen::kYes, affected);
    CHECK(affected == Affected{JobId{0}});
    CHECK(hosts.rate(JobId{0}) == 0.0);
    CHECK(hosts.rate(JobId{1}) == 1.0);
    hosts.freeze(JobId{0}, Frozen::kNo, affected);
    CHECK(hosts.rate(JobId{0}) == 1.0);
  }

  TEST_CASE("an allocation is found where it was put") {
    Exclusive hosts(4, Pick::kLowest);
    allocate(hosts, JobId{7}, 2);
    CHECK(processors(hosts.placement(JobId{7})) == "0-1");
  }

  TEST_CASE("processors given back untaken, or taken without a grant, are our defect") {
    Exclusive hosts(4, Pick::kLowest);
    allocate(hosts, JobId{0}, 2);
    Affected affected;
    CHECK_THROWS_AS(hosts.take(Grant(), affected), Error);
    CHECK_THROWS_AS(hosts.leave(JobId{1}, affected), Error);
  }

  TEST_CASE(
      "F22: a placement of another job, demand or number of processors is wrong") {
    const Exclusive hosts(8, Pick::kLowest);
    Grant grant;
    const auto asked = [&](JobId job, std::int32_t size, const Proposal& proposal) {
      return hosts.grant(job, Demand(size), proposal, grant);
    };
    const Proposal own{JobId{1}, 1, Demand(2), IntervalSet(2, 3)};
    CHECK(asked(JobId{1}, 2, own));
    CHECK(processors(*grant.placement()) == "2-3");
    CHECK_THROWS_AS((void)asked(JobId{2}, 2, own), Error);
    CHECK_THROWS_AS((void)asked(JobId{1}, 3, own), Error);
    CHECK_THROWS_AS(
        (void)asked(JobId{1}, 2, {JobId{1}, 1, Demand(2), IntervalSet(2, 2)}), Error);
    CHECK_THROWS_AS(
        (void)asked(JobId{1}, 1, {JobId{1}, 1, Demand(1), IntervalSet(2, 9)}), Error);
  }

  TEST_CASE("no processor ever serves two jobs, and none is lost") {
    auto engine = random_stream(1, "test.exclusive");
    Exclusive hosts(32, Pick::kLowest);
    std::map<std::uint32_t, IntervalSet> held;
    for (std::uint32_t step = 0; step < 5000; ++step) {
      const auto size = static_cast<std::int32_t>(1 + engine() % 12);
      Affected affected;
      Grant grant;
      if (hosts.grant(JobId{step}, Demand(size), nullptr, grant)) {
        hosts.take(grant, affected);
        held.emplace(step, hosts.placement(JobId{step}).processors());
      } else {
        const auto at = std::next(held.begin(),
                                  static_cast<std::ptrdiff_t>(engine() % held.size()));
        hosts.leave(JobId{at->first}, affected);
        held.erase(at);
      }
      IntervalSet used;  // insert refuses a number that is already there
      for (const auto& [job, numbers] : held) used.insert(numbers);
      REQUIRE(used.count() + hosts.idle() == 32);
    }
  }

  TEST_CASE(
      "a pool, one with a kind that never binds and one host give the same starts") {
    const std::array machines{test::a_machine(8), test::a_pool(8, 64, {{"licence", 4}}),
                              test::with_hosts({{"only", 1, 8}})};
    for (std::uint64_t seed = 1; seed <= test::rounds(60); ++seed) {
      CAPTURE(seed);
      const auto jobs =
          test::random_jobs(seed, {.jobs = 40, .overruns = seed % 2 == 0});
      for (const auto schedule : {&test::easy, &test::conservative}) {
        std::vector<std::map<std::int64_t, Time>> starts;
        for (const auto& machine : machines) {
          test::ScriptedPolicy policy(schedule);
          starts.push_back(test::run_kinds(jobs, {}, machine, policy).watched.starts);
        }
        CHECK(starts[0].size() == jobs.size());
        CHECK(starts[1] == starts[0]);
        CHECK(starts[2] == starts[0]);
      }
    }
  }
}

#include "engine/hosts/exclusive.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <variant>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

std::string processors(const Placement& placement) {
  return std::get<IntervalSet>(placement).text();
}

// Seats the job where the machine's own rule puts it and says where that is.
std::string seat(Exclusive& hosts, JobId job, std::int32_t size) {
  const auto placement = hosts.choose({size}, nullptr);
  REQUIRE(placement);
  Touched touched;
  hosts.take(job, {size}, placement.value(), touched);
  CHECK(touched.empty());  // nobody else runs faster or slower
  return processors(placement.value());
}

void unseat(Exclusive& hosts, JobId job) {
  Touched touched;
  hosts.leave(job, touched);
  CHECK(touched.empty());
}

}  // namespace

TEST_SUITE("hosts/exclusive") {
  TEST_CASE("a job gets the lowest idle processors") {
    Exclusive hosts(8, Pick::kLowest);
    CHECK(seat(hosts, JobId{0}, 3) == "0-2");
    CHECK(seat(hosts, JobId{1}, 2) == "3-4");
    unseat(hosts, JobId{0});
    CHECK(hosts.idle() == 6);
    CHECK(seat(hosts, JobId{2}, 4) == "0-2 5");
    CHECK(hosts.idle() == 2);
  }

  TEST_CASE("a machine may give the highest instead") {
    Exclusive hosts(8, Pick::kHighest);
    CHECK(seat(hosts, JobId{0}, 3) == "5-7");
    CHECK(seat(hosts, JobId{1}, 2) == "3-4");
    unseat(hosts, JobId{0});
    CHECK(seat(hosts, JobId{2}, 4) == "2 5-7");
  }

  TEST_CASE("a job that finds too few idle is refused as busy") {
    Exclusive hosts(4, Pick::kLowest);
    seat(hosts, JobId{0}, 3);
    const auto refused = hosts.choose({2}, nullptr);
    REQUIRE_FALSE(refused);
    CHECK(refused.reason() == Refusal::kBusy);
    CHECK(hosts.choose({1}, nullptr));
  }

  TEST_CASE("choosing changes nothing") {
    const Exclusive hosts(4, Pick::kLowest);
    CHECK(processors(hosts.choose({2}, nullptr).value()) == "0-1");
    CHECK(processors(hosts.choose({2}, nullptr).value()) == "0-1");
    CHECK(hosts.idle() == 4);
  }

  TEST_CASE("a job kept to some processors gets idle ones of these alone") {
    Exclusive hosts(8, Pick::kLowest);
    seat(hosts, JobId{0}, 3);  // 0-2
    IntervalSet within(2, 3);
    within.insert(Interval{6, 7});
    CHECK(processors(hosts.choose({2}, &within).value()) == "3 6");
    CHECK(processors(hosts.choose({3}, &within).value()) == "3 6-7");
    const auto refused = hosts.choose({4}, &within);
    REQUIRE_FALSE(refused);
    CHECK(refused.reason() == Refusal::kBusy);
  }

  TEST_CASE("a job runs at full speed, and not at all while frozen") {
    Exclusive hosts(4, Pick::kLowest);
    seat(hosts, JobId{0}, 1);
    seat(hosts, JobId{1}, 1);
    CHECK(hosts.rate(JobId{0}) == 1.0);
    Touched touched;
    hosts.freeze(JobId{0}, Frozen::kYes, touched);
    CHECK(touched == Touched{JobId{0}});
    CHECK(hosts.rate(JobId{0}) == 0.0);
    CHECK(hosts.rate(JobId{1}) == 1.0);
    hosts.freeze(JobId{0}, Frozen::kNo, touched);
    CHECK(hosts.rate(JobId{0}) == 1.0);
  }

  TEST_CASE("a seated job is found where it was put") {
    Exclusive hosts(4, Pick::kLowest);
    seat(hosts, JobId{7}, 2);
    CHECK(processors(hosts.placement(JobId{7})) == "0-1");
  }

  TEST_CASE("a seat taken twice or left unseated is our defect") {
    Exclusive hosts(4, Pick::kLowest);
    seat(hosts, JobId{0}, 2);
    Touched touched;
    CHECK_THROWS_AS(hosts.take(JobId{1}, {2}, Placement(IntervalSet(1, 2)), touched),
                    Error);
    CHECK_THROWS_AS(hosts.leave(JobId{1}, touched), Error);
  }

  TEST_CASE("no processor ever serves two jobs, and none is lost") {
    auto engine = random_stream(1, "test.exclusive");
    Exclusive hosts(32, Pick::kLowest);
    std::map<std::uint32_t, IntervalSet> seated;
    for (std::uint32_t step = 0; step < 5000; ++step) {
      const auto size = static_cast<std::int32_t>(1 + engine() % 12);
      Touched touched;
      if (const auto placement = hosts.choose({size}, nullptr)) {
        hosts.take(JobId{step}, {size}, placement.value(), touched);
        seated.emplace(step, std::get<IntervalSet>(placement.value()));
      } else {
        const auto at = std::next(
            seated.begin(), static_cast<std::ptrdiff_t>(engine() % seated.size()));
        hosts.leave(JobId{at->first}, touched);
        seated.erase(at);
      }
      IntervalSet used;  // insert refuses a number that is already there
      for (const auto& [job, numbers] : seated) used.insert(numbers);
      REQUIRE(used.count() + hosts.idle() == 32);
    }
  }
}

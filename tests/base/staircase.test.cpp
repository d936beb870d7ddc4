#include "engine/base/staircase.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

struct Limit {
  Duration reach;
  std::int64_t free;
};

// By definition: the least of all limits that hold for this length.
std::int64_t free_for(std::int64_t free, const std::vector<Limit>& limits,
                      Duration length) {
  for (const auto& limit : limits) {
    if (length > limit.reach) free = std::min(free, limit.free);
  }
  return free;
}

bool falls_strictly(const Staircase& stairs) {
  const auto& steps = stairs.steps();
  const auto breaks = [](const Staircase::Step& a, const Staircase::Step& b) {
    return b.reach <= a.reach || b.free >= a.free;
  };
  return std::adjacent_find(steps.begin(), steps.end(), breaks) == steps.end() &&
         steps.back().reach == kNever;
}

}  // namespace

TEST_SUITE("base/staircase") {
  TEST_CASE("without limits every size up to the width is covered at any length") {
    const Staircase stairs(4);
    CHECK(stairs.covers(4, 0));
    CHECK(stairs.covers(4, kNever));
    CHECK_FALSE(stairs.covers(5, 0));
    CHECK(stairs.widest() == 4);
  }

  TEST_CASE("a limit applies to requests longer than its reach") {
    Staircase stairs(4);
    stairs.limit_beyond(10, 1);
    CHECK(stairs.covers(4, 10));
    CHECK_FALSE(stairs.covers(4, 11));
    CHECK(stairs.covers(1, 11));
    CHECK(stairs.widest() == 4);
  }

  TEST_CASE("the least of several limits applies") {
    Staircase stairs(8);
    stairs.limit_beyond(10, 5);
    stairs.limit_beyond(20, 2);
    stairs.limit_beyond(15, 4);
    CHECK(stairs.covers(8, 10));
    CHECK(stairs.covers(5, 15));
    CHECK_FALSE(stairs.covers(5, 16));
    CHECK(stairs.covers(4, 20));
    CHECK_FALSE(stairs.covers(3, 21));
    CHECK(stairs.steps().size() == 4);
  }

  TEST_CASE("a looser limit further out changes nothing") {
    Staircase stairs(8);
    stairs.limit_beyond(10, 2);
    stairs.limit_beyond(20, 5);
    CHECK(stairs.steps().size() == 2);
    CHECK_FALSE(stairs.covers(3, 30));
  }

  TEST_CASE("a limit of reach zero leaves room only for requests of no length") {
    Staircase stairs(8);
    stairs.limit_beyond(0, 0);
    CHECK(stairs.covers(8, 0));
    CHECK_FALSE(stairs.covers(1, 1));
  }

  TEST_CASE("any limits give the least that holds at every length") {
    auto engine = random_stream(1, "test.staircase");
    for (int round = 0; round < 2000; ++round) {
      const auto free = static_cast<std::int64_t>(engine() % 12);
      Staircase stairs(free);
      std::vector<Limit> limits;
      for (auto left = engine() % 6; left > 0; --left) {
        limits.push_back({static_cast<Duration>(engine() % 20),
                          static_cast<std::int64_t>(engine() % 12)});
        stairs.limit_beyond(limits.back().reach, limits.back().free);
      }
      REQUIRE(falls_strictly(stairs));
      REQUIRE(stairs.widest() == free_for(free, limits, 0));
      for (Duration length = 0; length <= 21; ++length) {
        const auto most = free_for(free, limits, length);
        REQUIRE(stairs.covers(most, length));
        REQUIRE_FALSE(stairs.covers(most + 1, length));
      }
      REQUIRE(stairs.covers(free_for(free, limits, kNever), kNever));
    }
  }
}

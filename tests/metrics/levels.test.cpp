#include "engine/metrics/levels.hpp"

#include <doctest/doctest.h>

namespace berth {

namespace {

std::int64_t whole(Int128 value) { return static_cast<std::int64_t>(value); }

}  // namespace

TEST_SUITE("metrics/levels") {
  TEST_CASE("levels are multiplied by the time they last") {
    LevelIntegrals integrals{Window{}};
    integrals.advance(100, {99, 99, 99, 99, 99.0});  // sets the time
    integrals.advance(110, {8, 5, 2, 3, 4.5});
    integrals.advance(130, {6, 1, 0, 0, 1.0});
    const auto& totals = integrals.totals();
    CHECK(totals.span == 30);
    CHECK(whole(totals.capacity) == 8 * 10 + 6 * 20);
    CHECK(whole(totals.held) == 5 * 10 + 1 * 20);
    CHECK(whole(totals.queue) == 2 * 10);
    CHECK(whole(totals.lost) == 3 * 10);
    CHECK(totals.work == 4.5 * 10 + 20);
    CHECK(totals.longest_queue == 2);
  }

  TEST_CASE("a level that lasts no time is no maximum") {
    LevelIntegrals integrals{Window{}};
    integrals.advance(0, {});
    integrals.advance(0, {1, 0, 50, 0, 0});
    integrals.advance(5, {1, 0, 2, 0, 0});
    CHECK(integrals.totals().longest_queue == 2);
  }

  TEST_CASE("what lies outside the window does not count") {
    LevelIntegrals integrals{Window{50, 80, 0}};
    integrals.advance(0, {});
    integrals.advance(60, {1, 1, 9, 0, 1});
    integrals.advance(100, {1, 1, 4, 0, 1});
    CHECK(integrals.totals().span == 30);
    CHECK(whole(integrals.totals().queue) == 9 * 10 + 4 * 20);
    CHECK(integrals.inside(0, 40) == 0);
    CHECK(integrals.inside(70, 200) == 10);
  }

  TEST_CASE("large machines over long traces do not overflow") {
    LevelIntegrals integrals{Window{}};
    const Time century = seconds(100LL * 365 * 86'400);
    integrals.advance(0, {});
    integrals.advance(century, {10'000'000, 10'000'000, 0, 0, 0});
    CHECK(static_cast<double>(integrals.totals().held) ==
          doctest::Approx(1e7 * static_cast<double>(century)));
  }
}

}  // namespace berth

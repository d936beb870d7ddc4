#include "engine/reserve/moving_profile.hpp"

#include <doctest/doctest.h>

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

using Point = MovingProfile::Point;

// 10 processors from second 100 on.
MovingProfile empty() {
  MovingProfile profile;
  profile.reset(seconds(100), 10);
  return profile;
}

Point fixed(std::int64_t second) { return {seconds(second), false}; }
Point moving(std::int64_t second) { return {seconds(second), true}; }
const Point kNow = moving(100);

}  // namespace

TEST_SUITE("reserve/moving_profile") {
  TEST_CASE("an empty machine takes anybody now, for ever") {
    auto profile = empty();
    const auto start = profile.earliest(10, seconds(5));
    REQUIRE(start);
    CHECK(start->at == seconds(100));
    CHECK(start->moves);
    CHECK(profile.steady() == kNever);
    CHECK_FALSE(profile.earliest(11, seconds(5)));
  }

  TEST_CASE("who waits for an end that moves moves along") {
    auto profile = empty();
    profile.claim(6, kNow, moving(101));
    const auto start = profile.earliest(8, seconds(5));
    REQUIRE(start);
    CHECK(start->at == seconds(101));
    CHECK(start->moves);
    profile.claim(8, *start, {start->at + seconds(5), true});
    CHECK(profile.least(moving(101), moving(102)) == 2);
    CHECK(profile.least(kNow, moving(102)) == 2);
    CHECK(profile.steady() == kNever);
  }

  TEST_CASE(
      "an answer stands until an instant that moves comes up to one that does not") {
    auto profile = empty();
    profile.claim(6, kNow, moving(101));
    profile.claim(1, kNow, fixed(130));
    CHECK(profile.steady() == seconds(29));
    profile.claim(8, moving(101), moving(120));
    CHECK(profile.steady() == seconds(10));
  }

  TEST_CASE("or until one that moves is out of the way of a start that does not") {
    auto profile = empty();
    profile.claim(6, kNow, moving(101));
    profile.claim(2, kNow, fixed(150));
    profile.claim(4, moving(160), moving(170));
    // At 150 there is room for 9 until 160: too short for 12 s as long as that is so.
    const auto start = profile.earliest(9, seconds(12));
    REQUIRE(start);
    CHECK(start->at == seconds(170));
    CHECK(profile.steady() == seconds(2));
  }

  TEST_CASE("nothing stands where an instant that moves meets one that does not") {
    auto profile = empty();
    profile.claim(6, kNow, moving(101));
    CHECK(profile.may_be_steady());
    profile.claim(1, kNow, fixed(101));
    CHECK_FALSE(profile.may_be_steady());
    CHECK(profile.steady() == 0);
  }
}

#include "engine/base/time.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string_view>

#include "engine/base/random_stream.hpp"

using namespace berth;

TEST_SUITE("base/time") {
  TEST_CASE("a second has a million ticks") {
    CHECK(seconds(1) == 1'000'000);
    CHECK(seconds(-3) == -3'000'000);
    CHECK(to_seconds(1'500'000) == 1.5);
  }

  TEST_CASE("seconds are rounded to the nearest tick, halves away from zero") {
    CHECK(ticks_from_seconds(0.0) == 0);
    CHECK(ticks_from_seconds(12.0) == 12'000'000);
    CHECK(ticks_from_seconds(0.1) == 100'000);
    CHECK(ticks_from_seconds(0.0000004) == 0);
    CHECK(ticks_from_seconds(0.0000006) == 1);
    // 1/128 s = 7812.5 ticks, exact in binary
    CHECK(ticks_from_seconds(1.0 / 128) == 7813);
    CHECK(ticks_from_seconds(-1.0 / 128) == -7813);
  }

  TEST_CASE("numbers out of range have no tick") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(ticks_from_seconds(1e11) == 100'000'000'000'000'000);
    CHECK(ticks_from_seconds(-1e11) == -100'000'000'000'000'000);
    CHECK_FALSE(ticks_from_seconds(std::nextafter(1e11, infinity)));
    CHECK_FALSE(ticks_from_seconds(infinity));
    CHECK_FALSE(ticks_from_seconds(-infinity));
    CHECK_FALSE(ticks_from_seconds(std::numeric_limits<double>::quiet_NaN()));
  }

  TEST_CASE("ticks up to 2^51 are the same after conversion to seconds and back") {
    constexpr Time limit = Time{1} << 51;
    auto engine = random_stream(1, "test.time");
    CHECK(ticks_from_seconds(to_seconds(limit)) == limit);
    CHECK(ticks_from_seconds(to_seconds(limit - 1)) == limit - 1);
    for (int i = 0; i < 100'000; ++i) {
      const auto tick = static_cast<Time>(engine() % limit);
      REQUIRE(ticks_from_seconds(to_seconds(tick)) == tick);
      REQUIRE(ticks_from_seconds(to_seconds(-tick)) == -tick);
    }
  }

  TEST_CASE("a sum beyond the range of time is never") {
    CHECK(after(3, 4) == 7);
    CHECK(after(kNever, 0) == kNever);
    CHECK(after(kNever, 1) == kNever);
    CHECK(after(kNever - 5, 5) == kNever);
    CHECK(after(kNever - 5, 6) == kNever);
    CHECK(after(kNever - 5, 4) == kNever - 1);
    CHECK(after(-10, kNever) == kNever - 10);
  }

  TEST_CASE("seconds are written as the shortest exact decimal") {
    struct {
      Time ticks;
      std::string_view text;
    } const cases[] = {
        {0, "0"},
        {12'000'000, "12"},
        {500'000, "0.5"},
        {-3'000'001, "-3.000001"},
        {-500'000, "-0.5"},
        {1'230'000, "1.23"},
        {10, "0.00001"},
        {100'000'000'000'000'000, "100000000000"},
        {kNever - 1, "9223372036854.775806"},
        {std::numeric_limits<Time>::min(), "-9223372036854.775808"},
        {kNever, "never"},
    };
    for (const auto& [this_ticks, text] : cases) {
      const auto& ticks = this_ticks;  // a binding cannot be captured
      CAPTURE(ticks);
      CHECK(seconds_text(ticks) == text);
    }
  }
}

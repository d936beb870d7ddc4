#include "engine/metrics/slowdown.hpp"

#include <doctest/doctest.h>

namespace berth {

namespace {

struct Case {
  std::int64_t wait;
  std::int64_t length;
  double expected;
};

}  // namespace

TEST_SUITE("metrics/slowdown") {
  TEST_CASE("the bounded slowdown counts short lengths as tau") {
    const Case cases[] = {{0, 0, 1},     {30, 0, 3},  {30, 5, 3.5}, {30, 10, 4},
                          {30, 20, 2.5}, {0, 100, 1}, {100, 100, 2}};
    for (const auto& it : cases) {
      CAPTURE(it.wait);
      CAPTURE(it.length);
      CHECK(bounded_slowdown(seconds(it.wait + it.length), seconds(it.length), {}) ==
            it.expected);
    }
  }

  TEST_CASE("without the floor a job that took no time has bounded slowdown 0") {
    CHECK(bounded_slowdown(0, 0, {10 * kSecond, false}) == 0.0);
    CHECK(bounded_slowdown(seconds(5), seconds(5), {10 * kSecond, false}) == 0.5);
  }

  TEST_CASE("tau can be chosen") {
    CHECK(bounded_slowdown(seconds(120), 0, {60 * kSecond, true}) == 2.0);
  }

  TEST_CASE("the slowdown of a job of length 0 is undefined") {
    CHECK(slowdown(seconds(30), 0) == std::nullopt);
    CHECK(slowdown(seconds(30), seconds(20)) == 1.5);
  }

  TEST_CASE("per processor, the slowdown is divided by the size before the floor") {
    CHECK(per_processor_bounded_slowdown(seconds(150), seconds(20), 4, {}) == 1.875);
    CHECK(per_processor_bounded_slowdown(seconds(140), seconds(50), 8, {}) == 1.0);
    CHECK(per_processor_bounded_slowdown(seconds(140), seconds(50), 8,
                                         {10 * kSecond, false}) == 0.35);
  }
}

}  // namespace berth

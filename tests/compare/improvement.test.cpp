#include "engine/compare/improvement.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace berth {

TEST_SUITE("compare/improvement") {
  TEST_CASE("less is better for waits, more for utilisation") {
    CHECK(*improvement_percent(10, 6, Better::kLower) == doctest::Approx(40));
    CHECK(*improvement_percent(100, 90, Better::kLower) == doctest::Approx(10));
    CHECK(*improvement_percent(10, 15, Better::kLower) == doctest::Approx(-50));
    CHECK(*improvement_percent(0.5, 0.6, Better::kHigher) == doctest::Approx(20));
  }

  TEST_CASE("nothing is an improvement on 0, or without a direction") {
    CHECK(improvement_percent(0, 5, Better::kLower) == std::nullopt);
    CHECK(improvement_percent(5, 4, Better::kNeither) == std::nullopt);
    CHECK(degradation_percent(0, 5, Better::kHigher) == std::nullopt);
  }

  TEST_CASE("degradation is the distance from the best, in per cent of it") {
    CHECK(*degradation_percent(0.8, 0.6, Better::kHigher) == doctest::Approx(25));
    CHECK(*degradation_percent(50, 60, Better::kLower) == doctest::Approx(20));
    CHECK(*degradation_percent(50, 50, Better::kLower) == 0.0);
  }

  TEST_CASE("on average is the mean of ratios, not the ratio of means") {
    const std::vector<BeforeAfter> points{{10, 6}, {100, 90}};
    const auto range = *improvement_over(points, Better::kLower);
    CHECK(range.up_to == doctest::Approx(40));
    CHECK(range.on_average == doctest::Approx(25));
    CHECK(range.points == 2);
    CHECK(*improvement_percent(110, 96, Better::kLower) ==
          doctest::Approx(12.7).epsilon(0.01));
  }

  TEST_CASE("points without an improvement are left out") {
    const std::vector<BeforeAfter> points{{0, 6}, {100, 130}};
    const auto range = *improvement_over(points, Better::kLower);
    CHECK(range.points == 1);
    CHECK(range.up_to == doctest::Approx(-30));
    CHECK_FALSE(improvement_over(std::vector<BeforeAfter>{{0, 1}}, Better::kLower));
    CHECK_FALSE(improvement_over({}, Better::kLower));
  }
}

}  // namespace berth

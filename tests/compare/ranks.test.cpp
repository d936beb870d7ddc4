#include "engine/compare/ranks.hpp"

#include <doctest/doctest.h>

namespace berth {

TEST_SUITE("compare/ranks") {
  TEST_CASE("equal values have the mean of their ranks") {
    CHECK(ranks_of(std::vector<double>{30, 10, 20, 10}) ==
          std::vector<double>{4, 1.5, 3, 1.5});
    CHECK(ranks_of({}).empty());
  }

  TEST_CASE("the correlation is that of the textbook") {
    const std::vector<double> a{1, 2, 3, 4, 5};
    CHECK(*correlation(a, std::vector<double>{2, 4, 6, 8, 10}) == doctest::Approx(1));
    CHECK(*correlation(a, std::vector<double>{5, 4, 3, 2, 1}) == doctest::Approx(-1));
    // Deviations -2 -1 0 1 2 and -1 -2 1 0 2: 8 of sqrt(10 * 10).
    CHECK(*correlation(a, std::vector<double>{2, 1, 4, 3, 5}) == doctest::Approx(0.8));
  }

  TEST_CASE("a list that does not vary has no correlation") {
    CHECK_FALSE(correlation(std::vector<double>{1, 1}, std::vector<double>{1, 2}));
    CHECK_FALSE(correlation({}, {}));
  }
}

}  // namespace berth

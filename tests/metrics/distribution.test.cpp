#include "engine/metrics/distribution.hpp"

#include <doctest/doctest.h>

using namespace berth;  // NOLINT(google-build-using-namespace)

TEST_SUITE("metrics/distribution") {
  TEST_CASE("values beyond the whiskers are outliers") {
    const auto made = distribution_of({100, 0, 0, 5, 10, 20, 35, 35, 60});
    REQUIRE(made);
    CHECK(made->n == 9);
    CHECK(made->min == 0);
    CHECK(made->q1 == 5);
    CHECK(made->median == 20);
    CHECK(made->q3 == 35);
    CHECK(made->low_whisker == 0);
    CHECK(made->high_whisker == 60);
    CHECK(made->max == 100);
    CHECK(made->outliers == std::vector<double>{100});
  }

  TEST_CASE("quartiles lie between neighbours") {
    const auto made = distribution_of({1, 2, 3, 4, 5, 6, 7, 50});
    REQUIRE(made);
    CHECK(made->q1 == 2.75);
    CHECK(made->median == 4.5);
    CHECK(made->q3 == 6.25);
    CHECK(made->low_whisker == 1);
    CHECK(made->high_whisker == 7);
    CHECK(made->outliers == std::vector<double>{50});
  }

  TEST_CASE("one value is all of it, none is nothing") {
    const auto made = distribution_of({3});
    REQUIRE(made);
    CHECK(made->low_whisker == 3);
    CHECK(made->q3 == 3);
    CHECK(made->outliers.empty());
    CHECK(!distribution_of({}));
  }
}

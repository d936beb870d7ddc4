#include "engine/metrics/box_plot.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace berth {

TEST_SUITE("metrics/box_plot") {
  TEST_CASE("whiskers end at the outermost values within the fences") {
    const auto box = *box_plot(std::vector<double>{0, 0, 5, 10, 20, 35, 35, 60, 100});
    CHECK(box.q1 == 5);
    CHECK(box.median == 20);
    CHECK(box.q3 == 35);
    CHECK(box.low_whisker == 0);
    CHECK(box.high_whisker == 60);  // the fence is at 80
    CHECK(box.outliers == std::vector<double>{100});
  }

  TEST_CASE("quartiles may lie between values") {
    const auto box = *box_plot(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 50});
    CHECK(box.q1 == 2.75);
    CHECK(box.median == 4.5);
    CHECK(box.q3 == 6.25);
    CHECK(box.low_whisker == 1);
    CHECK(box.high_whisker == 7);
    CHECK(box.outliers == std::vector<double>{50});
  }

  TEST_CASE("outliers on both sides come in ascending order") {
    const auto box = *box_plot(std::vector<double>{-90, 10, 11, 12, 13, 14, 90, 91});
    CHECK(box.outliers == std::vector<double>{-90, 90, 91});
    CHECK(box.low_whisker == 10);
    CHECK(box.high_whisker == 14);
  }

  TEST_CASE("all five numbers of one value are equal") {
    const auto box = *box_plot(std::vector<double>{3});
    CHECK(box.low_whisker == 3);
    CHECK(box.q1 == 3);
    CHECK(box.median == 3);
    CHECK(box.q3 == 3);
    CHECK(box.high_whisker == 3);
    CHECK(box.outliers.empty());
  }

  TEST_CASE("an empty sample has no box") { CHECK_FALSE(box_plot({})); }
}

}  // namespace berth

#include "engine/compare/display.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

namespace berth {

namespace {

std::vector<Comparison::Cell> cells(std::initializer_list<double> values) {
  std::vector<Comparison::Cell> row;
  for (const double value : values) row.push_back({value, 1, false, {}});
  return row;
}

}  // namespace

TEST_SUITE("compare/display") {
  TEST_CASE("the largest number of a row sets its decimals") {
    CHECK(decimals_for(cells({1, 28475, 0})) == 0);
    CHECK(decimals_for(cells({353943.094, 1.5})) == 1);
    CHECK(decimals_for(cells({220.5, 1.5})) == 2);
    CHECK(decimals_for(cells({-1.5})) == 3);
    CHECK(decimals_for(cells({0.635294, 0.1})) == 4);
    CHECK(decimals_for(cells({0.000975})) == 7);
    CHECK(decimals_for({}) == 0);
  }

  TEST_CASE("nothing is shown as a dash") {
    CHECK(display(std::nullopt, 2) == "-");
    CHECK(display(353943.094, 1) == "353943.1");
    CHECK(display(0.000975, 7) == "0.0009750");
    CHECK(display(12.0, 0) == "12");
  }

  TEST_CASE("equal numbers of jobs are shown once") {
    auto row = cells({1, 2, 3});
    CHECK(display_n(row) == "1");
    row[1].n = 7;
    CHECK(display_n(row) == "1,7,1");
    CHECK(display_n({}).empty());
  }

  TEST_CASE("a letter beyond ASCII takes one column") {
    CHECK(width("easy") == 4);
    CHECK(width("gr\xC3\xB6\xC3\x9F"
                "er") == 6);
  }
}

}  // namespace berth

#include "engine/compare/text_table.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace berth {

TEST_SUITE("compare/text_table") {
  TEST_CASE("the largest number of a row sets its decimals") {
    CHECK(decimals_for(std::vector<double>{1, 28475, 0}) == 0);
    CHECK(decimals_for(std::vector<double>{353943.094, 1.5}) == 1);
    CHECK(decimals_for(std::vector<double>{220.5, 1.5}) == 2);
    CHECK(decimals_for(std::vector<double>{-1.5}) == 3);
    CHECK(decimals_for(std::vector<double>{0.635294, 0.1}) == 4);
    CHECK(decimals_for(std::vector<double>{0.000975}) == 7);
    CHECK(decimals_for({}) == 0);
  }

  TEST_CASE("nothing is shown as a dash") {
    CHECK(display(std::nullopt, 2) == "-");
    CHECK(display(353943.094, 1) == "353943.1");
    CHECK(display(0.000975, 7) == "0.0009750");
    CHECK(display(12.0, 0) == "12");
  }

  TEST_CASE("a letter beyond ASCII takes one column") {
    CHECK(width("easy") == 4);
    CHECK(width("gr\xC3\xB6\xC3\x9F"
                "er") == 6);
  }
}

}  // namespace berth

#include "engine/output/number_text.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace berth {

TEST_SUITE("output/number_text") {
  TEST_CASE("a ratio is as short as it can be and reads back") {
    CHECK(ratio_text(1.0) == "1");
    CHECK(ratio_text(0.1) == "0.1");
    CHECK(ratio_text(139.75 / 50.25) == "2.781094527363184");
    CHECK(std::stod(ratio_text(1.0 / 3.0)) == 1.0 / 3.0);
    CHECK(ratio_text(std::nullopt).empty());
  }

  TEST_CASE("in place a time and a ratio read as their texts do") {
    for (const Time ticks : {Time{0}, seconds(1), seconds(86'400), Time{1'500'000},
                             Time{-2'000'000}, Time{-1}, kNever}) {
      CHECK(fmt::format("{}", InSeconds{ticks}) == seconds_text(ticks));
    }
    for (const double ratio : {1.0, 0.1, 139.75 / 50.25, 1e300, -2.5}) {
      CHECK(fmt::format("{}", AsRatio{ratio}) == ratio_text(ratio));
    }
    CHECK(fmt::format("<{}>", AsRatio{}) == "<>");
  }

  TEST_CASE("JSON has null for what is no number") {
    CHECK(json_number(2.5) == "2.5");
    CHECK(json_number(std::nullopt) == "null");
    CHECK(json_number(std::numeric_limits<double>::infinity()) == "null");
    CHECK(json_seconds(1'500'000) == "1.5");
    CHECK(json_seconds(kNever) == "null");
    CHECK(json_seconds(std::nullopt) == "null");
  }
}

}  // namespace berth

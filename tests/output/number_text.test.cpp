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

#include "engine/compare/holm.hpp"

#include <doctest/doctest.h>

namespace berth {

TEST_SUITE("compare/holm") {
  TEST_CASE("the smallest p-value is multiplied by the number of tests, and so on") {
    const auto adjusted = holm(std::vector<double>{0.01, 0.04, 0.03, 0.005});
    // Sorted 0.005, 0.01, 0.03, 0.04: times 4, 3, 2, 1 gives 0.02, 0.03, 0.06, 0.04,
    // and the last may not be below the one before.
    CHECK(adjusted[3] == doctest::Approx(0.02));
    CHECK(adjusted[0] == doctest::Approx(0.03));
    CHECK(adjusted[2] == doctest::Approx(0.06));
    CHECK(adjusted[1] == doctest::Approx(0.06));
  }

  TEST_CASE("no adjusted value exceeds 1") {
    CHECK(holm(std::vector<double>{0.6, 0.7}) == std::vector<double>{1.0, 1.0});
  }

  TEST_CASE("a single test needs no correction") {
    CHECK(holm(std::vector<double>{0.04}) == std::vector<double>{0.04});
    CHECK(holm({}).empty());
  }
}

}  // namespace berth

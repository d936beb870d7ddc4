#include "engine/metrics/compensated_sum.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace berth {

TEST_SUITE("metrics/compensated_sum") {
  TEST_CASE("a term lost beside a large one is recovered") {
    CompensatedSum sum;
    double plain = 0.0;
    for (const double term : {1.0, 1e100, 1.0, -1e100}) {
      sum.add(term);
      plain += term;
    }
    CHECK(sum.value() == 2.0);
    CHECK(plain == 0.0);
  }

  TEST_CASE("ten tenths are one") {
    CompensatedSum sum;
    for (int i = 0; i < 10; ++i) sum.add(0.1);
    CHECK(sum.value() == 1.0);
  }

  TEST_CASE("the empty sum is 0") { CHECK(CompensatedSum().value() == 0.0); }
}

}  // namespace berth

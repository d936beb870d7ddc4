#include "engine/compare/confidence.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

namespace berth {

TEST_SUITE("compare/confidence") {
  TEST_CASE("quantiles of t are those of the tables") {
    struct Case {
      double degrees;
      double expected;
    };
    for (const auto& it : {Case{1, 12.7062}, Case{4, 2.7764}, Case{9, 2.2622},
                           Case{19, 2.0930}, Case{29, 2.0452}}) {
      CAPTURE(it.degrees);
      CHECK(std::abs(t_quantile(it.degrees, 0.975) - it.expected) <= 0.00005);
    }
    CHECK(t_quantile(4, 0.95) == doctest::Approx(2.131847).epsilon(1e-6));
    CHECK(t_quantile(7, 0.5) == doctest::Approx(0.0));
  }

  TEST_CASE("an interval widens with the spread and the confidence") {
    const std::vector<double> means{13, 16, 16, 15.25, 15.75};
    const auto estimate = *t_interval(means, 0.9);
    CHECK(estimate.mean == doctest::Approx(15.2));
    CHECK(estimate.variance == doctest::Approx(1.60625));
    CHECK(estimate.half_width == doctest::Approx(1.208308).epsilon(1e-6));
    CHECK(estimate.n == 5);
    CHECK(t_interval(means, 0.95)->half_width ==
          doctest::Approx(1.573659).epsilon(1e-6));
  }

  TEST_CASE("one value has no interval") {
    CHECK_FALSE(t_interval(std::vector<double>{3}, 0.95));
    CHECK_FALSE(t_interval({}, 0.95));
  }

  TEST_CASE("equal results over seeds are one run, not a narrow interval") {
    CHECK_FALSE(replication_interval(std::vector<double>{7, 7, 7}, 0.95));
    CHECK_FALSE(replication_interval(std::vector<double>{7}, 0.95));
    const auto two = *replication_interval(std::vector<double>{7, 9}, 0.95);
    CHECK(two.mean == 8.0);
    CHECK(two.half_width == doctest::Approx(12.7062).epsilon(1e-5));  // sqrt(2/2) = 1
  }
}

}  // namespace berth

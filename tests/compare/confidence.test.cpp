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

  TEST_CASE("values that are not paired are compared as Welch does") {
    // Means 20.82 and 23 (variances 7.5 and 4 with 4 and 6 values): by hand, error
    // sqrt(7.5 / 4 + 4 / 6), degrees error^4 / ((7.5 / 4)^2 / 3 + (4 / 6)^2 / 5).
    const std::vector<double> a{17, 20, 21, 25.28};
    const std::vector<double> b{21, 22, 22, 23, 24, 26};
    const auto of_a = *t_interval(a, 0.9);
    const auto of_b = *t_interval(b, 0.9);
    const auto both = *welch(a, b, 0.9);
    const double x = of_a.variance / 4;
    const double y = of_b.variance / 6;
    CHECK(both.mean == doctest::Approx(-2.18));
    CHECK(both.n == 10);
    CHECK(both.degrees == doctest::Approx((x + y) * (x + y) / (x * x / 3 + y * y / 5)));
    CHECK(both.half_width ==
          doctest::Approx(t_quantile(both.degrees, 0.95) * std::sqrt(x + y)));
    CHECK(both.p > 0.2);
    CHECK(both.p < 0.35);
  }

  TEST_CASE("equal variances and lengths give the degrees of the pooled test") {
    const auto both =
        *welch(std::vector<double>{1, 2, 3}, std::vector<double>{5, 6, 7}, 0.95);
    CHECK(both.degrees == doctest::Approx(4));
    CHECK(both.mean == -4);
    // t = 4 / sqrt(2 / 3) = 4.899: p = 0.00805.
    CHECK(both.p == doctest::Approx(0.00805).epsilon(1e-3));
    CHECK(both.half_width == doctest::Approx(2.776445 * std::sqrt(2.0 / 3)));
  }

  TEST_CASE("without spread the difference is certain, with one value there is none") {
    const std::vector<double> same{3, 3};
    CHECK(welch(same, same, 0.9)->p == 1.0);
    CHECK(welch(same, std::vector<double>{4, 4}, 0.9)->p == 0.0);
    CHECK_FALSE(welch(same, std::vector<double>{4}, 0.9));
  }

  TEST_CASE("p is that of the t test of the differences") {
    // Differences 1, 2, 3: mean 2, variance 1, t_2(0.975) = 4.302653.
    const auto result = *t_interval(std::vector<double>{1, 2, 3}, 0.95);
    CHECK(result.half_width ==
          doctest::Approx(4.302653 / std::sqrt(3.0)).epsilon(1e-6));
    // t = 2 sqrt(3); for two degrees p = 1 - t / sqrt(t^2 + 2).
    CHECK(two_sided_p(result) == doctest::Approx(1 - std::sqrt(12.0 / 14.0)));
  }

  TEST_CASE("no difference at all is no evidence, a constant one is full evidence") {
    CHECK(two_sided_p(*t_interval(std::vector<double>{0, 0}, 0.95)) == 1.0);
    CHECK(two_sided_p(*t_interval(std::vector<double>{1, 1}, 0.95)) == 0.0);
  }

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

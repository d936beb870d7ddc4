#include "engine/metrics/quantile.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace berth {

TEST_SUITE("metrics/quantile") {
  TEST_CASE("a quantile lies linearly between its neighbours") {
    const std::vector<double> sample{1, 2, 3, 4, 5, 6, 7, 50};
    CHECK(*quantile(sample, 0.25) == doctest::Approx(2.75));
    CHECK(*quantile(sample, 0.5) == doctest::Approx(4.5));
    CHECK(*quantile(sample, 0.75) == doctest::Approx(6.25));
  }

  TEST_CASE("quantiles at a place of the sample are its values") {
    const std::vector<double> sample{0, 0, 5, 10, 20, 35, 35, 60, 100};
    CHECK(*quantile(sample, 0.0) == 0);
    CHECK(*quantile(sample, 0.25) == 5);
    CHECK(*quantile(sample, 0.5) == 20);
    CHECK(*quantile(sample, 0.75) == 35);
    CHECK(*quantile(sample, 1.0) == 100);
  }

  TEST_CASE("every quantile of one value is that value") {
    const std::array sample{7.0};
    for (const double q : {0.0, 0.3, 0.95, 1.0}) CHECK(*quantile(sample, q) == 7.0);
  }

  TEST_CASE("an empty sample has no quantile") {
    CHECK(quantile({}, 0.5) == std::nullopt);
  }
}

}  // namespace berth

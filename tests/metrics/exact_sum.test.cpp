#include "engine/metrics/exact_sum.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/rounds.hpp"

namespace berth {

namespace {

double sum_of(std::initializer_list<double> terms) {
  return exact_sum(std::vector<double>(terms));
}

}  // namespace

TEST_SUITE("metrics/exact_sum") {
  TEST_CASE("no term is lost beside a larger one") {
    CHECK(sum_of({1.0, 1e100, 1.0, -1e100}) == 2.0);
    CHECK(sum_of({1e300, 1e-300, -1e300}) == 1e-300);
    CHECK(sum_of({-3.5, 1e16, 0.25, -1e16}) == -3.25);
  }

  TEST_CASE("the smallest and the largest doubles are summed") {
    using Limits = std::numeric_limits<double>;
    CHECK(sum_of({Limits::denorm_min(), Limits::denorm_min()}) ==
          2 * Limits::denorm_min());
    CHECK(sum_of({Limits::max(), -Limits::max(), Limits::min()}) == Limits::min());
    CHECK(sum_of({Limits::max(), Limits::max()}) == Limits::infinity());
    CHECK(sum_of({1.0, -Limits::infinity()}) == -Limits::infinity());
    CHECK(std::isnan(sum_of({Limits::infinity(), -Limits::infinity()})));
  }

  TEST_CASE("the empty sum is 0") { CHECK(ExactSum().value() == 0.0); }

  TEST_CASE("sums are those of whole numbers, in any order of the terms") {
    std::mt19937_64 draw(3);
    for (std::uint64_t round = 0; round < test::rounds(200); ++round) {
      std::vector<double> terms;
      Int128 whole = 0;  // multiples of 2^-40
      for (int i = 0; i < 100; ++i) {
        const auto bits = static_cast<int>(draw() % 53);
        const auto term = static_cast<std::int64_t>(draw() >> 11U) >> bits;
        const auto signed_term = draw() % 3 == 0 ? -term : term;
        const auto up = static_cast<int>(draw() % 50);
        whole += Int128{signed_term} * (Int128{1} << up);
        terms.push_back(std::ldexp(static_cast<double>(signed_term), up - 40));
      }
      const double sum = exact_sum(terms);
      CHECK(sum == std::ldexp(static_cast<double>(whole), -40));
      std::shuffle(terms.begin(), terms.end(), draw);
      CHECK(exact_sum(terms) == sum);
    }
  }
}

}  // namespace berth

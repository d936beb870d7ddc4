#include "engine/compare/paired.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

namespace berth {

namespace {

std::vector<JobValue> values(std::initializer_list<JobValue> list) { return list; }

}  // namespace

TEST_SUITE("compare/paired") {
  TEST_CASE("only jobs finished under both policies are compared") {
    const auto base = values({{JobId{1}, 10}, {JobId{2}, 20}, {JobId{4}, 40}});
    const auto other =
        values({{JobId{0}, 5}, {JobId{1}, 12}, {JobId{4}, 30}, {JobId{9}, 1}});
    const auto result = paired(base, other);
    CHECK(result.n == 2);
    CHECK(*result.base_mean == 25.0);
    CHECK(*result.other_mean == 21.0);
    CHECK(result.lower == 1);
    CHECK(result.higher == 1);
    CHECK(result.difference->mean == -4.0);
  }

  TEST_CASE("the interval is that of the differences") {
    // Differences 1, 2, 3: mean 2, variance 1, t_2(0.975) = 4.302653.
    const auto result =
        paired(std::vector<double>{10, 10, 10}, std::vector<double>{11, 12, 13}, 0.95);
    CHECK(result.difference->half_width ==
          doctest::Approx(4.302653 / std::sqrt(3.0)).epsilon(1e-6));
    // t = 2 sqrt(3); for two degrees p = 1 - t / sqrt(t^2 + 2).
    CHECK(*result.p_value == doctest::Approx(1 - std::sqrt(12.0 / 14.0)));
  }

  TEST_CASE("no difference at all is no evidence, a constant one is full evidence") {
    CHECK(*paired(std::vector<double>{1, 2}, std::vector<double>{1, 2}).p_value == 1.0);
    CHECK(*paired(std::vector<double>{1, 2}, std::vector<double>{2, 3}).p_value == 0.0);
  }

  TEST_CASE("without common jobs there is nothing to say") {
    const auto result = paired(values({{JobId{1}, 1}}), values({{JobId{2}, 1}}));
    CHECK(result.n == 0);
    CHECK(result.base_mean == std::nullopt);
    CHECK_FALSE(result.difference);
    CHECK(result.p_value == std::nullopt);
  }

  TEST_CASE("with several policies each is tested against the first, and corrected") {
    const auto base = values({{JobId{0}, 10}, {JobId{1}, 10}, {JobId{2}, 10}});
    const auto near = values({{JobId{0}, 11}, {JobId{1}, 9}, {JobId{2}, 11}});
    const auto far = values({{JobId{0}, 21}, {JobId{1}, 20}, {JobId{2}, 22}});
    const std::vector<std::vector<JobValue>> runs{base, near, far};
    const auto results = against_first(runs);
    REQUIRE(results.size() == 2);
    CHECK(*results[0].p_value == doctest::Approx(*paired(base, near).p_value));
    CHECK(*results[1].p_value == doctest::Approx(2 * *paired(base, far).p_value));
    CHECK(against_first({}).empty());
  }
}

}  // namespace berth

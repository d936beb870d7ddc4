#include "engine/compare/claim.hpp"

#include <doctest/doctest.h>

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

// Two loads, three seeds.  Means by seed: 19, 20, 21.
const std::vector<ClaimPoint>& points() {
  static const std::vector<ClaimPoint> kPoints{{"load=0.5", {9, 10, 11}},
                                               {"load=0.9", {29, 30, 31}}};
  return kPoints;
}

ClaimRule rule(Over over, Bounds reproduced = {}, Bounds direction = {0, 1000}) {
  ClaimRule made;
  made.over = over;
  made.reproduced = reproduced;
  made.direction = direction;
  return made;
}

}  // namespace

TEST_SUITE("compare/claim") {
  TEST_CASE("the mean over the points has a t interval over the seeds") {
    const auto result = judge(rule(Over::kMean, {15, 25}), points());
    CHECK(result.value == doctest::Approx(20));
    // t(2, 0.95) = 2.919986; deviation 1; over the root of 3: 1.685854.
    CHECK(result.half_width.value() == doctest::Approx(1.685854).epsilon(1e-6));
    CHECK(result.points == 2);
    CHECK(result.seeds == 3);
    CHECK(result.verdict == ClaimVerdict::kReproduced);
  }

  TEST_CASE("the largest and the smallest are those of a point, which is named") {
    const auto largest = judge(rule(Over::kLargest), points());
    CHECK(largest.value == doctest::Approx(30));
    CHECK(largest.point == "load=0.9");
    const auto smallest = judge(rule(Over::kSmallest), points());
    CHECK(smallest.value == doctest::Approx(10));
    CHECK(smallest.point == "load=0.5");
  }

  TEST_CASE("judged at each point, it names the points at which it fails") {
    CHECK(judge(rule(Over::kEach), points()).verdict == ClaimVerdict::kReproduced);
    // 10 - 1.69 is below 9.
    const auto result = judge(rule(Over::kEach, {}, {9, 1000}), points());
    CHECK(result.verdict == ClaimVerdict::kNotReproduced);
    REQUIRE(result.each.size() == 2);
    CHECK_FALSE(result.each[0].holds);
    CHECK(result.each[1].holds);
    CHECK(result.value == doctest::Approx(20));
  }

  TEST_CASE("judged at each point, it is opposite only where it is so at all of them") {
    const auto verdict = [](std::vector<double> low, std::vector<double> high) {
      const std::vector<ClaimPoint> loads{{"0.5", std::move(low)},
                                          {"0.9", std::move(high)}};
      return judge(rule(Over::kEach), loads).verdict;
    };
    CHECK(verdict({-9, -10, -11}, {-29, -30, -31}) == ClaimVerdict::kOpposite);
    CHECK(verdict({-9, -10, -11}, {29, 30, 31}) == ClaimVerdict::kNotReproduced);
    CHECK(verdict({-9, -10, -11}, {-30, 30, 31}) == ClaimVerdict::kNotReproduced);
  }

  TEST_CASE("growth is the last point of each series less its first") {
    const std::vector<ClaimPoint> series{{"a 0.5", {1, 2}, "a"},
                                         {"a 0.7", {9, 9}, "a"},
                                         {"a 0.9", {5, 8}, "a"},
                                         {"b 0.5", {2, 2}, "b"},
                                         {"b 0.9", {4, 6}, "b"}};
    const auto result = judge(rule(Over::kGrowth, {3, 5}, {-1000, 1000}), series);
    CHECK(result.value == doctest::Approx((3 + 5) / 2.0));  // (4+2)/2 and (6+4)/2
    CHECK(result.verdict == ClaimVerdict::kNotReproduced);  // 4 +- 6.3 holds 0
  }

  TEST_CASE("a series of one point has no growth, and is not judged") {
    const std::vector<ClaimPoint> alone{
        {"a 0.5", {1, 2}, "a"}, {"b 0.5", {2, 2}, "b"}, {"b 0.9", {4, 6}, "b"}};
    const auto result = judge(rule(Over::kGrowth), alone);
    CHECK(result.verdict == ClaimVerdict::kNotJudged);
    CHECK_FALSE(result.value.has_value());
  }

  TEST_CASE("sweeps are compared by the means of the last and the first") {
    std::vector<ClaimPoint> points{{"pure 0.5", {10, 12}, "pure"},
                                   {"pure 0.9", {20, 22}, "pure"},
                                   {"between", {99, 99}, "between"},
                                   {"mixed 0.5", {19, 21}, "mixed"},
                                   {"mixed 0.9", {21, 23}, "mixed"}};
    for (std::size_t i = 2; i < points.size(); ++i) points[i].sweep = i == 2 ? 1 : 2;
    auto result = judge(rule(Over::kSweeps, {4, 6}), points);
    CHECK(result.value == doctest::Approx(5));  // 20 - 15 and 22 - 17
    CHECK(result.verdict == ClaimVerdict::kReproduced);
    points.resize(2);
    result = judge(rule(Over::kSweeps, {4, 6}), points);
    CHECK(result.verdict == ClaimVerdict::kNotJudged);
  }

  TEST_CASE("wins are the share of points with the claimed sign") {
    const std::vector<ClaimPoint> mixed{
        {"a", {1, 1}}, {"b", {-1, 2}}, {"c", {3, 3}}, {"d", {0, -5}}};
    auto result = judge(rule(Over::kWins, {50, 100}), mixed);
    CHECK(result.value == doctest::Approx(62.5));  // 50 and 75
    CHECK(result.verdict == ClaimVerdict::kReproduced);
    result = judge(rule(Over::kWins, {50, 100}, {-1000, 0}), mixed);
    CHECK(result.value == doctest::Approx(25));
    CHECK(result.verdict == ClaimVerdict::kNotReproduced);
  }

  TEST_CASE("a difference that may be 0 is not reproduced; a value may") {
    const std::vector<ClaimPoint> around{{"a", {-1, 1, 3}}};
    CHECK(judge(rule(Over::kMean, {-9, 9}, {-9, 9}), around).verdict ==
          ClaimVerdict::kNotReproduced);
    auto value = rule(Over::kMean, {-9, 9}, {-9, 9});
    value.as = As::kValue;
    CHECK(judge(value, around).verdict == ClaimVerdict::kReproduced);
  }

  TEST_CASE("outside the paper's bounds the sign alone is right") {
    CHECK(judge(rule(Over::kMean, {40, 50}), points()).verdict ==
          ClaimVerdict::kRightSign);
  }

  TEST_CASE("an interval that leaves the claimed side reproduces nothing") {
    // 20 - 1.69 is below 19.
    CHECK(judge(rule(Over::kMean, {15, 25}, {19, 1000}), points()).verdict ==
          ClaimVerdict::kNotReproduced);
  }

  TEST_CASE("an interval on the other side of 0 is the opposite") {
    CHECK(judge(rule(Over::kMean, {}, {-1000, 0}), points()).verdict ==
          ClaimVerdict::kOpposite);
    const std::vector<ClaimPoint> worse{{"load=0.5", {-9, -10, -11}}};
    CHECK(judge(rule(Over::kMean), worse).verdict == ClaimVerdict::kOpposite);
    // -3 to 1 or so: not shown, and not the opposite.
    const std::vector<ClaimPoint> around{{"load=0.5", {-2, -1, 0}}};
    CHECK(judge(rule(Over::kMean), around).verdict == ClaimVerdict::kNotReproduced);
  }

  TEST_CASE("an interval across 0 reproduces nothing, whatever the bounds say") {
    const std::vector<ClaimPoint> wide{{"load=0.5", {-10, 10, 30}}};
    CHECK(judge(rule(Over::kMean, {0, 100}, {-1000, 1000}), wide).verdict ==
          ClaimVerdict::kNotReproduced);
  }

  TEST_CASE("points may count as much as what their values are computed from") {
    const std::vector<ClaimPoint> some{{"a", {1, 1}, {}, {}, false, {1, 1}},
                                       {"b", {4, 4}, {}, {}, false, {2, 0}}};
    CHECK(judge(rule(Over::kWeighted), some).value == 2);  // of 3 and 1
    CHECK(judge(rule(Over::kMean), some).value == 2.5);
  }

  TEST_CASE("points at which the queue is full are counted") {
    const std::vector<ClaimPoint> some{{"a", {1, 2}, "", "", true}, {"b", {1, 2}}};
    CHECK(judge(rule(Over::kMean), some).full_points == 1);
  }

  TEST_CASE("a stand-in workload neither reproduces a claim nor refutes it") {
    const auto verdict = [](Over over, Bounds reproduced, Bounds direction) {
      auto made = rule(over, reproduced, direction);
      made.on_stand_in = true;
      return judge(made, points()).verdict;
    };
    CHECK(verdict(Over::kMean, {15, 25}, {0, 1000}) ==
          ClaimVerdict::kRightSizeOnStandIn);
    CHECK(verdict(Over::kMean, {40, 50}, {0, 1000}) == ClaimVerdict::kRightSign);
    CHECK(verdict(Over::kMean, {}, {-1000, 0}) == ClaimVerdict::kNotShownOnStandIn);
    CHECK(verdict(Over::kEach, {}, {9, 1000}) == ClaimVerdict::kNotShownOnStandIn);
    CHECK(verdict(Over::kWins, {0, 50}, {0, 1000}) == ClaimVerdict::kNotShownOnStandIn);
  }

  TEST_CASE("one seed has no interval, no points have no verdict") {
    const std::vector<ClaimPoint> one{{"load=0.5", {12}}};
    const auto result = judge(rule(Over::kMean), one);
    CHECK(result.value == 12);
    CHECK_FALSE(result.half_width);
    CHECK(judge(rule(Over::kMean), {}).verdict == ClaimVerdict::kNotJudged);
    const std::vector<ClaimPoint> ragged{{"a", {1, 2}}, {"b", {1}}};
    CHECK(judge(rule(Over::kMean), ragged).verdict == ClaimVerdict::kNotJudged);
  }
}

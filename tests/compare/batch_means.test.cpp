#include "engine/compare/batch_means.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace berth {

namespace {

const std::vector<double> kTwenty{12, 15, 11, 14, 13, 18, 16, 17, 15, 19,
                                  14, 16, 13, 15, 17, 16, 18, 14, 15, 16};

}  // namespace

TEST_SUITE("compare/batch_means") {
  TEST_CASE("twenty values make five batches with the interval of their means") {
    const auto batches = *batch_means(kTwenty, {5, 0.9, FirstBatch::kKeep});
    CHECK(batches.means == std::vector<double>{13, 16, 16, 15.25, 15.75});
    CHECK(batches.estimate.mean == doctest::Approx(15.2));
    CHECK(batches.estimate.variance == doctest::Approx(1.60625));
    CHECK(batches.estimate.half_width == doctest::Approx(1.208308).epsilon(1e-6));
    CHECK(batch_means(kTwenty, {5, 0.95, FirstBatch::kKeep})->estimate.half_width ==
          doctest::Approx(1.573659).epsilon(1e-6));
  }

  TEST_CASE("the first batch is dropped, and what is left over at the end") {
    // 20 values, 4 + 1 batches of 4; with 22 the last two fill no batch.
    CHECK(batch_means(kTwenty, {4, 0.9, FirstBatch::kDrop})->means ==
          std::vector<double>{16, 16, 15.25, 15.75});
    auto more = kTwenty;
    more.insert(more.end(), {1000, 1000});
    CHECK(batch_means(more, {4, 0.9, FirstBatch::kDrop})->means ==
          std::vector<double>{16, 16, 15.25, 15.75});
  }

  TEST_CASE("a half-width beyond 5 % of the mean is too wide") {
    CHECK(batch_means(kTwenty, {5, 0.9, FirstBatch::kKeep})->too_wide());
    std::vector<double> steady;
    for (int i = 0; i < 40; ++i) steady.push_back(100 + i % 3);
    CHECK_FALSE(batch_means(steady, {5, 0.9, FirstBatch::kKeep})->too_wide());
  }

  TEST_CASE("means that rise steadily are too correlated") {
    std::vector<double> rising;
    for (int i = 0; i < 20; ++i) rising.push_back(i);
    const auto batches = *batch_means(rising, {20, 0.9, FirstBatch::kKeep});
    // Sum of products over sum of squares for 0..19 about 9.5: 565.25 / 665.
    CHECK(batches.lag_1_correlation == doctest::Approx(565.25 / 665));
    CHECK(batches.too_correlated());
  }

  TEST_CASE("means that alternate are correlated the other way") {
    std::vector<double> swinging;
    for (int i = 0; i < 20; ++i) swinging.push_back(i % 2);
    const auto batches = *batch_means(swinging, {20, 0.9, FirstBatch::kKeep});
    CHECK(batches.lag_1_correlation == doctest::Approx(-0.95));
    CHECK_FALSE(batches.too_correlated());
  }

  TEST_CASE("equal means are not correlated") {
    const std::vector<double> flat(40, 3.0);
    CHECK(batch_means(flat)->lag_1_correlation == 0.0);
    CHECK_FALSE(batch_means(flat)->too_wide());
  }

  TEST_CASE("fewer values than batches have no batch means") {
    CHECK_FALSE(batch_means(kTwenty, {20, 0.9, FirstBatch::kDrop}));
    CHECK(batch_means(kTwenty, {20, 0.9, FirstBatch::kKeep}));
    CHECK_FALSE(batch_means({}));
  }
}

}  // namespace berth

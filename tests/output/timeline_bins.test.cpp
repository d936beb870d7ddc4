#include <doctest/doctest.h>

#include <algorithm>

#include "engine/base/random_stream.hpp"
#include "engine/output/timeline_csv.hpp"

namespace berth {

TEST_SUITE("output/timeline_bins") {
  TEST_CASE("merging bins keeps integrals and maxima") {
    auto engine = random_stream(3, "test");
    TimelineBins bins;
    Time now = seconds(100);
    Int128 expected = 0;
    std::int64_t highest = 0;
    bins.advance(now, {});
    for (int i = 0; i < 3000; ++i) {
      const auto span = static_cast<Duration>(uniform(engine) * 2e8) + 1;
      const auto level = static_cast<std::int64_t>(uniform(engine) * 1000);
      now += span;
      expected += Int128{level} * span;
      highest = std::max(highest, level);
      bins.advance(now, {level, 0, 0});
      REQUIRE(bins.bins().size() <= TimelineBins::kMostBins);
    }
    Int128 integral = 0;
    std::int64_t maximum = 0;
    for (const auto& bin : bins.bins()) {
      integral += bin.integral[0];
      maximum = std::max(maximum, bin.maximum[0]);
    }
    CHECK((integral == expected));
    CHECK(maximum == highest);
    CHECK(bins.bins().size() > TimelineBins::kMostBins / 2);
    CHECK(bins.from(0) == seconds(100));
    CHECK(bins.to(bins.bins().size() - 1) == now);
  }

  TEST_CASE("how a span was cut up does not matter") {
    TimelineBins once;
    TimelineBins often;
    once.advance(0, {});
    often.advance(0, {});
    const Time end = seconds(10'000);
    once.advance(end, {7, 1, 2});
    for (Time at = 0; at < end; at += 1'234'567) often.advance(at, {7, 1, 2});
    often.advance(end, {7, 1, 2});
    REQUIRE(once.bins().size() == often.bins().size());
    CHECK(once.bins().size() == 2500);  // bins of 4 s
    for (std::size_t i = 0; i < once.bins().size(); ++i) {
      REQUIRE((once.bins()[i].integral == often.bins()[i].integral));
      REQUIRE(once.bins()[i].maximum == often.bins()[i].maximum);
    }
  }

  TEST_CASE("exactly 4,096 seconds still fit bins of one second") {
    TimelineBins bins;
    bins.advance(0, {});
    bins.advance(seconds(4096), {1, 1, 1});
    CHECK(bins.bins().size() == 4096);
    bins.advance(seconds(4096) + 1, {1, 1, 1});
    CHECK(bins.bins().size() == 2049);
  }
}

}  // namespace berth

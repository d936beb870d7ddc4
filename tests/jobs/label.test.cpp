#include "engine/jobs/label.hpp"

#include <doctest/doctest.h>

#include <map>

#include "engine/base/random_stream.hpp"

using namespace berth;

TEST_SUITE("jobs/label") {
  TEST_CASE("labels get places in the order in which they come, each one") {
    LabelPlaces places;
    CHECK(places.find(7) == LabelPlaces::kNone);
    CHECK(places.add(7) == 0);
    CHECK(places.add(-1) == 1);
    CHECK(places.add(65534) == 2);
    CHECK(places.add(65535) == 3);
    CHECK(places.add(kFirstLabelCode) == 4);
    CHECK(places.add(7) == 0);
    CHECK(places.size() == 5);
    CHECK(places.find(-1) == 1);
    CHECK(places.find(65534) == 2);
    CHECK(places.find(65535) == 3);
    CHECK(places.find(kFirstLabelCode) == 4);
    CHECK(places.find(6) == LabelPlaces::kNone);
    CHECK(places.find(65536) == LabelPlaces::kNone);
  }

  TEST_CASE("places of 10,000 drawn labels are those that a map gives") {
    auto engine = random_stream(1, "labels");
    LabelPlaces places;
    std::map<std::int32_t, std::uint32_t> known;
    for (int i = 0; i < 10000; ++i) {
      const auto bits = 1 + engine() % 31;
      const auto code =
          static_cast<std::int32_t>(engine() % (std::uint64_t{1} << bits)) - 1;
      const auto next = static_cast<std::uint32_t>(known.size());
      const auto at = known.find(code);
      REQUIRE(places.find(code) ==
              (at == known.end() ? LabelPlaces::kNone : at->second));
      REQUIRE(places.add(code) == known.try_emplace(code, next).first->second);
    }
    CHECK(places.size() == known.size());
  }
}

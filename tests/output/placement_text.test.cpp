#include "engine/output/placement_text.hpp"

#include <doctest/doctest.h>

namespace berth {

TEST_SUITE("output/placement_text") {
  TEST_CASE("processors are written as intervals from 0") {
    IntervalSet set(0, 3);
    set.insert(Interval{8, 8});
    const Placement placement = set;
    CHECK(placement_text(&placement) == "0-3 8");
    CHECK(placement_text(nullptr).empty());
  }
}

}  // namespace berth

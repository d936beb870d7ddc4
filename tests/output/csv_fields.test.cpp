#include "engine/output/csv_fields.hpp"

#include <doctest/doctest.h>

namespace berth {

TEST_SUITE("output/csv_fields") {
  TEST_CASE("processors are written as intervals from 0") {
    IntervalSet set(0, 3);
    set.insert(Interval{8, 8});
    const Placement placement = set;
    CHECK(placement_text(&placement) == "0-3 8");
    CHECK(placement_text(nullptr).empty());
  }
}

}  // namespace berth

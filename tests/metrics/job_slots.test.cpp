#include "engine/metrics/job_slots.hpp"

#include <doctest/doctest.h>

namespace berth {

TEST_SUITE("metrics/job_slots") {
  TEST_CASE("a slot is fresh each time, even where another job had it") {
    JobSlots<int> slots;
    slots.open(JobId{7}) = 3;
    slots.open(JobId{2}) = 4;
    CHECK(slots[JobId{7}] == 3);
    slots.close(JobId{7});
    CHECK_FALSE(slots.has(JobId{7}));
    CHECK(slots.open(JobId{9}) == 0);
    CHECK(slots[JobId{2}] == 4);
  }

  TEST_CASE("a job that was not opened has no slot") {
    JobSlots<int> slots;
    CHECK_FALSE(slots.has(JobId{0}));
    CHECK_THROWS_AS((void)slots[JobId{0}], Error);
    CHECK_THROWS_AS(slots.close(JobId{0}), Error);
    slots.open(JobId{0});
    CHECK_THROWS_AS(slots.open(JobId{0}), Error);
  }
}

}  // namespace berth

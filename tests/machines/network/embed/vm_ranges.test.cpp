#include "engine/machines/network/embed/vm_ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "engine/base/random_stream.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

using Numbers = std::set<std::int64_t>;

Numbers numbers_of(const VmRanges& ranges, std::int64_t most) {
  Numbers numbers;
  for (std::int64_t vms = 0; vms <= most; ++vms) {
    if (ranges.has(vms)) numbers.insert(vms);
  }
  return numbers;
}

Numbers passing(const Numbers& numbers, std::int64_t carried, std::int64_t all) {
  Numbers passed;
  for (const auto vms : numbers) {
    if (std::min(vms, all - vms) <= carried) passed.insert(vms);
  }
  return passed;
}

Numbers sums_of(const Numbers& a, const Numbers& b, std::int64_t most) {
  Numbers sums;
  for (const auto one : a) {
    for (const auto other : b) sums.insert(std::min(most + 1, one + other));
  }
  sums.erase(most + 1);
  return sums;
}

}  // namespace

TEST_SUITE("machines/network/embed/vm_ranges") {
  TEST_CASE("a link that carries 3 VMs keeps out 4 to 6 of 10") {
    Budget budget;
    auto ranges = VmRanges(10).passing(3, 10);
    CHECK(numbers_of(ranges, 10) == Numbers{0, 1, 2, 3, 7, 8, 9, 10});
    CHECK(ranges.without_gap() == 3);
    CHECK(ranges.most() == 10);
    ranges.add(VmRanges(1), 10, budget);
    CHECK(numbers_of(ranges, 10) == Numbers{0, 1, 2, 3, 4, 7, 8, 9, 10});
    CHECK(VmRanges(5).passing(0, 10).most() == 0);
  }

  TEST_CASE("it has the numbers that a plain set has") {
    auto engine = random_stream(7, "test.vm_ranges");
    const auto draw = [&](std::int64_t below) {
      return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(below));
    };
    Budget budget;
    for (int round = 0; round < 500; ++round) {
      CAPTURE(round);
      const auto all = 1 + draw(150);
      VmRanges ranges(0);
      Numbers plain{0};
      for (auto children = 1 + draw(8); children > 0; --children) {
        const auto idle = draw(2) == 0 ? draw(all + 1) : draw(1 + all / 8);
        const auto carried = draw(all + 1);
        auto child = VmRanges(idle);
        if (draw(2) == 0) child.add(VmRanges(idle).passing(draw(3), all), all, budget);
        const auto passed = child.passing(carried, all);
        const auto of_child = passing(numbers_of(child, all), carried, all);
        REQUIRE(numbers_of(passed, all) == of_child);
        ranges.add(passed, all, budget);
        plain = sums_of(plain, of_child, all);
        REQUIRE(numbers_of(ranges, all) == plain);
        REQUIRE(ranges.most() == *plain.rbegin());
      }
    }
  }
}

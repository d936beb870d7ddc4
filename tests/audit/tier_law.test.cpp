#include "engine/audit/laws/tier_law.hpp"

#include <doctest/doctest.h>

#include "tests/support/builders.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

const std::vector<Job>& jobs() {
  static const std::vector kJobs{a_job(1, 0, 1, 9), a_job(2, 0, 2, 9),
                                 a_job(3, 0, 1, 9)};
  return kJobs;
}

sim::Machine machine() {
  return a_two_tier_machine(3, {{1, {.use = {0.97}, .loss = 0.02}},
                                {2, {.use = {0.5, 0.4}, .efficiency = 0.5}},
                                {3, {.use = {0.6}, .loss = 0.01}}});
}

Placement front(std::vector<std::int32_t> numbers) {
  return Placement(TierSeat{Tier::kForeground, std::move(numbers)});
}
Placement back(std::vector<std::int32_t> numbers) {
  return Placement(TierSeat{Tier::kBackground, std::move(numbers)});
}

constexpr JobId kFull{0};
constexpr JobId kWide{1};
constexpr JobId kOther{2};

}  // namespace

TEST_SUITE("audit/tier_law") {
  TEST_CASE("one job in each tier of a processor, one process on each processor") {
    TierLaw law(machine(), jobs());
    CHECK_FALSE(law.seat(kOther, front({1})));
    CHECK(law.seat(kFull, front({1})) ==
          "it was given a slot in which another job sits");
    CHECK(law.seat(kWide, back({1, 1})) == "two of its processes sit on one processor");
    CHECK(law.seat(kWide, back({1})) ==
          "it does not hold as many processors as it asked for");
    CHECK(law.seat(kWide, back({1, 3})) ==
          "it sits on a processor that does not exist");
    CHECK(law.seat(kWide, Placement(IntervalSet(0, 1))) == "it sits in no tier");
    CHECK(law.used() == 1);
    CHECK_FALSE(law.seat(kWide, back({0, 1})));
    CHECK(law.used() == 2);
    law.unseat(kOther);
    CHECK(law.used() == 2);
    law.unseat(kWide);
    CHECK(law.used() == 0);
  }

  TEST_CASE("nobody starts below a process that declares the threshold") {
    TierLaw law(machine(), jobs());
    CHECK_FALSE(law.seat(kFull, front({2})));
    CHECK(law.seat(kOther, back({2})) ==
          "it starts below a process that declares the threshold or more");
    auto unknown = machine();
    unknown.two_tier.cpu_usage_known = false;
    TierLaw blind(unknown, jobs());
    CHECK_FALSE(blind.seat(kFull, front({2})));
    CHECK_FALSE(blind.seat(kOther, back({2})));
  }

  TEST_CASE("rates follow from who sits above and below") {
    TierLaw law(machine(), jobs());
    CHECK_FALSE(law.seat(kWide, back({0, 1})));
    CHECK(law.rate(kWide) == 1.0);
    CHECK_FALSE(law.seat(kOther, front({1})));
    CHECK(law.rate(kOther) == 0.99);
    // Its process of use 0.4 is on processor 1: 0.5 * min(1, 0.4 / 0.4).
    CHECK(law.rate(kWide) == doctest::Approx(0.5));
    CHECK_FALSE(law.seat(kFull, front({0})));
    // 0.5 * 0.03 / 0.5 below the full processor.
    CHECK(law.rate(kWide) == doctest::Approx(0.03));
    law.freeze(kFull, true);
    CHECK(law.rate(kFull) == 0.0);
    CHECK(law.rate(kWide) == doctest::Approx(0.5));
  }

  TEST_CASE("a change concerns the jobs on its processors") {
    TierLaw law(machine(), jobs());
    CHECK_FALSE(law.seat(kWide, back({0, 1})));
    (void)law.take_concerned();
    CHECK_FALSE(law.seat(kOther, front({2})));
    CHECK(law.take_concerned() == std::vector{kOther});
    law.unseat(kOther);
    CHECK_FALSE(law.seat(kOther, front({1})));
    CHECK(law.take_concerned() == std::vector{kOther, kWide});
  }
}

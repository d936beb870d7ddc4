#include "engine/machines/two_tier/tier_law.hpp"

#include <doctest/doctest.h>

#include <numeric>

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

TestMachine machine() {
  return a_two_tier_machine(3, {{1, {.use = {0.97}, .loss = 0.02}},
                                {2, {.use = {0.5, 0.4}, .efficiency = 0.5}},
                                {3, {.use = {0.6}, .loss = 0.01}}});
}

Placement front(std::vector<std::int32_t> numbers) {
  return placement_of({Tier::kForeground, std::move(numbers)});
}
Placement back(std::vector<std::int32_t> numbers) {
  return placement_of({Tier::kBackground, std::move(numbers)});
}

constexpr JobId kFull{0};
constexpr JobId kWide{1};
constexpr JobId kOther{2};

// What forbids the start; "" if nothing does.
std::string start(Law& law, JobId job, const Placement& placement) {
  const auto verdict = law.start(job, &placement, false);
  return verdict ? std::string(verdict->what) : "";
}

using Effect = sim::ChangeRecord::Effect;
std::string promote(Law& law, JobId job, const Placement& placement,
                    Effect effect = Effect::kSwaps) {
  const sim::ChangeRecord record{
      0, {job, nullptr, nullptr}, &placement, "", effect, 0, 1, nullptr, {}};
  const auto verdict = law.change(record);
  return verdict ? std::string(verdict->what) : "";
}

}  // namespace

TEST_SUITE("machines/two_tier/tier_law") {
  TEST_CASE("a change affects each job once, however many processes it has") {
    constexpr std::int32_t kWidth = 1000;
    const std::vector<double> half(kWidth, 0.5);
    const std::vector wide{a_job(1, 0, kWidth, 9), a_job(2, 0, kWidth, 9)};
    const auto law_made = law_of(
        a_two_tier_machine(kWidth, {{1, {.use = half}}, {2, {.use = half}}}), wide);
    Law& law = *law_made;
    std::vector<std::int32_t> all(kWidth);
    std::iota(all.begin(), all.end(), 0);
    REQUIRE(start(law, kFull, front(all)).empty());
    CHECK(law.take_affected().size() == 1);
    REQUIRE(start(law, kWide, back(all)).empty());
    CHECK(law.take_affected().size() == 2);
    law.freeze(kFull, true);
    law.freeze(kFull, false);
    CHECK(law.take_affected().size() == 2);
    law.leave(kFull);
    CHECK(law.take_affected() == std::vector{kWide});
  }

  TEST_CASE("one job in each tier of a processor, one process on each processor") {
    const auto law_made = law_of(machine(), jobs());
    Law& law = *law_made;
    CHECK(start(law, kOther, front({1})).empty());
    CHECK(start(law, kFull, front({1})) == "it was given a slot that another job has");
    CHECK(start(law, kWide, back({1, 1})) ==
          "two of its processes are on one processor");
    CHECK(start(law, kWide, back({1})) ==
          "it does not hold as many processors as it asked for");
    CHECK(start(law, kWide, back({1, 3})) ==
          "it is on a processor that does not exist");
    CHECK(start(law, kWide, Placement(IntervalSet(0, 1))) == "it has slots in no tier");
    CHECK(law.start(kWide, nullptr, false)->rule == kWholePlacement);
    CHECK(law.used() == 1);
    CHECK(start(law, kWide, back({0, 1})).empty());
    CHECK(law.used() == 2);
    law.leave(kOther);
    CHECK(law.used() == 2);
    law.leave(kWide);
    CHECK(law.used() == 0);
  }

  TEST_CASE("no job starts below a process that declares the threshold") {
    const auto law_made = law_of(machine(), jobs());
    Law& law = *law_made;
    CHECK(start(law, kFull, front({2})).empty());
    CHECK(start(law, kOther, back({2})) ==
          "it starts below a process that declares the threshold or more");
    auto unknown = machine();
    unknown.tiers().cpu_usage_known = false;
    const auto blind_made = law_of(unknown, jobs());
    Law& blind = *blind_made;
    CHECK(start(blind, kFull, front({2})).empty());
    CHECK(start(blind, kOther, back({2})).empty());
  }

  TEST_CASE("rates follow from the processes above and below") {
    const auto law_made = law_of(machine(), jobs());
    Law& law = *law_made;
    CHECK(start(law, kWide, back({0, 1})).empty());
    CHECK(law.rate(kWide) == 1.0);
    CHECK(start(law, kOther, front({1})).empty());
    CHECK(law.rate(kOther) == 0.99);
    // Its process of use 0.4 is on processor 1: 0.5 * min(1, 0.4 / 0.4).
    CHECK(law.rate(kWide) == doctest::Approx(0.5));
    CHECK(start(law, kFull, front({0})).empty());
    // 0.5 * 0.03 / 0.5 below the full processor.
    CHECK(law.rate(kWide) == doctest::Approx(0.03));
    law.freeze(kFull, true);
    CHECK(law.rate(kFull) == 0.0);
    CHECK(law.rate(kWide) == doctest::Approx(0.5));
  }

  TEST_CASE("a change affects the jobs on its processors") {
    const auto law_made = law_of(machine(), jobs());
    Law& law = *law_made;
    CHECK(start(law, kWide, back({0, 1})).empty());
    (void)law.take_affected();
    CHECK(start(law, kOther, front({2})).empty());
    CHECK(law.take_affected() == std::vector{kOther});
    law.leave(kOther);
    CHECK(start(law, kOther, front({1})).empty());
    CHECK(law.take_affected() == std::vector{kOther, kWide});
  }

  TEST_CASE("a background job comes to the foreground, by a swap in place") {
    const auto law_made = law_of(machine(), jobs());
    Law& law = *law_made;
    CHECK(start(law, kWide, back({0, 1})).empty());
    CHECK_FALSE(law.order()->occupies(kWide));
    CHECK(promote(law, kWide, front({0, 1})).empty());
    CHECK(law.order()->occupies(kWide));
    CHECK(promote(law, kWide, front({0, 1})) ==
          "only a job in the background can come to the foreground");
    const auto other_made = law_of(machine(), jobs());
    Law& other = *other_made;
    const auto* const moved =
        "it is promoted to another tier or, by a swap, to other processors";
    CHECK(start(other, kWide, back({0, 1})).empty());
    CHECK(promote(other, kWide, front({1, 2})) == moved);
    const auto third_made = law_of(machine(), jobs());
    Law& third = *third_made;
    CHECK(start(third, kWide, back({0, 1})).empty());
    CHECK(promote(third, kWide, back({0, 1})) == moved);
    const auto fourth_made = law_of(machine(), jobs());
    Law& fourth = *fourth_made;
    CHECK(start(fourth, kWide, back({0, 1})).empty());
    CHECK(promote(fourth, kWide, front({1, 2}), Effect::kMigrates).empty());
  }

  TEST_CASE("a suspended job resumes in the foreground") {
    const auto law_made = law_of(machine(), jobs());
    Law& law = *law_made;
    const auto below = back({0});
    CHECK(law.start(kOther, &below, true)->what ==
          "a suspended job resumes in the foreground");
  }
}

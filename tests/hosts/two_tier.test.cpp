#include "engine/hosts/two_tier.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/base/error.hpp"

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

TwoTierSettings given(CpuGivenTable table) {
  TwoTierSettings settings;
  settings.given = std::make_shared<const CpuGivenTable>(std::move(table));
  return settings;
}

std::vector<std::int32_t> slots(const Result<Placement, Refusal>& placement) {
  return std::get<TierSeat>(placement.value()).processors;
}

// A machine on which jobs sit by their numbers.
struct Scene {
  explicit Scene(std::int32_t processors, const TwoTierSettings& settings = {},
                 Pick pick = Pick::kHighest)
      : hosts(processors, pick, settings) {}

  static Needs needs(std::uint32_t job, std::int32_t size) { return {size, job}; }
  std::vector<std::int32_t> front(std::uint32_t job, std::int32_t size) {
    const auto placement = hosts.choose(needs(job, size), nullptr);
    hosts.take(JobId{job}, needs(job, size), placement.value(), touched);
    return slots(placement);
  }
  std::vector<std::int32_t> back(std::uint32_t job, std::int32_t size) {
    const auto placement = hosts.choose_background(needs(job, size));
    hosts.take(JobId{job}, needs(job, size), placement.value(), touched);
    return slots(placement);
  }
  [[nodiscard]] double rate(std::uint32_t job) const { return hosts.rate(JobId{job}); }

  TwoTier hosts;
  Touched touched;
};

double below(double use_above, double use, double efficiency, BackgroundCap cap) {
  auto settings =
      given({{1, {.use = {use_above}}}, {2, {.use = {use}, .efficiency = efficiency}}});
  settings.bg_cap = cap;
  settings.bg_threshold = 1.1;  // so that one may sit below a full processor
  Scene scene(1, settings);
  (void)scene.front(1, 1);
  (void)scene.back(2, 1);
  return scene.rate(2);
}

using Numbers = std::vector<std::int32_t>;

}  // namespace

TEST_SUITE("hosts/two_tier") {
  TEST_CASE("the background rates of the specification, capped before and after") {
    struct Row {
      double above;
      double use;
      double efficiency;
      double before;
      double after;
    };
    const std::vector<Row> rows{{0.6, 1.0, 0.86, 0.344, 0.344},
                                {0.6, 0.5, 0.48, 0.384, 0.384},
                                {0.6, 0.3, 0.48, 0.48, 0.64},
                                {0.96, 0.5, 0.48, 0.0384, 0.0384},
                                {1.0, 1.0, 0.86, 0, 0}};
    for (const auto& row : rows) {
      CAPTURE(row.above);
      CHECK(below(row.above, row.use, row.efficiency, BackgroundCap::kBefore) ==
            doctest::Approx(row.before).epsilon(1e-9));
      CHECK(below(row.above, row.use, row.efficiency, BackgroundCap::kAfter) ==
            doctest::Approx(row.after).epsilon(1e-9));
    }
  }

  TEST_CASE("a job is as fast as its slowest process: min(0.30125, 0.1205)") {
    Scene scene(2, given({{1, {.use = {0.5}}},
                          {2, {.use = {0.9}}},
                          {3, {.use = {0.8, 0.4}, .efficiency = 0.482}}}));
    CHECK(scene.front(1, 1) == Numbers{1});
    CHECK(scene.front(2, 1) == Numbers{0});
    CHECK(scene.back(3, 2) == Numbers{1, 0});  // the larger use below the smaller
    CHECK(scene.rate(3) == doctest::Approx(0.1205).epsilon(1e-12));
  }

  TEST_CASE("a foreground job loses while somebody sits below, or always") {
    auto settings = given({{1, {.use = {0.6}, .loss = 0.02}}});
    for (const auto when : {LossWhen::kShared, LossWhen::kAlways}) {
      settings.fg_loss_when = when;
      Scene scene(1, settings);
      (void)scene.front(1, 1);
      CHECK(scene.rate(1) == (when == LossWhen::kShared ? 1.0 : 0.98));
      (void)scene.back(2, 1);
      CHECK(scene.rate(1) == 0.98);
      scene.hosts.leave(JobId{2}, scene.touched);
      CHECK(scene.rate(1) == (when == LossWhen::kShared ? 1.0 : 0.98));
    }
  }

  TEST_CASE(
      "below an empty slot a job runs at full speed, below a frozen one it has all") {
    Scene scene(1, given({{1, {.use = {0.6}}}, {2, {.use = {1}, .efficiency = 0.86}}}));
    (void)scene.back(2, 1);
    CHECK(scene.rate(2) == 1.0);
    (void)scene.front(1, 1);
    CHECK(scene.rate(2) == doctest::Approx(0.344));
    scene.hosts.freeze(JobId{1}, Frozen::kYes, scene.touched);
    CHECK(scene.rate(1) == 0.0);
    CHECK(scene.rate(2) == doctest::Approx(0.86));
    scene.hosts.freeze(JobId{1}, Frozen::kNo, scene.touched);
    CHECK(scene.rate(2) == doctest::Approx(0.344));
  }

  TEST_CASE("only jobs on processors that changed are touched, each once") {
    Scene scene(6, given({{1, {.use = {0.5, 0.5}}}, {2, {.use = {0.5, 0.5}}}}));
    (void)scene.front(1, 2);  // 5, 4
    (void)scene.front(2, 2);  // 3, 2
    (void)scene.back(3, 2);   // below nobody: 1, 0
    scene.touched.clear();
    CHECK(scene.back(4, 2) == Numbers{5, 4});
    std::sort(scene.touched.begin(), scene.touched.end());
    CHECK(scene.touched == Touched{JobId{1}, JobId{4}});
    scene.touched.clear();
    scene.hosts.leave(JobId{2}, scene.touched);
    CHECK(scene.touched == Touched{JobId{2}});
  }

  TEST_CASE("foreground slots are taken by the use below, then as `pick` says") {
    const auto settings = given({{1, {.use = {0.9}}}, {2, {.use = {0.5}}}});
    Scene scene(4, settings);
    CHECK(scene.back(1, 1) == Numbers{3});
    CHECK(scene.back(2, 1) == Numbers{2});
    CHECK(scene.front(3, 4) == Numbers{1, 0, 2, 3});
    Scene lowest(4, settings, Pick::kLowest);
    CHECK(lowest.back(1, 1) == Numbers{0});
    CHECK(lowest.back(2, 1) == Numbers{1});
    CHECK(lowest.front(3, 4) == Numbers{2, 3, 1, 0});
  }

  TEST_CASE("a slot below 0.96 of declared use or more cannot be used") {
    Scene scene(3, given({{1, {.use = {0.96}}}, {2, {.use = {0.9599}}}}));
    CHECK(scene.front(1, 1) == Numbers{2});
    CHECK(scene.front(2, 1) == Numbers{1});
    CHECK(scene.hosts.usable_background() == 2);
    CHECK(scene.back(3, 2) == Numbers{0, 1});
    CHECK(scene.hosts.choose_background({1, 9}).reason() == Refusal::kNoRoom);
  }

  TEST_CASE("where nobody declares a use every slot is usable, by number alone") {
    auto settings = given({{1, {.use = {1.0}}}, {2, {.use = {0.5, 1.0}}}});
    settings.cpu_usage_known = false;
    Scene scene(3, settings);
    (void)scene.front(1, 1);
    CHECK(scene.hosts.usable_background() == 3);
    CHECK(scene.back(2, 2) == Numbers{2, 1});
    CHECK(scene.hosts.declared_use({2, 2}, 0) == std::nullopt);
    CHECK(scene.hosts.above(JobId{2}, 0) == std::nullopt);
    CHECK(scene.rate(2) == 0.0);  // the process that uses 0.5 is below the full one
  }

  TEST_CASE("a swap needs all foreground slots of its processors") {
    Scene scene(3);
    (void)scene.back(1, 2);  // 2, 1
    const auto within = IntervalSet(0, 1);
    CHECK(scene.hosts.can_swap(JobId{1}, &within).reason() == Refusal::kHeld);
    (void)scene.front(2, 2);  // 0, then the lesser used of the others
    CHECK(scene.hosts.can_swap(JobId{1}, nullptr).reason() == Refusal::kForegroundBusy);
    CHECK(scene.hosts.jobs_above(JobId{1}) == std::vector{JobId{2}});
    CHECK(scene.hosts.idle_without(JobId{1}).empty());
    scene.hosts.leave(JobId{2}, scene.touched);
    CHECK(static_cast<bool>(scene.hosts.can_swap(JobId{1}, nullptr)));
    scene.hosts.swap(JobId{1}, scene.touched);
    CHECK(scene.hosts.tier(JobId{1}) == Tier::kForeground);
    CHECK(scene.hosts.idle() == 1);
    CHECK(scene.hosts.idle_without(JobId{1}).text() == "0");
  }

  TEST_CASE("a move gives back the own slots before it chooses") {
    // Below on 2 and 1; if these counted, processor 0 alone would be first.
    Scene scene(3, given({{1, {.use = {0.9, 0.9}}}}));
    (void)scene.back(1, 2);
    scene.hosts.move(JobId{1}, {2, 1}, nullptr, scene.touched);
    CHECK(std::get<TierSeat>(scene.hosts.placement(JobId{1})).processors ==
          Numbers{2, 1});
    CHECK(scene.hosts.usable_background() == 3);
  }

  TEST_CASE("a refused move needs more idle slots than there are among those allowed") {
    Scene scene(3);
    (void)scene.back(1, 2);
    (void)scene.front(2, 1);
    const auto within = IntervalSet(0, 0);
    CHECK(static_cast<bool>(scene.hosts.can_move({2, 1}, nullptr)));
    CHECK(scene.hosts.can_move({2, 1}, &within).reason() == Refusal::kBusy);
    CHECK(scene.hosts.can_move({3, 1}, nullptr).reason() == Refusal::kBusy);
  }

  TEST_CASE("a placement that is not one free slot for each process changes nothing") {
    Scene scene(3);
    (void)scene.front(1, 1);  // 2
    const auto refused = [&scene](std::vector<std::int32_t> numbers) {
      const auto size = 2;
      const Placement wrong(TierSeat{Tier::kForeground, std::move(numbers)});
      CHECK_THROWS_AS(scene.hosts.take(JobId{2}, {size, 2}, wrong, scene.touched),
                      Error);
      CHECK(scene.hosts.idle() == 2);
    };
    refused({2, 1});  // taken
    refused({1, 1});  // twice
    refused({1});     // a process without one
    refused({1, 3});  // beyond the machine
    refused({-1, 1});
    CHECK(scene.front(2, 2) == Numbers{1, 0});
  }
}

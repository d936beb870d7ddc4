#include "engine/machines/two_tier/two_tier.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Given {
  TwoTierSettings settings;
  CpuGivenTable table;
};
Given given(CpuGivenTable table) { return {{}, std::move(table)}; }

// Job n has the number n.
const std::vector<Job>& ten_jobs() {
  static const auto kJobs = [] {
    std::vector<Job> jobs;
    for (std::int64_t i = 0; i < 10; ++i) jobs.push_back(a_job(i, 0, 1, 1));
    return jobs;
  }();
  return kJobs;
}

CpuNatures natures(const Given& given) {
  auto machine = a_two_tier_machine(1, given.table);
  return {given.settings, 0, test::spec_of(machine, ten_jobs()).attributes};
}

// A machine on which jobs run by their numbers.
struct Scene {
  explicit Scene(std::int32_t processors, const Given& given = {},
                 Pick pick = Pick::kHighest)
      : hosts(processors, pick, natures(given)) {}

  std::vector<std::int32_t> front(std::uint32_t job, std::int32_t size) {
    return take(job, size, hosts.choose(JobId{job}, Demand(size), nullptr).value());
  }
  std::vector<std::int32_t> back(std::uint32_t job, std::int32_t size) {
    return take(job, size, hosts.choose_background(Demand(size)).value());
  }
  std::vector<std::int32_t> take(std::uint32_t job, std::int32_t size,
                                 const Placement& placement) {
    Grant grant;
    const Proposal proposal{JobId{job}, job, Demand(size), placement};
    REQUIRE(hosts.grant(JobId{job}, Demand(size), proposal, grant));
    hosts.take(grant, affected);
    return placement.form_if<TierSlots>()->processors;
  }
  [[nodiscard]] double rate(std::uint32_t job) const { return hosts.rate(JobId{job}); }
  [[nodiscard]] Result<Done, Refusal> can(std::uint32_t job, std::int32_t size,
                                          Promotion how,
                                          const Placement* where = nullptr) const {
    return hosts.can_promote(JobId{job}, Demand(size), how, where);
  }
  void promote(std::uint32_t job, std::int32_t size, Promotion how) {
    hosts.promote(JobId{job}, Demand(size), how, nullptr, affected);
  }

  TwoTier hosts;
  Affected affected;
};

double below(double use_above, double use, double efficiency, BackgroundCap cap) {
  auto settings =
      given({{1, {.use = {use_above}}}, {2, {.use = {use}, .efficiency = efficiency}}});
  settings.settings.bg_cap = cap;
  settings.settings.bg_threshold = 1.1;  // so that one may sit below a full processor
  Scene scene(1, settings);
  (void)scene.front(1, 1);
  (void)scene.back(2, 1);
  return scene.rate(2);
}

using Numbers = std::vector<std::int32_t>;

}  // namespace

TEST_SUITE("machines/two_tier/two_tier") {
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

  TEST_CASE("a foreground job loses while the slot below is occupied, or always") {
    auto settings = given({{1, {.use = {0.6}, .loss = 0.02}}});
    for (const auto when : {LossWhen::kShared, LossWhen::kAlways}) {
      settings.settings.fg_loss_when = when;
      Scene scene(1, settings);
      (void)scene.front(1, 1);
      CHECK(scene.rate(1) == (when == LossWhen::kShared ? 1.0 : 0.98));
      (void)scene.back(2, 1);
      CHECK(scene.rate(1) == 0.98);
      scene.hosts.leave(JobId{2}, scene.affected);
      CHECK(scene.rate(1) == (when == LossWhen::kShared ? 1.0 : 0.98));
    }
  }

  TEST_CASE("active: it loses only while the process below has a rate above 0") {
    for (const double use : {0.6, 1.0}) {
      auto settings = given({{1, {.use = {use, use}, .loss = 0.02}}});
      settings.settings.fg_loss_when = LossWhen::kActive;
      settings.settings.bg_threshold = 1.1;  // so that one may sit below a full one
      Scene scene(2, settings);
      (void)scene.back(2, 1);
      (void)scene.front(1, 2);
      CHECK(scene.rate(1) == (use < 1 ? 0.98 : 1.0));
      (void)scene.back(3, 1);
      CHECK(scene.rate(1) == (use < 1 ? 0.98 : 1.0));
      scene.hosts.leave(JobId{2}, scene.affected);
      CHECK(scene.rate(1) == (use < 1 ? 0.98 : 1.0));
      scene.hosts.leave(JobId{3}, scene.affected);
      CHECK(scene.rate(1) == 1.0);
    }
  }

  TEST_CASE(
      "below an empty slot a job runs at full speed, below a frozen one it has all") {
    Scene scene(1, given({{1, {.use = {0.6}}}, {2, {.use = {1}, .efficiency = 0.86}}}));
    (void)scene.back(2, 1);
    CHECK(scene.rate(2) == 1.0);
    (void)scene.front(1, 1);
    CHECK(scene.rate(2) == doctest::Approx(0.344));
    scene.hosts.freeze(JobId{1}, Frozen::kYes, scene.affected);
    CHECK(scene.rate(1) == 0.0);
    CHECK(scene.rate(2) == doctest::Approx(0.86));
    scene.hosts.freeze(JobId{1}, Frozen::kNo, scene.affected);
    CHECK(scene.rate(2) == doctest::Approx(0.344));
  }

  TEST_CASE("only jobs on processors that changed are affected, each once") {
    Scene scene(6, given({{1, {.use = {0.5, 0.5}}}, {2, {.use = {0.5, 0.5}}}}));
    (void)scene.front(1, 2);  // 5, 4
    (void)scene.front(2, 2);  // 3, 2
    (void)scene.back(3, 2);   // below empty slots: 1, 0
    scene.affected.clear();
    CHECK(scene.back(4, 2) == Numbers{5, 4});
    std::sort(scene.affected.begin(), scene.affected.end());
    CHECK(scene.affected == Affected{JobId{1}, JobId{4}});
    scene.affected.clear();
    scene.hosts.leave(JobId{2}, scene.affected);
    CHECK(scene.affected == Affected{JobId{2}});
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
    CHECK(scene.hosts.choose_background(Demand(1)).reason() == kNoRoom);
  }

  TEST_CASE("where no use is declared every slot is usable, by number alone") {
    auto settings = given({{1, {.use = {1.0}}}, {2, {.use = {0.5, 1.0}}}});
    settings.settings.cpu_usage_known = false;
    Scene scene(3, settings);
    (void)scene.front(1, 1);
    CHECK(scene.hosts.usable_background() == 3);
    CHECK(scene.back(2, 2) == Numbers{2, 1});
    CHECK(scene.hosts.declared_use(JobId{2}, Demand(2), 0) == std::nullopt);
    CHECK(scene.hosts.use_above(JobId{2}, 0) == std::nullopt);
    CHECK(scene.rate(2) == 0.0);  // the process that uses 0.5 is below the full one
  }

  TEST_CASE("a swap needs all foreground slots of its processors") {
    Scene scene(3);
    (void)scene.back(1, 2);  // 2, 1
    const Placement where(IntervalSet(0, 1));
    CHECK(scene.can(1, 2, Promotion::kSwap, &where).reason() == Refusal::kHeld);
    (void)scene.front(2, 2);  // 0, then the lesser used of the others
    CHECK(scene.can(1, 2, Promotion::kSwap).reason() == kForegroundBusy);
    CHECK(scene.hosts.jobs_above(JobId{1}) == std::vector{JobId{2}});
    CHECK(scene.hosts.idle_without(JobId{1}).empty());
    scene.hosts.leave(JobId{2}, scene.affected);
    CHECK(static_cast<bool>(scene.can(1, 2, Promotion::kSwap)));
    scene.promote(1, 2, Promotion::kSwap);
    CHECK(scene.hosts.placement(JobId{1}).form_if<TierSlots>()->tier ==
          Tier::kForeground);
    CHECK(scene.hosts.idle() == 1);
    CHECK(scene.hosts.idle_without(JobId{1}).text() == "0");
  }

  TEST_CASE("a move gives back the own slots before it chooses") {
    // Below on 2 and 1; if these counted, processor 0 alone would be first.
    Scene scene(3, given({{1, {.use = {0.9, 0.9}}}}));
    (void)scene.back(1, 2);
    scene.promote(1, 2, Promotion::kMigrate);
    CHECK(scene.hosts.placement(JobId{1}).form_if<TierSlots>()->processors ==
          Numbers{2, 1});
    CHECK(scene.hosts.usable_background() == 3);
  }

  TEST_CASE("a refused move needs more idle slots than there are among those allowed") {
    Scene scene(3);
    (void)scene.back(1, 2);
    (void)scene.front(2, 1);
    const Placement where(IntervalSet(0, 0));
    CHECK(static_cast<bool>(scene.can(1, 2, Promotion::kMigrate)));
    CHECK(scene.can(1, 2, Promotion::kMigrate, &where).reason() == Refusal::kBusy);
    CHECK(scene.can(1, 3, Promotion::kMigrate).reason() == Refusal::kBusy);
  }

  TEST_CASE("a placement that is not one free slot for each process changes nothing") {
    Scene scene(3);
    (void)scene.front(1, 1);  // 2
    const auto refused = [&scene](std::vector<std::int32_t> numbers) {
      const auto wrong = placement_of({Tier::kForeground, std::move(numbers)});
      Grant grant;
      const auto answer = scene.hosts.grant(JobId{2}, Demand(2),
                                            {JobId{2}, 2, Demand(2), wrong}, grant);
      CHECK_THROWS_AS(scene.hosts.take(grant, scene.affected), Error);
      CHECK(scene.hosts.idle() == 2);
      return answer.reason();
    };
    CHECK(refused({2, 1}) == Refusal::kBusy);    // taken
    CHECK(refused({1, 1}) == Refusal::kBusy);    // twice
    CHECK_THROWS_AS((void)refused({1}), Error);  // a process without one
    CHECK(refused({1, 3}) == Refusal::kBusy);    // beyond the machine
    CHECK(refused({-1, 1}) == Refusal::kBusy);
    CHECK(scene.front(2, 2) == Numbers{1, 0});
  }
}

// Plans in a decision: what is charged, what is broken, what is held.

#include <doctest/doctest.h>

#include <limits>

#include "engine/sim/selection.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::PlanId;
using sim::Simulation;

// 10 processors: job 1 holds 6 until 6 and job 2 holds 2 until 8; job 3 (8) waits, with
// its shadow at 6 and no spare beside it; the others wait behind it.
void with_plan(std::vector<Job> others,
               const std::function<void(Simulation&, PlanId)>& then) {
  std::vector<Job> jobs{a_job(1, 0, 6, 6), a_job(2, 0, 2, 8), a_job(3, 0, 7, 5)};
  jobs.insert(jobs.end(), others.begin(), others.end());
  bool done = false;
  (void)run(jobs, a_machine(10), [&](Simulation& world) {
    if (std::exchange(done, true)) return;
    CHECK(world.actions().start(JobId{0}));
    CHECK(world.actions().start(JobId{1}));
    const auto plan = world.actions().reserve(JobId{2});
    REQUIRE(plan);
    then(world, plan.value());
  });
  CHECK(done);
}

}  // namespace

TEST_SUITE("sim/plans") {
  TEST_CASE("a plan has the shadow time and what is left over then") {
    with_plan({}, [](Simulation& world, PlanId id) {
      CHECK(world.plans().at(id).job == JobId{2});
      CHECK(world.plans().at(id).start == seconds(6));
      CHECK(world.plans().at(id).spare == 1);  // 2 idle + 6 released - 7
    });
  }

  TEST_CASE("a plan of a machine of which some stay free starts when so many are") {
    with_plan({a_job(4, 0, 1, 5)}, [](Simulation& world, PlanId) {
      // 2 idle now, 8 at 6, 10 at 8.
      const auto plan_with = [&](JobId job, std::int64_t keep) {
        const auto plan = world.actions().reserve(job, keep);
        REQUIRE(plan);
        return std::pair(to_seconds(world.plans().at(plan.value()).start),
                         world.plans().at(plan.value()).spare);
      };
      CHECK(plan_with(JobId{3}, 0) == std::pair(0.0, std::int64_t{1}));
      CHECK(plan_with(JobId{3}, 1) == std::pair(0.0, std::int64_t{0}));
      CHECK(plan_with(JobId{3}, 2) == std::pair(6.0, std::int64_t{5}));
      CHECK(plan_with(JobId{2}, 1) == std::pair(6.0, std::int64_t{0}));
      CHECK(plan_with(JobId{2}, 2) == std::pair(8.0, std::int64_t{1}));
      CHECK(plan_with(JobId{2}, 3) == std::pair(8.0, std::int64_t{0}));
      CHECK(world.actions().reserve(JobId{2}, 4).reason() == Refusal::kTooBig);
      CHECK(world.actions()
                .reserve(JobId{2}, std::numeric_limits<std::int64_t>::max())
                .reason() == Refusal::kTooBig);
      CHECK(wrong_call([&] { (void)world.actions().reserve(JobId{2}, -1); }) ==
            "reserve: keep = -1 is less than 0");
    });
  }

  TEST_CASE("a start on what is kept breaks the plan") {
    with_plan({a_job(4, 0, 2, 7)}, [](Simulation& world, PlanId) {
      const auto plan = world.actions().reserve(JobId{2}, 1);
      REQUIRE(plan);
      CHECK(world.actions().why_not(JobId{3}, plan.value())->reason == Refusal::kHeld);
      CHECK(world.actions().start(JobId{3}));
      CHECK(world.plans().at(plan.value()).broken());
    });
  }

  TEST_CASE("nothing is kept on a machine with tiers") {
    std::string said;
    (void)run({a_job(1, 0, 1, 1)}, a_two_tier_machine(4), [&](Simulation& world) {
      if (world.world().now() > 0) return;
      CHECK(world.actions().reserve(JobId{0}, 0));
      said = wrong_call([&] { (void)world.actions().reserve(JobId{0}, 1); });
    });
    CHECK(said == "reserve: keep needs a machine that is one pool of processors");
  }

  TEST_CASE("a start that ends by the shadow time costs the plan nothing") {
    with_plan({a_job(4, 0, 2, 6)}, [](Simulation& world, PlanId id) {
      CHECK(world.actions().start(JobId{3}));
      CHECK(world.plans().at(id).spare == 1);
    });
  }

  TEST_CASE("a start that ends later takes its processors from the spare") {
    with_plan({a_job(4, 0, 1, 7), a_job(5, 0, 1, 7)}, [](Simulation& world, PlanId id) {
      CHECK(world.actions().start(JobId{3}));
      CHECK(world.plans().at(id).spare == 0);
      CHECK_FALSE(world.plans().at(id).broken());
      CHECK(world.actions().why_not(JobId{4}, id)->reason == Refusal::kHeld);
    });
  }

  TEST_CASE("a plan does not forbid: a start that it does not admit breaks it") {
    with_plan({a_job(4, 0, 2, 7)}, [](Simulation& world, PlanId id) {
      CHECK(world.actions().start(JobId{3}));
      CHECK(world.plans().at(id).spare == -1);
      CHECK(world.plans().at(id).broken());
    });
  }

  TEST_CASE("a start under a plan that does not admit it is held and changes nothing") {
    with_plan({a_job(4, 0, 2, 7), a_job(5, 0, 2, 6)}, [](Simulation& world, PlanId id) {
      const auto answer = world.actions().start(JobId{3}, {.under = id});
      REQUIRE_FALSE(answer);
      CHECK(answer.reason() == Refusal::kHeld);
      CHECK(world.world().hosts().idle() == 2);
      CHECK(world.plans().at(id).spare == 1);
      CHECK(world.actions().start(JobId{4}, {.under = id}));
    });
  }

  TEST_CASE("no room is the first reason, the plan the second") {
    with_plan({a_job(4, 0, 3, 1)}, [](Simulation& world, PlanId id) {
      CHECK(world.actions().start(JobId{3}, {.under = id}).reason() == Refusal::kBusy);
      const auto why = world.actions().why_not(JobId{3}, id);
      CHECK(why->reason == Refusal::kBusy);
      CHECK(why->needed == 3);
      CHECK(why->available == 2);
      CHECK_FALSE(why->by);
    });
  }

  TEST_CASE("every plan made before a start is charged, none made behind it") {
    with_plan({a_job(4, 0, 9, 1), a_job(5, 0, 1, 7), a_job(6, 0, 2, 1)},
              [](Simulation& world, PlanId first) {
                const auto second = world.actions().reserve(JobId{3});
                REQUIRE(second);
                CHECK(world.plans().at(second.value()).start == seconds(8));
                CHECK(world.plans().at(second.value()).spare == 1);
                CHECK(world.actions().start(JobId{4}));  // until 7: behind 6, before 8
                CHECK(world.plans().at(first).spare == 0);
                CHECK(world.plans().at(second.value()).spare == 1);
                const auto third = world.actions().reserve(JobId{5});
                REQUIRE(third);
                CHECK(world.plans().at(third.value()).start == seconds(6));
                CHECK(world.plans().at(third.value()).spare == 5);
              });
  }

  TEST_CASE("the plan's own job is not charged to it, nor held by it") {
    (void)run({a_job(1, 0, 3, 5)}, a_machine(4), [](Simulation& world) {
      if (world.world().now() > 0) return;
      const auto plan = world.actions().reserve(JobId{0});
      REQUIRE(plan);
      CHECK(world.plans().at(plan.value()).start == 0);
      CHECK(world.plans().at(plan.value()).spare == 1);
      CHECK_FALSE(world.actions().why_not(JobId{0}, plan.value()));
      CHECK(world.actions().start(JobId{0}, {.under = plan.value()}));
      CHECK(world.plans().at(plan.value()).spare == 1);
    });
  }

  TEST_CASE("a plan of an earlier decision is a wrong call") {
    std::optional<PlanId> kept;
    (void)run({a_job(1, 0, 4, 5), a_job(2, 0, 4, 5)}, a_machine(4),
              [&](Simulation& world) {
                fcfs(world);
                if (!kept) {
                  kept = world.actions().reserve(JobId{1}).value();
                  return;
                }
                CHECK(wrong_call([&] { (void)world.plans().at(*kept); }) ==
                      "this plan belongs to an earlier decision");
              });
    CHECK(kept);
  }

  TEST_CASE("if running jobs can never make room the answer is too_big") {
    // A machine of two processors, of which one cannot be allocated.
    class Half : public SharingModel {
     public:
      Half() : SharingModel(2) { set_idle(1); }
      [[nodiscard]] Result<Placement, Refusal> choose(JobId, const Demand& demand,
                                                      const Placement*) const override {
        if (demand.processors() > 1) return Refusal::kBusy;
        return Placement(IntervalSet(0, 0));
      }
      [[nodiscard]] bool fits(JobId, const Demand& demand) const override {
        return demand.processors() <= 1;
      }
      void put(JobId, const Demand&, const Placement*, Affected&) override {}
      void leave(JobId, Affected&) override {}
      void freeze(JobId, Frozen, Affected&) override {}
      [[nodiscard]] double rate(JobId) const override { return 1.0; }
      [[nodiscard]] const Placement& placement(JobId) const override { return place_; }

     private:
      Placement place_;
    };
    const std::vector jobs{a_job(1, 0, 2, 5)};
    bool asked = false;
    ScriptedPolicy policy([&](Simulation& world) {
      asked = true;
      const auto plan = world.actions().reserve(JobId{0});
      REQUIRE_FALSE(plan);
      CHECK(plan.reason() == Refusal::kTooBig);
    });
    Simulation simulation(a_machine(2), {}, jobs, policy, std::make_unique<Half>());
    (void)simulation.advance(kNever);
    CHECK(asked);
  }

  TEST_CASE("literal shadow ties leave less over than inclusive ones") {
    auto machine = a_machine(4);
    for (const auto& [ties, spare] :
         {std::pair{ShadowTies::kInclusive, 2}, std::pair{ShadowTies::kLiteral, 0}}) {
      machine.shadow_ties = ties;
      const auto outcome =
          run({a_job(1, 0, 2, 5), a_job(2, 0, 2, 5), a_job(3, 0, 2, 5)}, machine, easy);
      REQUIRE(outcome.watched.plans.size() == 1);
      CHECK(outcome.watched.plans[0].start == seconds(5));
      CHECK(outcome.watched.plans[0].spare == spare);
    }
  }
}

// Suspend and resume: progress kept, migration cost, account, planned end.

#include <doctest/doctest.h>

#include "engine/audit/auditor.hpp"
#include "engine/sim/selection.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Simulation;

constexpr auto kMoves =
    sim::kinds<sim::StartRecord, sim::SuspendRecord, sim::UnfreezeRecord,
               sim::RateRecord, sim::EndRecord>();

sim::Machine preempting(std::int64_t cost) {
  auto machine = a_machine(4);
  machine.preemption = true;
  machine.migration_cost = seconds(cost);
  return machine;
}

// Job 1 of 10 s (walltime 12) starts at 0, is suspended at 4 and resumed at 9.
struct Scene {
  explicit Scene(std::int64_t cost) : machine(preempting(cost)) {}
  std::vector<Job> jobs{a_job(1, 0, 4, 10, 12)};
  sim::Machine machine;
  std::function<void(Simulation&)> at_four = [](Simulation&) {};
  std::function<void(Simulation&)> at_nine = [](Simulation&) {};
  JobEntry last;

  std::string play() {
    ScriptedPolicy policy([this](Simulation& world) {
      const JobId job{0};
      last = world.world().jobs()[job];
      if (world.world().now() == 0) {
        CHECK(world.actions().start(job));
        world.actions().wake_at(seconds(4));
      } else if (world.world().now() == seconds(4)) {
        world.actions().suspend(job);
        at_four(world);
        world.actions().wake_at(seconds(9));
      } else if (world.world().now() == seconds(9)) {
        CHECK(world.actions().start(job));
        at_nine(world);
      }
    });
    return told(jobs, machine, policy, {}, kMoves);
  }
};

}  // namespace

TEST_SUITE("sim/suspension") {
  TEST_CASE("progress is kept: 4 s done, 6 s to go after the resume") {
    Scene scene(0);
    CHECK(scene.play() == "0 start 1 on 0-3; 4 suspend 1; 9 resume 1 on 0-3; 15 end 1");
    CHECK(scene.last.account.suspended == seconds(5));
    CHECK(scene.last.account.suspensions == 1);
    CHECK(scene.last.account.frozen == 0);
    CHECK(scene.last.first_start == 0);
  }

  TEST_CASE("the migration cost freezes the job first") {
    Scene scene(3);
    CHECK(
        scene.play() ==
        "0 start 1 on 0-3; 4 suspend 1; 9 resume 1 on 0-3 frozen until 12; 12 thaw 1; "
        "12 rate of 1 = 1; 18 end 1");
    CHECK(scene.last.account.suspended == seconds(5));
    CHECK(scene.last.account.frozen == seconds(3));
  }

  TEST_CASE("a suspended job is a member of the queue in its old place") {
    Scene scene(3);
    scene.jobs.push_back(a_job(2, 1, 1, 2));
    scene.at_four = [](Simulation& world) {
      CHECK(world.queue(0).head()->job == JobId{0});
      CHECK(world.queue(0).length() == 2);
      CHECK(world.world().hosts().idle() == 4);
      CHECK(world.world().running().size() == 0);
      CHECK(world.world().jobs()[JobId{0}].progress == 4e6);
    };
    (void)scene.play();
  }

  TEST_CASE("its planned end is the thaw plus what is left of its walltime") {
    Scene scene(3);
    scene.at_four = [](Simulation& world) {
      CHECK(world.world().planned(JobId{0}).frozen == seconds(3));
      CHECK(world.world().planned(JobId{0}).left == seconds(8));
    };
    scene.at_nine = [](Simulation& world) {
      CHECK(world.world().jobs()[JobId{0}].planned_end == seconds(9 + 3 + 8));
      CHECK(world.world().jobs()[JobId{0}].frozen);
    };
    (void)scene.play();
  }

  TEST_CASE("a plan for a suspended job is charged with the freeze") {
    Scene scene(3);
    scene.jobs.push_back(a_job(2, 0, 4, 5, 11));
    scene.jobs.push_back(a_job(3, 0, 4, 5, 11));
    scene.at_four = [](Simulation& world) {
      // The suspended job would end at 4 + 3 + 8 = 15.
      const auto plan = world.actions().reserve(JobId{1});
      REQUIRE(plan);
      CHECK(world.plans().at(plan.value()).start == seconds(4));
      const auto why = world.actions().why_not(JobId{0}, plan.value());
      REQUIRE(why);
      CHECK(why->reason == Refusal::kHeld);
      CHECK(why->needed == 4);
      CHECK(why->available == 0);
      CHECK(why->by == JobId{1});
    };
    (void)scene.play();
  }

  TEST_CASE("a frozen job may be suspended again; only the time it stood counts") {
    const std::vector jobs{a_job(1, 0, 4, 10)};
    ScriptedPolicy policy([](Simulation& world) {
      const auto t = world.world().now() / kSecond;
      const JobId job{0};
      if (t == 0 || t == 4 || t == 9) CHECK(world.actions().start(job));
      if (t == 0) world.actions().wake_at(seconds(2));
      if (t == 2 || t == 6) world.actions().suspend(job);
      if (t == 2) world.actions().wake_at(seconds(4));
      if (t == 4) world.actions().wake_at(seconds(6));  // it would thaw at 7
      if (t == 6) world.actions().wake_at(seconds(9));
      if (t == 20) {
        CHECK(world.world().jobs()[job].account.frozen == seconds(2 + 3));
        CHECK(world.world().jobs()[job].account.suspended == seconds(2 + 3));
        CHECK(world.world().jobs()[job].account.suspensions == 2);
      }
    });
    CHECK(
        told(jobs, preempting(3), policy, {}, kMoves) ==
        "0 start 1 on 0-3; 2 suspend 1; 4 resume 1 on 0-3 frozen until 7; 6 suspend 1; "
        "9 resume 1 on 0-3 frozen until 12; 12 thaw 1; 12 rate of 1 = 1; 20 end 1");
  }

  TEST_CASE("suspended and resumed at one instant for nothing, a job loses no time") {
    ScriptedPolicy policy([](Simulation& world) {
      fcfs(world);
      if (world.world().now() == 0) world.actions().wake_at(seconds(5));
      if (world.world().now() != seconds(5)) return;
      world.actions().suspend(JobId{0});
      fcfs(world);
    });
    CHECK(told({a_job(1, 0, 4, 10)}, preempting(0), policy, {}, kMoves) ==
          "0 start 1 on 0-3; 5 suspend 1; 5 resume 1 on 0-3; 10 end 1");
  }

  TEST_CASE("a key that is refused at suspension leaves the job running") {
    class Picky : public sim::Policy {
     public:
      Picky() { traits_.orders.push_back({"odd", {}}); }
      [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
      [[nodiscard]] Budget& budget() override { return test::unlimited(); }
      double key(Simulation& world, std::size_t, JobId job) override {
        if (world.world().jobs()[job].state == JobState::kSuspended) {
          throw Error(ErrorCode::kPolicy, "no key for a suspended job");
        }
        return 1.0;
      }
      void schedule(Simulation& world) override {
        fcfs(world);
        if (world.world().now() == 0) world.actions().wake_at(seconds(4));
        if (world.world().now() != seconds(4)) return;
        CHECK(wrong_call([&] { world.actions().suspend(JobId{0}); }) ==
              "no key for a suspended job");
        const auto& entry = world.world().jobs()[JobId{0}];
        CHECK(entry.state == JobState::kRunning);
        CHECK(entry.account.suspensions == 0);
        CHECK(world.world().running().size() == 1);
        CHECK(world.queue(0).length() == 0);
        CHECK(world.world().hosts().idle() == 0);
      }

     private:
      sim::PolicyTraits traits_;
    };
    Picky policy;
    const auto machine = preempting(0);
    const std::vector jobs{a_job(1, 0, 4, 10)};
    audit::Auditor auditor({machine, {}, jobs, policy.traits()}, law_of(machine, jobs));
    Told moves(kMoves);
    Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
    simulation.audience().observe(auditor);
    simulation.audience().observe(moves);
    (void)simulation.advance(kNever);
    simulation.finish();
    CHECK(moves.text == "0 start 1 on 0-3; 10 end 1");
  }
}

// Records: every action is one, and a watcher gets just the kinds it asked for.

#include <doctest/doctest.h>

#include <set>

#include "engine/sim/book.hpp"
#include "engine/sim/record.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Simulation;

// A run in which everything happens that there is a record for, save a refresh.
std::string eventful(sim::RecordKinds kinds) {
  auto machine = a_machine(4);
  machine.preemption = true;
  machine.migration_cost = seconds(1);
  ScriptedPolicy policy([](Simulation& world) {
    const auto t = world.world().now() / kSecond;
    if (t == 0) {
      CHECK(world.actions().start(JobId{0}));
      CHECK(world.actions().reserve(JobId{1}));
      (void)sim::Book(world).place(JobId{1});
      world.actions().reject(JobId{2});
      world.actions().wake_at(seconds(2));
    }
    if (t == 2) world.actions().suspend(JobId{0});
    if (t == 2) CHECK(world.actions().start(JobId{1}));
    if (t == 5) CHECK(world.actions().start(JobId{0}));
  });
  return told({a_job(1, 0, 3, 4), a_job(2, 0, 2, 3), a_job(3, 0, 1, 1),
               a_job(4, 0, 5, 1), a_job(5, 6, 1, 1)},
              machine, policy, {}, kinds);
}

}  // namespace

TEST_SUITE("sim/records") {
  TEST_CASE("all that happens is told in the order in which it happens") {
    CHECK(eventful(sim::kAllKinds) ==
          "0 capacity 4; 0 submit 1; 0 submit 2; 0 submit 3; 0 submit 4; 0 too wide 4; "
          "0 start 1 on 0-2; 0 plan 2 at 4 spare 2; 0 book 2 4; 0 reject 3; 0 wake 2; "
          "0 pass 1; 2 suspend 1; 2 start 2 on 0-1; 2 pass 2; 5 end 2; "
          "5 resume 1 on 0-2 frozen until 6; 5 pass 3; 6 thaw 1; 6 rate of 1 = 1; "
          "6 submit 5; 6 pass 4; 8 end 1; 8 pass 5; 8 left 5");
  }

  TEST_CASE("a watcher is told the kinds it asked for, and no others") {
    CHECK(eventful(sim::kinds<sim::PlanRecord>()) == "0 plan 2 at 4 spare 2");
    CHECK(eventful(sim::kinds<sim::RejectRecord, sim::LeftRecord>()) ==
          "0 too wide 4; 0 reject 3; 8 left 5");
    CHECK(eventful(0).empty());
  }

  TEST_CASE("kinds are bits of their own") {
    const std::set<sim::RecordKinds> bits{
        sim::kinds<sim::SubmitRecord>(), sim::kinds<sim::RejectRecord>(),
        sim::kinds<sim::StartRecord>(), sim::kinds<sim::PassRecord>()};
    CHECK(bits.size() == 4);
    CHECK(sim::kinds<sim::SubmitRecord>() == 1);
    CHECK(sim::kinds<sim::SubmitRecord, sim::RejectRecord>() == 3);
    CHECK(sim::kinds<>() == 0);
  }

  TEST_CASE("two watchers with different wishes do not disturb each other") {
    const std::vector jobs{a_job(1, 0, 1, 2)};
    ScriptedPolicy policy(fcfs);
    Told ends(sim::kinds<sim::EndRecord>());
    Told passes(sim::kinds<sim::PassRecord>());
    Simulation simulation(a_machine(1), {}, jobs, policy,
                          make_model(a_machine(1), jobs));
    simulation.audience().observe(ends);
    simulation.audience().observe(passes);
    (void)simulation.advance(kNever);
    simulation.finish();
    CHECK(ends.text == "2 end 1");
    CHECK(passes.text == "0 pass 1; 2 pass 2");
    CHECK(ends.finished == passes.finished);
  }

  TEST_CASE("a pass tells how many actions it made; that many records came before it") {
    class Counting : public sim::Observer {
     public:
      [[nodiscard]] sim::RecordKinds wants() const override {
        return sim::kinds<sim::StartRecord, sim::PassRecord>();
      }
      void note(const sim::Record& record) override {
        if (const auto* pass = std::get_if<sim::PassRecord>(&record)) {
          CHECK(pass->actions == starts);
          total += starts;
          starts = 0;
        } else {
          ++starts;
        }
      }
      void finish(Time) override {}
      std::int64_t starts = 0;
      std::int64_t total = 0;
    };
    const auto jobs = random_jobs(5, {50, 8});
    ScriptedPolicy policy(easy);
    Counting counting;
    Simulation simulation(a_machine(8), {}, jobs, policy,
                          make_model(a_machine(8), jobs));
    simulation.audience().observe(counting);
    (void)simulation.advance(kNever);
    CHECK(counting.total == 50);
  }

  TEST_CASE("the same run twice tells the same records") {
    const auto jobs = random_jobs(9, {60, 8, false, true});
    ScriptedPolicy policy(conservative);
    const auto once = told(jobs, a_machine(8), policy, {}, sim::kAllKinds);
    CHECK(once.size() > 5000);
    CHECK(told(jobs, a_machine(8), policy, {}, sim::kAllKinds) == once);
  }

  TEST_CASE("a rejected job gives up its reservation, and that is told first") {
    ScriptedPolicy policy([](Simulation& world) {
      if (world.world().now() > 0) return;
      (void)sim::Book(world).place(JobId{0});
      world.actions().reject(JobId{0});
      CHECK(world.parts().world.book().of(JobId{0}) == std::nullopt);
    });
    CHECK(told({a_job(1, 0, 1, 1)}, a_machine(1), policy, {},
               sim::kinds<sim::ReservationRecord, sim::RejectRecord>()) ==
          "0 book 1 0; 0 book 1 drop; 0 reject 1");
  }
}

// What can become of a job: too wide, overrun, left behind; and what hooks may do.

#include <doctest/doctest.h>

#include <type_traits>

#include "engine/sim/selection.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Simulation;

constexpr auto kLife =
    sim::kinds<sim::SubmitRecord, sim::RejectRecord, sim::StartRecord,
               sim::SuspendRecord, sim::EndRecord, sim::LeftRecord>();

// A policy says what the engine's work is charged to, or does not compile.
struct WithoutBudget : sim::Policy {
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  void schedule(Simulation&) override {}
  sim::PolicyTraits traits_;
};
static_assert(std::is_abstract_v<WithoutBudget>);

// A policy whose hooks are functions.
class Hooks : public sim::Policy {
 public:
  using Hook = std::function<void(Simulation&, JobId)>;
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return test::unlimited(); }
  void schedule(Simulation& world) override {
    ++passes;
    fcfs(world);
  }
  void on_submit(Simulation& world, JobId job) override {
    if (submit) submit(world, job);
  }
  void on_end(Simulation& world, JobId job) override {
    if (end) end(world, job);
  }
  Hook submit;
  Hook end;
  std::int64_t passes = 0;

 private:
  sim::PolicyTraits traits_;
};

std::string life(std::vector<Job> jobs, const sim::Machine& machine,
                 ScriptedPolicy::Schedule schedule = fcfs) {
  ScriptedPolicy policy(std::move(schedule));
  return told(std::move(jobs), machine, policy, {}, kLife);
}

sim::Machine killing(std::int32_t processors) {
  auto machine = a_machine(processors);
  machine.overrun = sim::Overrun::kKill;
  return machine;
}

}  // namespace

TEST_SUITE("sim/life") {
  TEST_CASE("a job wider than the machine is submitted and rejected by the machine") {
    CHECK(life({a_job(1, 0, 5, 3), a_job(2, 0, 4, 3)}, a_machine(4)) ==
          "0 submit 1; 0 too wide 1; 0 submit 2; 0 start 2 on 0-3; 3 end 2");
  }

  TEST_CASE("a job too wide makes a pass, has no hook and keeps nothing alive") {
    Hooks policy;
    policy.submit = [](Simulation&, JobId) { FAIL("a hook for a job too wide"); };
    const auto outcome = run({a_job(1, 7, 5, 3)}, a_machine(4), policy);
    CHECK(policy.passes == 1);
    CHECK(outcome.watched.rejected == std::vector<std::int64_t>{1});
    CHECK(outcome.watched.finished_at == seconds(7));
  }

  TEST_CASE(
      "jobs that wait when nothing can happen any more are left, which is no error") {
    CHECK(life({a_job(1, 0, 1, 3), a_job(2, 0, 1, 3)}, a_machine(4),
               [](Simulation& world) {
                 if (world.world().now() == 0) (void)world.actions().start(JobId{1});
               }) == "0 submit 1; 0 submit 2; 0 start 2 on 0; 3 end 2; 3 left 1");
  }

  TEST_CASE("a run that is finished early leaves running jobs on their processors") {
    const std::vector jobs{a_job(1, 0, 2, 50), a_job(2, 0, 1, 3), a_job(3, 9, 1, 1)};
    ScriptedPolicy policy(fcfs);
    Told events(sim::kinds<sim::LeftRecord>());
    Simulation simulation(a_machine(4), {}, jobs, policy,
                          make_model(a_machine(4), jobs));
    simulation.audience().observe(events);
    (void)simulation.advance(seconds(5));
    simulation.finish();
    CHECK(events.text == "3 left 1 on 0-1");  // the last event was at 3; 3 never came
  }

  TEST_CASE("run_on: a job that outlives its walltime goes on to its length") {
    CHECK(life({a_job(1, 0, 1, 9, 6)}, a_machine(4)) ==
          "0 submit 1; 0 start 1 on 0; 9 end 1");
  }

  TEST_CASE("kill: a job that outlives its walltime fails there") {
    CHECK(life({a_job(1, 0, 1, 9, 6), a_job(2, 0, 1, 6, 6), a_job(3, 0, 1, 5, 6)},
               killing(4)) ==
          "0 submit 1; 0 submit 2; 0 submit 3; 0 start 1 on 0; 0 start 2 on 1; "
          "0 start 3 on 2; 5 end 3; 6 kill 1; 6 end 2");
  }

  TEST_CASE(
      "kill: a walltime of 0 ends a job at its start, whatever is planned for it") {
    CHECK(life({a_job(1, 2, 1, 9, 0)}, killing(4)) ==
          "2 submit 1; 2 start 1 on 0; 2 kill 1");
  }

  TEST_CASE("kill: time in suspension does not count against the walltime") {
    auto machine = killing(4);
    machine.preemption = true;
    CHECK(
        life({a_job(1, 0, 1, 9, 6), a_job(2, 4, 1, 3)}, machine,
             [](Simulation& world) {
               if (world.world().now() == seconds(4)) world.actions().suspend(JobId{0});
               if (world.world().now() == seconds(4))
                 return (void)world.actions().start(JobId{1});
               fcfs(world);
             }) ==
        "0 submit 1; 0 start 1 on 0; 4 submit 2; 4 suspend 1; 4 start 2 on 0; 7 end 2; "
        "7 resume 1 on 0; 9 kill 1");
  }

  TEST_CASE("a job of no length needs its processors at its instant") {
    CHECK(
        life({a_job(1, 0, 3, 5), a_job(2, 1, 2, 0), a_job(3, 1, 4, 0)}, a_machine(4)) ==
        "0 submit 1; 0 start 1 on 0-2; 1 submit 2; 1 submit 3; 5 end 1; "
        "5 start 2 on 0-1; 5 end 2; 5 start 3 on 0-3; 5 end 3");
  }

  TEST_CASE("processors come from the lower or the upper end, as the machine says") {
    auto machine = a_machine(6);
    machine.pick = Pick::kHighest;
    CHECK(
        life({a_job(1, 0, 2, 5), a_job(2, 0, 3, 6)}, machine) ==
        "0 submit 1; 0 submit 2; 0 start 1 on 4-5; 0 start 2 on 1-3; 5 end 1; 6 end 2");
  }

  TEST_CASE("a job may be told which processors it must use") {
    CHECK(life({a_job(1, 0, 2, 5), a_job(2, 0, 2, 5)}, a_machine(6),
               [](Simulation& world) {
                 if (world.world().now() > 0) return;
                 const Placement upper(IntervalSet(3, 5));
                 CHECK(world.actions().start(JobId{0}, {&upper}));
                 const auto second = world.actions().start(JobId{1}, {&upper});
                 CHECK(second.reason() == Refusal::kBusy);
               }) == "0 submit 1; 0 submit 2; 0 start 1 on 3-4; 5 end 1; 5 left 2");
  }

  TEST_CASE("a start that does not fit is busy and changes nothing") {
    CHECK(life({a_job(1, 0, 3, 5), a_job(2, 0, 2, 5)}, a_machine(4),
               [](Simulation& world) {
                 if (world.world().now() > 0) return;
                 CHECK(world.actions().start(JobId{0}));
                 const auto answer = world.actions().start(JobId{1});
                 REQUIRE_FALSE(answer);
                 CHECK(answer.reason() == Refusal::kBusy);
                 CHECK(world.world().jobs()[JobId{1}].state == JobState::kWaiting);
                 CHECK(world.queue(0).length() == 1);
                 CHECK(world.world().hosts().idle() == 1);
               }) == "0 submit 1; 0 submit 2; 0 start 1 on 0-2; 5 end 1; 5 left 2");
  }

  TEST_CASE("a wrong call names the job, its state and the time, and changes nothing") {
    auto machine = a_machine(4);
    machine.preemption = true;
    const std::vector jobs{a_job(11, 0, 1, 2), a_job(12, 0, 1, 9), a_job(13, 0, 1, 9),
                           a_job(14, 0, 1, 9)};
    ScriptedPolicy policy([](Simulation& world) {
      if (world.world().now() == 0) {
        CHECK(world.actions().start(JobId{0}));
        CHECK(world.actions().start(JobId{1}));
        world.actions().reject(JobId{2});
        CHECK(wrong_call([&] { (void)world.actions().start(JobId{1}); }) ==
              "start: job 12 is running (t=0)");
        CHECK(wrong_call([&] { world.actions().suspend(JobId{3}); }) ==
              "suspend: job 14 is waiting (t=0)");
        CHECK(wrong_call([&] { world.actions().reject(JobId{1}); }) ==
              "reject: job 12 is running (t=0)");
        CHECK(wrong_call([&] { (void)world.actions().reserve(JobId{2}); }) ==
              "reserve: job 13 has already been rejected (t=0)");
        return;
      }
      CHECK(wrong_call([&] {
              (void)world.actions().start(JobId{0});
            }).find("start: job 11 has already finished (t=") == 0);
      CHECK(wrong_call([&] {
              (void)world.actions().why_not(JobId{0}, {});
            }).find("why_not: job 11 has already finished (t=") == 0);
      fcfs(world);
    });
    CHECK(
        told(jobs, machine, policy, {}, kLife) ==
        "0 submit 11; 0 submit 12; 0 submit 13; 0 submit 14; 0 start 11 on 0; "
        "0 start 12 on 1; 0 reject 13; 2 end 11; 2 start 14 on 0; 9 end 12; 11 end 14");
  }

  TEST_CASE("a machine that allows no preemption says how to allow it") {
    (void)life({a_job(1, 0, 1, 5)}, a_machine(4), [](Simulation& world) {
      fcfs(world);
      if (world.world().running().size() == 0) return;
      CHECK(wrong_call([&] { world.actions().suspend(JobId{0}); }) ==
            "suspend: this machine allows no preemption (machine.preemption = true "
            "permits it)");
      CHECK(world.world().jobs()[JobId{0}].state == JobState::kRunning);
    });
  }

  TEST_CASE(
      "hooks may reject, wake and give a reason; a job rejected has no hook later") {
    Hooks policy;
    std::string asked;
    policy.submit = [&](Simulation& world, JobId job) {
      asked += std::to_string(world.world().jobs().job(job).id) + " ";
      if (job != JobId{0}) return;
      world.actions().because("no room for both");
      world.actions().reject(JobId{1});
      world.actions().wake_at(seconds(2));
    };
    CHECK(told({a_job(1, 0, 1, 5), a_job(2, 0, 1, 5), a_job(3, 0, 1, 1)}, a_machine(4),
               policy, {}, kLife) ==
          "0 submit 1; 0 submit 2; 0 submit 3; 0 reject 2 (no room for both); "
          "0 start 1 on 0; 0 start 3 on 1; 1 end 3; 5 end 1");
    CHECK(asked == "1 3 ");
    CHECK(policy.passes == 4);  // at 0, 1, 2 and 5
  }

  TEST_CASE("every other action raises in a hook and does nothing") {
    Hooks policy;
    const auto try_all = [](Simulation& world, JobId job) {
      CHECK(wrong_call([&] { (void)world.actions().start(job); }) ==
            "start: not allowed in a hook");
      CHECK(wrong_call([&] { world.actions().suspend(job); }) ==
            "suspend: not allowed in a hook");
      CHECK(wrong_call([&] { (void)world.actions().reserve(job); }) ==
            "reserve: not allowed in a hook");
    };
    policy.submit = try_all;
    policy.end = try_all;
    CHECK(told({a_job(1, 0, 1, 5)}, a_machine(4), policy, {}, kLife) ==
          "0 submit 1; 0 start 1 on 0; 5 end 1");
  }

  TEST_CASE("outside a decision nothing may be done") {
    const std::vector jobs{a_job(1, 0, 1, 5)};
    ScriptedPolicy policy([](Simulation&) {});
    Simulation simulation(a_machine(4), {}, jobs, policy,
                          make_model(a_machine(4), jobs));
    (void)simulation.advance(0);
    CHECK(wrong_call([&] { (void)simulation.actions().start(JobId{0}); }) ==
          "start: not allowed in no decision");
    CHECK(wrong_call([&] { simulation.actions().wake_at(seconds(9)); }) ==
          "wake_at: not allowed in no decision");
  }

  TEST_CASE("a reason goes with the next action of its decision, and with no other") {
    auto machine = a_machine(4);
    machine.preemption = true;
    CHECK(life({a_job(1, 0, 1, 9), a_job(2, 0, 1, 3), a_job(3, 3, 1, 9)}, machine,
               [](Simulation& world) {
                 if (world.world().now() == 0) {
                   world.actions().because("forgotten");
                   world.actions().because("first");
                   CHECK(world.actions().start(JobId{0}));
                   CHECK(world.actions().start(JobId{1}));
                   world.actions().because("of no later decision");
                 } else if (world.world().now() == seconds(3)) {
                   CHECK(world.actions().start(JobId{2}));
                   world.actions().because("makes room");
                   world.actions().suspend(JobId{0});
                 } else {
                   world.actions().because("back");
                   fcfs(world);
                 }
               }) ==
          "0 submit 1; 0 submit 2; 0 start 1 on 0 (first); 0 start 2 on 1; 3 end 2; "
          "3 submit 3; 3 start 3 on 1; 3 suspend 1 (makes room); 12 end 3; "
          "12 resume 1 on 0 (back); 18 end 1");
  }

  TEST_CASE("a reason longer than 120 bytes is a wrong call") {
    (void)life({a_job(1, 0, 1, 1)}, a_machine(4), [](Simulation& world) {
      CHECK(
          wrong_call([&] { world.actions().because(std::string(120, 'x')); }).empty());
      CHECK(wrong_call([&] { world.actions().because(std::string(121, 'x')); }) ==
            "because: the reason has 121 bytes, at most 120 are kept");
      fcfs(world);
    });
  }
}

// What comes first at one instant, and when the policy is called
// (docs/model.md#events).

#include <doctest/doctest.h>

#include "engine/sim/selection.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr auto kOrder = sim::kinds<sim::SubmitRecord, sim::EndRecord,
                                   sim::UnfreezeRecord, sim::PassRecord>();
constexpr auto kCourse =
    sim::kinds<sim::SubmitRecord, sim::StartRecord, sim::EndRecord, sim::PassRecord>();

// Starts what fits in order of arrival, and notes the hooks it sees.
class Hooked : public sim::Policy {
 public:
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return test::unlimited(); }
  void schedule(sim::Simulation& world) override {
    note(world, "pass", "");
    causes.push_back(world.world().decision().causes);
    fcfs(world);
  }
  void on_submit(sim::Simulation& world, JobId job) override {
    note(world, "in ", std::to_string(world.world().jobs().job(job).id));
  }
  void on_end(sim::Simulation& world, JobId job) override {
    note(world, "out ", std::to_string(world.world().jobs().job(job).id));
  }
  std::string seen;
  std::vector<sim::Causes> causes;

 private:
  void note(const sim::Simulation& world, std::string_view what,
            const std::string& job) {
    if (!seen.empty()) seen += "; ";
    seen += fmt::format("{} {}{}", seconds_text(world.world().now()), what, job);
  }
  sim::PolicyTraits traits_;
};

// At 5 jobs 1 and 2 end, and jobs 3 and 4 arrive.
std::vector<Job> two_out_two_in() {
  return {a_job(1, 0, 1, 5), a_job(2, 0, 1, 5), a_job(3, 5, 1, 1), a_job(4, 5, 1, 1)};
}

std::string order(const sim::Settings& settings) {
  ScriptedPolicy policy(fcfs);
  return told(two_out_two_in(), a_machine(2), policy, settings, kOrder);
}

sim::Settings per_event(Ties ties) {
  sim::Settings settings;
  settings.pass = sim::PassMode::kEvent;
  settings.ties = ties;
  return settings;
}

}  // namespace

TEST_SUITE("sim/event_order") {
  TEST_CASE("at one instant ends come before arrivals, each by number, then one pass") {
    CHECK(order({}) ==
          "0 submit 1; 0 submit 2; 0 pass 1; 5 end 1; 5 end 2; 5 submit 3; 5 submit 4; "
          "5 pass 2; 6 end 3; 6 end 4; 6 pass 3");
  }

  TEST_CASE("with submits_first arrivals come before ends") {
    sim::Settings settings;
    settings.ties = Ties::kSubmitsFirst;
    CHECK(order(settings) ==
          "0 submit 1; 0 submit 2; 0 pass 1; 5 submit 3; 5 submit 4; 5 end 1; 5 end 2; "
          "5 pass 2; 6 end 3; 6 end 4; 6 pass 3");
  }

  TEST_CASE("with pass = event there is a pass after every single event") {
    CHECK(order(per_event(Ties::kEndsFirst)) ==
          "0 submit 1; 0 pass 1; 0 submit 2; 0 pass 2; 5 end 1; 5 pass 3; 5 end 2; "
          "5 pass 4; 5 submit 3; 5 pass 5; 5 submit 4; 5 pass 6; 6 end 3; 6 pass 7; "
          "6 end 4; 6 pass 8");
    CHECK(order(per_event(Ties::kSubmitsFirst)) ==
          "0 submit 1; 0 pass 1; 0 submit 2; 0 pass 2; 5 submit 3; 5 pass 3; "
          "5 submit 4; 5 pass 4; 5 end 1; 5 pass 5; 5 end 2; 5 pass 6; 6 end 3; "
          "6 pass 7; 6 end 4; 6 pass 8");
  }

  TEST_CASE("the hooks of an instant run before its pass: ends, then arrivals") {
    for (const auto ties : {Ties::kEndsFirst, Ties::kSubmitsFirst}) {
      Hooked policy;
      sim::Settings settings;
      settings.ties = ties;
      (void)run(two_out_two_in(), a_machine(2), policy, settings);
      CHECK(
          policy.seen ==
          "0 in 1; 0 in 2; 0 pass; 5 out 1; 5 out 2; 5 in 3; 5 in 4; 5 pass; 6 out 3; "
          "6 out 4; 6 pass");
    }
  }

  TEST_CASE("with pass = event each hook has a pass of its own") {
    Hooked policy;
    (void)run({a_job(1, 0, 1, 5), a_job(2, 5, 1, 1)}, a_machine(2), policy,
              per_event(Ties::kEndsFirst));
    CHECK(policy.seen ==
          "0 in 1; 0 pass; 5 out 1; 5 pass; 5 in 2; 5 pass; 6 out 2; 6 pass");
  }

  TEST_CASE("on_end goes by job number, not by the order in which jobs started") {
    Hooked policy;
    // Job 2 is started at 0, job 1 at 3; both end at 5.
    (void)run({a_job(1, 0, 2, 2), a_job(2, 0, 1, 5), a_job(3, 0, 1, 3)}, a_machine(3),
              policy);
    CHECK(policy.seen ==
          "0 in 1; 0 in 2; 0 in 3; 0 pass; 2 out 1; 2 pass; 5 out 2; "
          "5 out 3; 5 pass");
  }

  TEST_CASE("a pass is told what led to it, and nothing else") {
    Hooked policy;
    (void)run(two_out_two_in(), a_machine(2), policy);
    CHECK(policy.causes ==
          std::vector<sim::Causes>{sim::kSubmit, sim::kSubmit | sim::kEnd, sim::kEnd});
  }

  TEST_CASE("a job of no length ends at its instant, and a further pass follows") {
    ScriptedPolicy policy(fcfs);
    CHECK(told({a_job(1, 3, 2, 0), a_job(2, 3, 2, 4)}, a_machine(2), policy, {},
               kCourse) ==
          "3 submit 1; 3 submit 2; 3 start 1 on 0-1; 3 pass 1; 3 end 1; "
          "3 start 2 on 0-1; 3 pass 2; 7 end 2; 7 pass 3");
  }

  TEST_CASE("a resume without cost and a thaw come behind ends and before arrivals") {
    auto machine = a_machine(2);
    machine.preemption = true;
    machine.migration_cost = seconds(2);
    // Job 1 stops at 1, resumes at 1 and thaws at 3, when job 2 ends and job 3 comes.
    const auto jobs = {a_job(1, 0, 1, 5), a_job(2, 0, 1, 3), a_job(3, 3, 1, 1),
                       a_job(4, 1, 2, 1)};
    bool moved = false;
    ScriptedPolicy policy([&](sim::Simulation& world) {
      fcfs(world);
      if (world.world().now() == seconds(1) && !std::exchange(moved, true)) {
        world.actions().suspend(JobId{0});
        CHECK(world.actions().start(JobId{0}));
      }
    });
    CHECK(told(jobs, machine, policy, {}, kOrder) ==
          "0 submit 1; 0 submit 2; 0 pass 1; 1 submit 4; 1 pass 2; 3 end 2; 3 thaw 1; "
          "3 submit 3; 3 pass 3; 7 end 1; 7 pass 4; 8 end 4; 8 pass 5; 9 end 3; 9 pass "
          "6");
  }

  TEST_CASE("the run begins and the clock stands at the first submit time") {
    ScriptedPolicy policy(fcfs);
    CHECK(told({a_job(1, 1000, 1, 5)}, a_machine(1), policy, {},
               sim::kinds<sim::CapacityRecord, sim::PassRecord>()) ==
          "1000 capacity 1; 1000 pass 1; 1005 pass 2");
  }

  TEST_CASE("advance stops behind the instant asked for, and goes on later") {
    ScriptedPolicy policy(fcfs);
    const std::vector jobs{a_job(1, 0, 1, 5), a_job(2, 5, 1, 5)};
    sim::Simulation simulation(a_machine(1), {}, jobs, policy,
                               make_model(a_machine(1), jobs));
    Told events(kOrder);
    simulation.audience().observe(events);
    CHECK(simulation.advance(seconds(4)));
    CHECK(events.text == "0 submit 1; 0 pass 1");
    CHECK(simulation.advance(seconds(5)));
    CHECK(simulation.world().now() == seconds(5));
    CHECK_FALSE(simulation.advance(seconds(10)));
    simulation.finish();
    CHECK(events.finished == std::vector<Time>{seconds(10)});
  }

  TEST_CASE("a run without jobs is over at once") {
    ScriptedPolicy policy([](sim::Simulation&) { FAIL("a pass"); });
    CHECK(told({}, a_machine(1), policy, {}, kOrder).empty());
  }

  TEST_CASE("two simulations in one process do not know of each other") {
    const std::vector jobs{a_job(1, 0, 2, 5), a_job(2, 1, 2, 5)};
    ScriptedPolicy policy(fcfs);
    Told first(kCourse);
    Told second(kCourse);
    sim::Simulation one(a_machine(2), {}, jobs, policy, make_model(a_machine(2), jobs));
    sim::Simulation two(a_machine(4), {}, jobs, policy, make_model(a_machine(4), jobs));
    one.audience().observe(first);
    two.audience().observe(second);
    for (std::int64_t t = 0; t <= 20; ++t) {
      (void)one.advance(seconds(t));
      (void)two.advance(seconds(t));
    }
    CHECK(first.text ==
          "0 submit 1; 0 start 1 on 0-1; 0 pass 1; 1 submit 2; 1 pass 2; "
          "5 end 1; 5 start 2 on 0-1; 5 pass 3; 10 end 2; 10 pass 4");
    CHECK(second.text ==
          "0 submit 1; 0 start 1 on 0-1; 0 pass 1; 1 submit 2; 1 start 2 on 2-3; "
          "1 pass 2; 5 end 1; 5 pass 3; 6 end 2; 6 pass 4");
  }
}

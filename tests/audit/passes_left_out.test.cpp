// P1: a policy that declares passes = "when_a_job_fits" does nothing at the others.

#include <doctest/doctest.h>

#include "engine/audit/auditor.hpp"
#include "engine/sim/book.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/audits.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Simulation;

// Four processors: from 1 on job 2 waits, and fits again at 10; job 3 comes at 4.
const std::vector<Job>& jobs() {
  static const std::vector kJobs{a_job(1, 0, 4, 10), a_job(2, 1, 2, 5),
                                 a_job(3, 4, 2, 5)};
  return kJobs;
}

sim::PolicyTraits leaving_out() {
  sim::PolicyTraits traits;
  traits.label = "hasty";
  traits.passes = sim::Passes::kWhenAJobFits;
  return traits;
}

struct Verdict {
  std::string violation;
  std::int64_t judged = 0;  // passes
  std::string told;
};

Verdict verdict(sim::Policy& policy,
                audit::Thoroughness thoroughness = audit::Thoroughness::kFull) {
  auto machine = a_machine(4);
  machine.preemption = true;
  audit::Auditor auditor({machine, {}, jobs(), policy.traits()},
                         law_of(machine, jobs()), thoroughness);
  Told told(sim::kAllKinds);
  Simulation simulation(machine, {}, jobs(), policy, make_model(machine, jobs()));
  simulation.audience().observe(auditor);
  simulation.audience().observe(told);
  try {
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const audit::AuditFailure& failure) {
    return {failure.violation().text(), 0, told.text};
  }
  return {"", auditor.checked()["P1"], told.text};
}

// Draws a number when its function says so.
class Drawing final : public ScriptedPolicy {
 public:
  using Draws = std::function<bool(Simulation&)>;
  Drawing(Draws draws, sim::PolicyTraits traits)
      : ScriptedPolicy({}, std::move(traits)), draws_(std::move(draws)) {}
  void schedule(Simulation& world) override { drawn_ += draws_(world) ? 1 : 0; }
  [[nodiscard]] std::int64_t drawn() const override { return drawn_; }

 private:
  Draws draws_;
  std::int64_t drawn_ = 0;
};

std::string violation(ScriptedPolicy::Schedule schedule) {
  ScriptedPolicy policy(std::move(schedule), leaving_out());
  return verdict(policy).violation;
}

std::string broken(std::string_view at, std::string_view act) {
  return fmt::format(
      "passes left out broken (P1, docs/model.md#p1) at t={}: policy hasty declares "
      "passes = \"when_a_job_fits\", but in a pass at which no job fits {}",
      at, act);
}

}  // namespace

TEST_SUITE("audit/passes_left_out") {
  TEST_CASE("a policy that does nothing at them passes, with the same records") {
    ScriptedPolicy policy(easy, leaving_out());
    const auto full = verdict(policy);
    CHECK(full.violation.empty());
    CHECK(full.judged == 3);  // at 1, 4 and 15
    const auto light = verdict(policy, audit::Thoroughness::kLight);
    CHECK(light.judged == 0);
    CHECK(light.told == full.told);
  }

  TEST_CASE("a policy that sets a wake-up is found") {
    CHECK(violation([](Simulation& world) {
            fcfs(world);
            if (world.world().now() >= seconds(3)) world.actions().wake_at(seconds(30));
          }) == broken("4", "it set a wake-up at 30"));
    CHECK(violation([](Simulation& world) {
            fcfs(world);
            if (world.world().now() == 0) world.actions().wake_at(seconds(30));
            if (world.world().now() == seconds(1))
              world.actions().wake_at(std::nullopt);
          }) == broken("1", "it cleared its wake-up"));
  }

  TEST_CASE("a policy that suspends or rejects jobs is found") {
    CHECK(violation([](Simulation& world) {
            fcfs(world);
            if (world.world().now() == seconds(4)) world.actions().suspend(JobId{0});
          }) == broken("4", "it suspended job 1"));
    CHECK(violation([](Simulation& world) {
            fcfs(world);
            if (world.world().now() == seconds(4)) world.actions().reject(JobId{2});
          }) == broken("4", "it rejected job 3"));
  }

  TEST_CASE("a policy that makes reservations in its book is found") {
    CHECK(violation([](Simulation& world) {
            sim::Book(world).update(0, Compress::kEarlyEnds);
            fcfs(world);
          }) == broken("1", "it changed the reservation of job 2"));
    CHECK(violation(conservative) == broken("1", "it set a wake-up at 10"));
  }

  TEST_CASE("a policy that draws a random number is found") {
    Drawing policy(
        [](Simulation& world) {
          fcfs(world);
          return world.world().now() == seconds(4);
        },
        leaving_out());
    CHECK(verdict(policy).violation == broken("4", "it drew a random number"));
    Drawing honest(
        [](Simulation& world) {
          fcfs(world);
          return world.world().now() == seconds(10);
        },
        leaving_out());
    CHECK(verdict(honest).violation.empty());
  }

  TEST_CASE("a script that draws to decide whether to start is found") {
    const auto policy = policy_of(
        "return { passes = 'when_a_job_fits', schedule = function(queue, cluster) if "
        "cluster:random(2) < 3 then cluster:start_all(queue) end end }");
    CHECK(
        verdict(*policy).violation ==
        "passes left out broken (P1, docs/model.md#p1) at t=1: policy policy declares "
        "passes = \"when_a_job_fits\", but in a pass at which no job fits it drew a "
        "random number");
    const auto honest = policy_of(
        "return { passes = 'when_a_job_fits', schedule = function(queue, cluster) for "
        "job in queue:fitting() do if cluster:random(2) < 3 then cluster:start(job) "
        "end "
        "end end }");
    CHECK(verdict(*honest).violation.empty());
  }

  TEST_CASE("a policy that wants every pass may do what it likes") {
    auto traits = leaving_out();
    traits.passes = sim::Passes::kEvery;
    ScriptedPolicy policy(conservative, traits);
    CHECK(verdict(policy).violation.empty());
    CHECK(verdict(policy).judged == 0);
  }
}

// Records in which all laws are seen to hold at once are judged as all others are.

#include <doctest/doctest.h>

#include "engine/audit/auditor.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/audits.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Hands every record to an auditor as one of those that are looked at closely.
class Closely final : public sim::Observer {
 public:
  explicit Closely(audit::Auditor& auditor) : auditor_(auditor) {}
  [[nodiscard]] sim::RecordKinds wants() const override { return auditor_.wants(); }
  void note(const sim::Record& record) override { auditor_.note(record); }
  void finish(Time at) override { auditor_.finish(at); }

 private:
  audit::Auditor& auditor_;
};

struct Verdict {
  std::string violation;
  std::map<std::string, std::int64_t> checked;
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

enum class Look : std::uint8_t { kUsual, kClose };

struct Case {
  std::vector<Job> jobs;
  ScriptedPolicy::Schedule schedule;
  bool kills = false;
};

Verdict verdict(const Case& told, Look look) {
  sim::PolicyTraits traits;
  traits.promise = sim::Promise::kEasy;
  ScriptedPolicy policy(told.schedule, traits);
  auto machine = a_machine(8);
  machine.preemption = true;
  machine.overrun = told.kills ? sim::Overrun::kKill : sim::Overrun::kRunOn;
  audit::Auditor auditor({machine, {}, told.jobs, traits}, law_of(machine, told.jobs),
                         audit::Thoroughness::kLight);
  Closely closely(auditor);
  sim::Simulation simulation(machine, {}, told.jobs, policy,
                             make_model(machine, told.jobs));
  if (look == Look::kUsual) simulation.audience().observe(auditor);
  if (look == Look::kClose) simulation.audience().observe(closely);
  try {
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const audit::AuditFailure& failure) {
    return {in_short(failure.violation()), {}};
  }
  return {"", auditor.checked()};
}

void first_fit(sim::Simulation& world) {
  auto walk = sim::Selection::fitting(0);
  while (const auto job = walk.next(world)) (void)world.actions().start(*job);
}

// Easy, and now and then a job that has only just come back is suspended.
void easy_with_suspensions(sim::Simulation& world) {
  easy(world);
  if (world.world().decision().number % 3 != 0 || world.world().running().size() == 0)
    return;
  world.actions().suspend(
      world.world().running().releases(world.world().now()).back().job);
}

// How many of the random runs broke a promise; each is judged alike by both looks.
int broken_of(int runs, const ScriptedPolicy::Schedule& schedule) {
  int broken = 0;
  for (int run = 0; run < runs; ++run) {
    CAPTURE(run);
    const auto seed = static_cast<std::uint64_t>(run);
    const Case told{random_jobs(seed, {40, 8, run % 2 == 0, run % 4 == 1}), schedule,
                    run % 3 == 0};
    const auto usual = verdict(told, Look::kUsual);
    CHECK(usual == verdict(told, Look::kClose));
    if (!usual.violation.empty()) ++broken;
  }
  return broken;
}

}  // namespace

TEST_SUITE("audit/plain_records") {
  TEST_CASE("a policy that keeps its promise is judged as often by either look") {
    CHECK(broken_of(60, easy) == 0);
  }

  TEST_CASE("a policy that breaks its promise is found by either look alike") {
    CHECK(broken_of(60, first_fit) > 20);
  }

  TEST_CASE("suspended jobs are judged by either look alike") {
    (void)broken_of(60, easy_with_suspensions);
  }
}

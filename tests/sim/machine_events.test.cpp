#include "engine/sim/machine_events.hpp"

#include <doctest/doctest.h>

#include "engine/machines/exclusive/exclusive.hpp"
#include "engine/sim/agenda.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Four processors, one each, of which jobs are told something.
class Belled : public SharingModel, public sim::MachineEvents {
 public:
  Belled() : SharingModel(4, {.fits_by_count = true}), pool_(4, Pick::kLowest) {}
  [[nodiscard]] Result<Placement, Refusal> choose(
      JobId job, const Demand& demand, const Placement* where) const override {
    return pool_.choose(job, demand, where);
  }
  [[nodiscard]] bool fits(JobId job, const Demand& demand) const override {
    return pool_.fits(job, demand);
  }
  void put(JobId job, const Demand& demand, const Placement* placement,
           Affected& affected) override {
    Grant grant;
    REQUIRE_FALSE(pool_.grant(job, demand, placement, grant));
    pool_.take(grant, affected);
    set_idle(pool_.idle());
  }
  void leave(JobId job, Affected& affected) override {
    pool_.leave(job, affected);
    set_idle(pool_.idle());
  }
  void freeze(JobId job, Frozen frozen, Affected& affected) override {
    pool_.freeze(job, frozen, affected);
  }
  [[nodiscard]] double rate(JobId job) const override { return pool_.rate(job); }
  [[nodiscard]] const Placement& placement(JobId job) const override {
    return pool_.placement(job);
  }

  void happen_to(JobId job, sim::Simulation& simulation) override {
    heard += "job " + std::to_string(index(job)) + " at " +
             seconds_text(simulation.world().now()) + "; ";
  }
  void begin(sim::Simulation& simulation) override {
    auto& agenda = simulation.parts().world.state().agenda;
    agenda.add({seconds(7), EventKind::kOfMachine, 5, 0});
    agenda.add({seconds(8), EventKind::kOfMachine, 6, 0});
  }
  bool happen(std::uint32_t number, sim::Simulation& simulation) override {
    heard += "machine, " + std::to_string(number) + ", at " +
             seconds_text(simulation.world().now()) + "; ";
    return number == 5;
  }
  std::string heard;

 private:
  Exclusive pool_;
};

}  // namespace

TEST_SUITE("sim/machine_events") {
  TEST_CASE(
      "an event of a job goes to the machine, one of the machine to the policy if the "
      "machine says so") {
    std::vector<Job> jobs{a_job(1, 0, 4, 100), a_job(2, 0, 1, 5)};
    auto model = std::make_unique<Belled>();
    auto& belled = *model;
    std::string passes;
    ScriptedPolicy policy([&](sim::Simulation& simulation) {
      const auto causes = simulation.world().decision().causes;
      passes += seconds_text(simulation.world().now());
      passes += (causes & sim::kCapacityChanged) != 0 ? " of the machine; " : "; ";
      if (simulation.world().now() > 0) return;
      (void)simulation.actions().start(JobId{0});
      auto& world = simulation.parts().world;
      const auto version = world.jobs()[JobId{0}].version;
      auto& agenda = world.state().agenda;
      agenda.add({seconds(3), EventKind::kOfJob, 0, version});
      agenda.add({seconds(200), EventKind::kOfJob, 0, version});  // has left
    });
    sim::Simulation simulation(a_machine(4), {}, jobs, policy, std::move(model));
    (void)simulation.advance(seconds(300));
    simulation.finish();
    CHECK(belled.heard == "job 0 at 3; machine, 5, at 7; machine, 6, at 8; ");
    CHECK(passes == "0; 7 of the machine; 100; ");
  }
}

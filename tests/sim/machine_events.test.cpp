#include "engine/sim/machine_events.hpp"

#include <doctest/doctest.h>

#include "engine/machines/exclusive/exclusive.hpp"
#include "engine/reserve/reservation_book.hpp"
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
    REQUIRE(pool_.grant(job, demand, placement, grant));
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

// What the machine holds itself: a host that goes down at 5 s, is expected at 40 s, and
// comes back early or late.
//
// There are 12 processors, in one pool or on three hosts of four.  Job 1 has 6 until
// 20 s and is alone when the host goes down; job 2 comes at 1 s, needs 10 for 10 s, and
// could start at 20 s if nothing happened.  Job 3 comes at 6 s, needs 2 for 10 s, and
// is in nobody's way; job 4, of 7 s, needs 3 for 60 s.

namespace {

struct Times {
  std::int64_t down = 5;
  std::int64_t told = 40;
  std::int64_t up = 40;
};

// A machine whose processors 8 to 11 are away for a time.
template <class Model>
class Failing : public Model, public sim::MachineEvents {
 public:
  template <class... From>
  explicit Failing(const Times& times, From&&... from)
      : Model(std::forward<From>(from)...), times_(times) {}

  void begin(sim::Simulation& simulation) override {
    auto& agenda = simulation.parts().world.state().agenda;
    agenda.add({seconds(times_.down), EventKind::kOfMachine, 0, 0});
    agenda.add({seconds(times_.up), EventKind::kOfMachine, 1, 0});
  }
  bool happen(std::uint32_t number, sim::Simulation& simulation) override {
    const auto state = simulation.parts().world.state();
    const SystemClaim claim{0, 4, seconds(times_.told)};
    const JobId system = state.jobs.system_job(0);
    if (number == 0) {
      Grant grant;
      const Placement host(IntervalSet(8, 11));
      REQUIRE(this->grant(system, Demand(4), &host, grant));
      this->take(grant, state.affected);
      hold(simulation, claim);
    } else {
      this->leave(system, state.affected);
      give_back(simulation, claim);
    }
    return true;
  }

 private:
  Times times_;
};

const std::vector<Job>& jobs() {
  static const std::vector<Job> all{a_job(1, 0, 6, 20), a_job(2, 1, 10, 10),
                                    a_job(3, 6, 2, 10), a_job(4, 7, 3, 60)};
  return all;
}

std::unique_ptr<SharingModel> pool(const Times& times) {
  return std::make_unique<Failing<Exclusive>>(times, 12, Pick::kLowest);
}

// Each job is single processors anywhere; the claim is one chunk, all of a host.
std::unique_ptr<SharingModel> hosts(const Times& times) {
  Resources resources;
  resources.hosts = {{"a", 3, 4}};
  auto needs = std::make_shared<Needs>(1);
  for (const auto& job : jobs()) needs->add({1}, job.size, -1);
  needs->add({4}, 1, -1);
  return std::make_unique<Failing<Exclusive>>(times, 12, resources, std::move(needs),
                                              Pick::kLowest);
}

using Make = std::unique_ptr<SharingModel> (*)(const Times&);
constexpr std::array kForms{&pool, &hosts};

// First starts in seconds, by job.
std::map<std::int64_t, Time> starts(Make form, const Times& times,
                                    ScriptedPolicy::Schedule schedule) {
  ScriptedPolicy policy(std::move(schedule));
  sim::Simulation simulation(a_machine(12), {}, jobs(), policy, form(times));
  Remembering watched;
  simulation.audience().observe(watched);
  simulation.advance(kNever);
  simulation.finish();
  std::map<std::int64_t, Time> found;
  for (const auto& [job, span] : watched.spans) found[job] = Time(span.start);
  return found;
}

using Starts = std::map<std::int64_t, Time>;

}  // namespace

TEST_SUITE("sim/system_claims") {
  TEST_CASE("plan, book and earliest start agree while a host is down") {
    for (const auto form : kForms) {
      bool is_asked = false;
      (void)starts(form, {}, [&](sim::Simulation& simulation) {
        const Time now = simulation.world().now();
        if (now == 0) (void)simulation.actions().start(JobId{0});
        auto& book = simulation.parts().world.book();
        if (now == seconds(1)) {
          const auto plan = simulation.actions().reserve(JobId{1});
          CHECK(simulation.plans().at(plan.value()).start == seconds(20));
          CHECK(book.place({JobId{1}, 10, seconds(10)}, now) == seconds(20));
          CHECK(book.free_at(now, now) == 6);
        }
        if (now != seconds(5)) return;
        is_asked = true;
        CHECK((simulation.world().decision().causes & sim::kCapacityChanged) != 0);
        CHECK(simulation.world().hosts().idle() == 2);
        const auto plan = simulation.actions().reserve(JobId{1});
        CHECK(simulation.plans().at(plan.value()).start == seconds(40));
        CHECK(simulation.plans().at(plan.value()).spare == 2);
        const std::vector<Request> members{{JobId{1}, 10, seconds(10)}};
        CHECK(book.update(members, now, Compress::kEarlyEnds) == Updated::kRebuilt);
        CHECK(book.of(JobId{1}) == seconds(40));
        CHECK(book.free_at(now, now) == 2);
        CHECK(book.earliest(12, seconds(1), now, now) == seconds(50));
        book.drop(JobId{1});
        CHECK(book.earliest(10, seconds(10), now, now) == seconds(40));
        CHECK(book.earliest(8, seconds(10), now, now) == seconds(20));
      });
      CHECK(is_asked);
    }
  }

  TEST_CASE("a job wider than what is left waits for the host that is down") {
    for (const auto form : kForms) {
      for (const auto policy : {&easy, &conservative}) {
        CHECK(starts(form, {}, policy) == Starts{{1, 0}, {2, 40}, {3, 6}, {4, 50}});
      }
    }
  }

  TEST_CASE("a host that comes back before it is expected lets jobs start at once") {
    for (const auto form : kForms) {
      for (const auto policy : {&easy, &conservative}) {
        CHECK(starts(form, {5, 40, 25}, policy) ==
              Starts{{1, 0}, {2, 25}, {3, 6}, {4, 35}});
      }
    }
  }

  // The book plans anew at 40 s: the host is expected at 100 s, and until then there is
  // room for job 4.
  TEST_CASE("a host that is late is waited for as a job that overruns") {
    for (const auto form : kForms) {
      CHECK(starts(form, {5, 40, 70}, &easy) ==
            Starts{{1, 0}, {2, 70}, {3, 6}, {4, 80}});
      CHECK(starts(form, {5, 40, 70}, &conservative) ==
            Starts{{1, 0}, {2, 100}, {3, 6}, {4, 40}});
    }
  }
}

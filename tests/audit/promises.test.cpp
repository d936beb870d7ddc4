// R1 and R2: who promises and does not keep it is found, with the time and the job.

#include <doctest/doctest.h>

#include "engine/audit/auditor.hpp"
#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Promise;
using sim::Selection;
using sim::Simulation;

void first_fit(Simulation& world) {
  auto walk = Selection::fitting(0);
  while (const auto job = walk.next(world)) (void)world.start(*job);
}

// Makes reservations as conservative does, then starts whatever fits.
void reserving_first_fit(Simulation& world) {
  sim::Book(world).update(0, Compress::kEarlyEnds);
  first_fit(world);
  if (world.queue(0).empty()) return;
  sim::Book(world).rebuild(0);
  world.wake_at(world.book().next(world.now()));
}

// The violation of the run; "" if there is none.
std::string violation(std::vector<Job> jobs, std::int32_t processors, Promise promise,
                      ScriptedPolicy::Schedule schedule,
                      std::int64_t* judged = nullptr) {
  sim::PolicyTraits traits;
  traits.promise = promise;
  ScriptedPolicy policy(std::move(schedule), traits);
  const auto machine = a_machine(processors);
  audit::Auditor auditor({machine, {}, jobs, policy.traits()}, law_of(machine, jobs));
  Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
  simulation.observe(auditor);
  try {
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const audit::AuditFailure& failure) {
    return failure.violation().text();
  }
  if (judged != nullptr) {
    for (const auto* rule : {"R1", "R2"}) {
      const auto checked = auditor.checked();
      const auto at = checked.find(rule);
      if (at != checked.end()) *judged += at->second;
    }
  }
  return "";
}

// 10 processors: 1 (6) until 10, head 2 (8) from 10, 3 (4) fits now but until 20.
std::vector<Job> delaying() {
  return {a_job(1, 0, 6, 10), a_job(2, 0, 8, 5), a_job(3, 1, 4, 19)};
}

}  // namespace

TEST_SUITE("audit/promises") {
  TEST_CASE("first fit that promises EASY is found when it delays the head") {
    CHECK(
        violation(delaying(), 10, Promise::kEasy, first_fit) ==
        "R1 at t=1, job 2: it is head of the queue and was promised a start at 10, now "
        "20");
    CHECK(violation(delaying(), 10, Promise::kNone, first_fit).empty());
    CHECK(violation(delaying(), 10, Promise::kEasy, easy).empty());
  }

  TEST_CASE("a head that is not started at its shadow time is found") {
    const auto text =
        violation({a_job(1, 0, 8, 10), a_job(2, 0, 8, 5), a_job(3, 0, 2, 12)}, 10,
                  Promise::kEasy, [](Simulation& world) {
                    if (world.now() == 0) return easy(world);
                    if (world.now() >= seconds(12)) fcfs(world);
                  });
    CHECK(text.find("R1 at t=12, job 2: ") == 0);
  }

  TEST_CASE("first fit that promises EASY is found on most random workloads") {
    std::int64_t caught = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const auto jobs = random_jobs(seed, {40, 8, true});
      caught +=
          violation(jobs, 8, Promise::kEasy, first_fit).rfind("R1", 0) == 0 ? 1 : 0;
    }
    CHECK(caught > 80);
  }

  TEST_CASE("an overrun pardons the head, for no policy can keep what users break") {
    CHECK(
        violation({a_job(1, 0, 6, 20, 10), a_job(2, 0, 8, 5)}, 10, Promise::kEasy, easy)
            .empty());
  }

  TEST_CASE("reservations that move later break the promise of conservative") {
    CHECK(violation(delaying(), 10, Promise::kConservative, reserving_first_fit) ==
          "R2 at t=1, job 2: its reservation moved from 10 to 20");
    CHECK(violation(delaying(), 10, Promise::kConservative, conservative).empty());
  }

  TEST_CASE("a start later than reserved breaks the promise of conservative") {
    CHECK(violation({a_job(1, 0, 10, 10), a_job(2, 0, 10, 5)}, 10,
                    Promise::kConservative, [](Simulation& world) {
                      if (world.now() == 0) {
                        sim::Book(world).update(0, Compress::kEarlyEnds);
                        fcfs(world);
                        return world.wake_at(seconds(13));
                      }
                      if (world.now() == seconds(13)) fcfs(world);
                    }) == "R2 at t=13, job 2: it starts later than reserved (10)");
  }

  TEST_CASE("who promises conservative and reserves for nobody is found") {
    CHECK(violation(delaying(), 10, Promise::kConservative, first_fit) ==
          "R2 at t=0, job 2: it waits without a reservation in the book");
  }

  TEST_CASE("promises are judged often, and kept by who keeps them") {
    std::int64_t judged = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      const auto jobs = random_jobs(seed, {40, 8, false, seed % 4 == 0});
      CHECK(violation(jobs, 8, Promise::kEasy, easy, &judged).empty());
      CHECK(violation(jobs, 8, Promise::kConservative, conservative, &judged).empty());
      CHECK(violation(jobs, 8, Promise::kConservative, conservative_every_pass, &judged)
                .empty());
    }
    CHECK(judged > 3000);
  }
}

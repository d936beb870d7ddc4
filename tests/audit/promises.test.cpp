// R1 to R5: a policy that does not keep its promise is found, with the time and the
// job.

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <utility>

#include "engine/audit/auditor.hpp"
#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/audits.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Promise;
using sim::Selection;
using sim::Simulation;

void first_fit(Simulation& world) {
  auto walk = Selection::fitting(0);
  while (const auto job = walk.next(world)) (void)world.actions().start(*job);
}

// Makes reservations as conservative does, then starts whatever fits.
void reserving_first_fit(Simulation& world) {
  sim::Book(world).update(0, Compress::kEarlyEnds);
  first_fit(world);
  if (!world.queue(0).head()) return;
  sim::Book(world).rebuild(0);
  world.actions().wake_at(world.parts().world.book().next(world.world().now()));
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
  simulation.audience().observe(auditor);
  try {
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const audit::AuditFailure& failure) {
    return in_short(failure.violation());
  }
  if (judged != nullptr) {
    for (const auto* rule : {"R1", "R2", "R3", "R4", "R5"}) {
      const auto checked = auditor.checked();
      const auto at = checked.find(rule);
      if (at != checked.end()) *judged += at->second;
    }
  }
  return "";
}

// The queue by the keys that `key` gives, which are computed anew at every pass.
class Reordering final : public sim::Policy {
 public:
  using Key = std::function<double(const Simulation&, JobId)>;
  Reordering(Promise promise, Key key, ScriptedPolicy::Schedule schedule)
      : key_(std::move(key)), schedule_(std::move(schedule)) {
    traits_.label = "reordering";
    traits_.orders = {{"by_key", Duration{0}}};
    traits_.default_order = 1;
    traits_.promise = promise;
  }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return test::unlimited(); }
  void schedule(Simulation& world) override { schedule_(world); }
  double key(Simulation& world, std::size_t, JobId job) override {
    return key_(world, job);
  }

 private:
  sim::PolicyTraits traits_;
  Key key_;
  ScriptedPolicy::Schedule schedule_;
};

// The violation of the run of four processors; "" if there is none.
std::string violation(const std::vector<Job>& jobs, std::int32_t processors,
                      sim::Policy& policy, sim::Machine machine = a_machine(1)) {
  machine.processors = processors;
  audit::Auditor auditor({machine, {}, jobs, policy.traits()}, law_of(machine, jobs));
  Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
  simulation.audience().observe(auditor);
  try {
    (void)simulation.advance(kNever);
    simulation.finish();
  } catch (const audit::AuditFailure& failure) {
    return failure.violation().text();
  }
  return "";
}

// EASY in the order of the keys.
void easy_by_key(Simulation& world) {
  while (const auto head = world.queue(1).head()) {
    if (!world.actions().start(head->job)) break;
  }
  const auto head = world.queue(1).head();
  if (!head) return;
  const auto plan = world.actions().reserve(head->job);
  if (!plan) return;
  auto walk = Selection::backfillable(world, 1, std::array{plan.value()});
  while (const auto job = walk.next(world)) (void)world.actions().start(*job);
}

void first_fit_by_key(Simulation& world) {
  auto walk = Selection::fitting(1);
  while (const auto job = walk.next(world)) (void)world.actions().start(*job);
}

// 10 processors: 1 (6) until 10, head 2 (8) from 10, 3 (4) fits now but until 20.
std::vector<Job> delaying() {
  return {a_job(1, 0, 6, 10), a_job(2, 0, 8, 5), a_job(3, 1, 4, 19)};
}

}  // namespace

TEST_SUITE("audit/promises") {
  TEST_CASE("first fit that promises EASY is found when it delays the head") {
    CHECK(violation(delaying(), 10, Promise::kEasy, first_fit) ==
          "R1 at t=1, job 2: head of the queue, it was promised a start at 10, now 20");
    CHECK(violation(delaying(), 10, Promise::kNone, first_fit).empty());
    CHECK(violation(delaying(), 10, Promise::kEasy, easy).empty());
  }

  TEST_CASE("a head that is not started at its shadow time is found") {
    const auto text =
        violation({a_job(1, 0, 8, 10), a_job(2, 0, 8, 5), a_job(3, 0, 2, 12)}, 10,
                  Promise::kEasy, [](Simulation& world) {
                    if (world.world().now() == 0) return easy(world);
                    if (world.world().now() >= seconds(12)) fcfs(world);
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
                      if (world.world().now() == 0) {
                        sim::Book(world).update(0, Compress::kEarlyEnds);
                        fcfs(world);
                        return world.actions().wake_at(seconds(13));
                      }
                      if (world.world().now() == seconds(13)) fcfs(world);
                    }) == "R2 at t=13, job 2: it starts later than reserved (10)");
  }

  TEST_CASE("a conservative policy that reserves nothing is found") {
    CHECK(violation(delaying(), 10, Promise::kConservative, first_fit) ==
          "R2 at t=0, job 2: it waits without a reservation in the book");
  }

  TEST_CASE("a head promise broken after a rekey is found") {
    // At 2 job 3 comes before job 2, which is promised 10, by its key; it then waits
    // for 10 as well, until job 5 (4 processors, until 23) is started before it.
    const std::vector jobs{a_job(1, 0, 6, 10), a_job(2, 0, 8, 5), a_job(3, 1, 9, 5),
                           a_job(4, 2, 1, 1), a_job(5, 3, 4, 20)};
    const auto favour_3 = [](const Simulation& world, JobId job) {
      return job == JobId{2} && world.world().now() >= seconds(2) ? 0.0 : 1.0;
    };
    Reordering greedy(Promise::kEasy, favour_3, first_fit_by_key);
    CHECK(
        violation(jobs, 10, greedy) ==
        "head promise broken (R1, docs/model.md#r1) at t=3, job 3: head of the queue, "
        "it was promised a start at 10, now 23");
    Reordering honest(Promise::kEasy, favour_3, easy_by_key);
    CHECK(violation(jobs, 10, honest).empty());
  }

  TEST_CASE("a promise ends when another job comes before the head") {
    // Job 2 is promised 10; job 3, of a smaller key, takes its place and delays it.
    const std::vector jobs{a_job(1, 0, 6, 10), a_job(2, 0, 8, 5), a_job(3, 1, 10, 5)};
    Reordering youngest_first(
        Promise::kEasy,
        [](const Simulation&, JobId job) { return -static_cast<double>(index(job)); },
        easy_by_key);
    CHECK(violation(jobs, 10, youngest_first).empty());
  }

  TEST_CASE("a rekey that leaves the head first does not end its promise") {
    Reordering rekeyed(
        Promise::kEasy,
        [](const Simulation& world, JobId job) {
          return to_seconds(world.world().now()) + static_cast<double>(index(job));
        },
        first_fit_by_key);
    CHECK(
        violation(delaying(), 10, rekeyed) ==
        "head promise broken (R1, docs/model.md#r1) at t=1, job 2: head of the queue, "
        "it was promised a start at 10, now 20");
  }

  TEST_CASE("a promise made while a job is late holds until that job is late again") {
    // Job 1 should end at 10 and ends at 30; then it is expected at 70.  Job 3 is head
    // from 12 on, and may start at 40, when job 4 ends.
    const std::vector jobs{a_job(1, 0, 2, 30, 10), a_job(2, 0, 6, 12),
                           a_job(4, 0, 2, 40), a_job(3, 11, 7, 5), a_job(5, 13, 6, 60)};
    CHECK(violation(jobs, 10, Promise::kEasy, easy).empty());
    CHECK(
        violation(jobs, 10, Promise::kEasy, first_fit) ==
        "R1 at t=13, job 3: head of the queue, it was promised a start at 40, now 73");
  }

  TEST_CASE("top first: the oldest job does not fit beside the jobs it may displace") {
    const std::vector jobs{a_job(1, 0, 6, 10), a_job(2, 0, 8, 5), a_job(3, 1, 4, 19)};
    // Without job 3, which overtook it, job 2 would fit at 10.
    CHECK(violation(jobs, 10, Promise::kTopFirst, first_fit) ==
          "R3 at t=10, job 2: oldest of the queue, it would fit without the younger "
          "jobs that overtook an older one");
    CHECK(violation(jobs, 10, Promise::kTopFirst, fcfs).empty());
  }

  TEST_CASE("top first: a policy that suspends the jobs that overtook keeps it") {
    sim::PolicyTraits traits;
    traits.promise = Promise::kTopFirst;
    auto machine = a_machine(10);
    machine.preemption = true;
    std::vector<JobId> overtook;
    ScriptedPolicy policy(
        [&](Simulation& world) {
          fcfs(world);
          const auto top = world.queue(0).head();
          if (top && world.world().now() >= seconds(10)) {
            for (const JobId job : std::exchange(overtook, {}))
              world.actions().suspend(job);
            fcfs(world);
            return;
          }
          auto walk = Selection::fitting(0);
          while (const auto job = walk.next(world)) {
            if (world.actions().start(*job)) overtook.push_back(*job);
          }
        },
        traits);
    const std::vector jobs{a_job(1, 0, 6, 10), a_job(2, 0, 8, 5), a_job(3, 1, 4, 19)};
    CHECK(violation(jobs, 10, policy, machine).empty());
  }

  TEST_CASE("top first: a job that overtook an older one that has started is safe") {
    // Job 3 overtook job 2; when job 2 has started, job 3 need not make way for job 4.
    const std::vector jobs{a_job(1, 0, 6, 10), a_job(2, 0, 8, 50), a_job(3, 1, 2, 30),
                           a_job(4, 2, 9, 5)};
    CHECK(violation(jobs, 10, Promise::kTopFirst, first_fit).empty());
  }

  TEST_CASE("in order: no job starts before the first of the default order") {
    CHECK(violation(delaying(), 10, Promise::kInOrder, first_fit) ==
          "R4 at t=1, job 3: it starts while job 2 is the first of the default order");
    CHECK(violation(delaying(), 10, Promise::kInOrder, fcfs).empty());
  }

  TEST_CASE("first if it fits: the first of the default order does not wait") {
    CHECK(violation(delaying(), 10, Promise::kFirstIfItFits,
                    [](Simulation& world) {
                      if (world.world().now() != seconds(10)) fcfs(world);
                    }) ==
          "R5 at t=10, job 2: first of the default order, it fits and was not "
          "started");
    CHECK(violation(delaying(), 10, Promise::kFirstIfItFits, first_fit).empty());
  }

  TEST_CASE("promises are judged often, and kept by who keeps them") {
    std::int64_t judged = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      const auto jobs = random_jobs(seed, {40, 8, false, seed % 4 == 0});
      CHECK(violation(jobs, 8, Promise::kEasy, easy, &judged).empty());
      CHECK(violation(jobs, 8, Promise::kInOrder, fcfs, &judged).empty());
      CHECK(violation(jobs, 8, Promise::kFirstIfItFits, easy, &judged).empty());
      CHECK(violation(jobs, 8, Promise::kTopFirst, fcfs, &judged).empty());
      CHECK(violation(jobs, 8, Promise::kConservative, conservative, &judged) == "");
      CHECK(violation(jobs, 8, Promise::kConservative, conservative_every_pass, &judged)
                .empty());
    }
    CHECK(judged > 3000);
  }
}

// Windows of a machine (docs/model.md#windows).

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "engine/audit/window_check.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/sim/book.hpp"
#include "tests/sim/hit_runs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// In seconds.
struct Times {
  std::int64_t from;
  std::int64_t to;
  std::int32_t processors;
  std::vector<std::int32_t> users{};
  bool hits = false;
  std::optional<std::int64_t> announced{};
};

std::shared_ptr<const std::vector<MachineWindow>> windows_of(
    const std::vector<Times>& all) {
  std::vector<MachineWindow> windows;
  for (const auto& each : all) {
    const auto known = each.announced ? seconds(*each.announced) : -kNever;
    windows.push_back({"w" + std::to_string(windows.size()), seconds(each.from),
                       seconds(each.to), each.processors, known, each.users,
                       each.hits});
  }
  return std::make_shared<const std::vector<MachineWindow>>(std::move(windows));
}

sim::Machine keeping(std::int32_t processors, const std::vector<Times>& all) {
  auto machine = a_machine(processors);
  machine.life.windows = windows_of(all);
  return machine;
}

Job of_user(std::int32_t user, Job job) {
  job.user = user;
  return job;
}

const std::vector<Job>& jobs_beside_maintenance() {
  static const std::vector<Job> kJobs{a_job(1, 0, 2, 5, 12), a_job(2, 0, 4, 10),
                                      a_job(3, 0, 2, 18), a_job(4, 1, 2, 10),
                                      a_job(5, 1, 2, 8)};
  return kJobs;
}

}  // namespace

TEST_SUITE("sim/windows") {
  TEST_CASE("in order jobs wait for maintenance that the first would run into") {
    const auto run =
        run_full(jobs_beside_maintenance(), keeping(4, {{20, 30, 4}}), kFcfs);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 5}}},
                                           {2, {{5, 15}}},
                                           {3, {{30, 48}}},
                                           {4, {{30, 40}}},
                                           {5, {{40, 48}}}});
    CHECK(run.checked.at("L3") ==
          7);  // a start each, and where the window begins, ends
  }

  TEST_CASE("a shadow lies behind maintenance if the job would run into it") {
    const auto run =
        run_full(jobs_beside_maintenance(), keeping(4, {{20, 30, 4}}), kEasyPolicy);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 5}}},
                                           {2, {{30, 40}}},
                                           {3, {{0, 18}}},
                                           {4, {{5, 15}}},
                                           {5, {{40, 48}}}});
    CHECK(run.watched.shadows.at({0, 1}) == 30);
  }

  TEST_CASE("a book reserves beside maintenance, and no reservation moves into it") {
    const auto run = run_full(jobs_beside_maintenance(), keeping(4, {{20, 30, 4}}),
                              kConservativePolicy);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 5}}},
                                           {2, {{30, 40}}},
                                           {3, {{0, 18}}},
                                           {4, {{40, 50}}},
                                           {5, {{5, 13}}}});
    CHECK(run.watched.reserved.at(1) == 30);
    CHECK(run.watched.reserved.at(3) == 40);
    CHECK(run.watched.reserved.at(4) == 5);
  }

  TEST_CASE("jobs of its users run inside a window, and beside it on what is free") {
    const std::vector<Job> jobs{
        of_user(1, a_job(1, 0, 2, 30)), of_user(7, a_job(2, 10, 3, 10)),
        of_user(1, a_job(3, 0, 1, 40)), of_user(7, a_job(4, 12, 1, 5))};
    auto in_order = jobs;
    std::sort(in_order.begin(), in_order.end(), comes_first);
    const auto machine = keeping(4, {{10, 20, 3, {7}}});
    const auto easy_run = run_full(in_order, machine, kEasyPolicy);
    CHECK(easy_run.watched.attempts ==
          Attempts{{1, {{20, 50}}}, {2, {{10, 20}}}, {3, {{0, 40}}}, {4, {{20, 25}}}});
    const auto fcfs_run = run_full(in_order, machine, kFcfs);
    CHECK(fcfs_run.watched.attempts ==
          Attempts{{1, {{20, 50}}}, {2, {{50, 60}}}, {3, {{20, 60}}}, {4, {{60, 65}}}});
  }

  // Job 2 of the user is reserved inside from 10 to 14, and job 4 has what is left of
  // the window.  One processor is outside: job 3 needs two and waits, job 5 has it.
  TEST_CASE("in a book what users reserve inside comes out of the window first") {
    const std::vector<Job> jobs{
        of_user(1, a_job(1, 0, 4, 10)), of_user(7, a_job(2, 1, 1, 4)),
        of_user(1, a_job(3, 2, 2, 5)), of_user(7, a_job(4, 3, 2, 10)),
        of_user(1, a_job(5, 4, 1, 8))};
    const auto run =
        run_full(jobs, keeping(4, {{10, 20, 3, {7}}}), kConservativePolicy);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 10}}},
                                           {2, {{10, 14}}},
                                           {3, {{20, 25}}},
                                           {4, {{10, 20}}},
                                           {5, {{10, 18}}}});
  }

  TEST_CASE("a job that overruns into a window stays, or is hit") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 15, 8), a_job(2, 9, 4, 5),
                                a_job(3, 9, 1, 1)};
    const auto stays = run_full(jobs, keeping(4, {{10, 20, 4}}), kEasyPolicy);
    CHECK(stays.watched.attempts ==
          Attempts{{1, {{0, 15}}}, {2, {{20, 25}}}, {3, {{9, 10}}}});
    CHECK(stays.watched.hits == 0);
    const auto hit = run_full(jobs, keeping(4, {{10, 20, 4, {}, true}}), kEasyPolicy);
    CHECK(hit.watched.attempts ==
          Attempts{{1, {{0, 10}, {20, 35}}}, {2, {{35, 40}}}, {3, {{9, 10}}}});
    CHECK(hit.watched.lost == std::map<std::int64_t, double>{{1, 10}});
    auto killing = keeping(4, {{10, 20, 4, {}, true}});
    killing.life.on_failure = OnFailure::kKill;
    const auto killed = run_full(jobs, killing, kEasyPolicy);
    CHECK(killed.watched.attempts ==
          Attempts{{1, {{0, 10}}}, {2, {{20, 25}}}, {3, {{9, 10}}}});
  }

  TEST_CASE("the last that started are hit, until the window has its processors") {
    const std::vector<Job> jobs{a_job(1, 0, 1, 30, 5), a_job(2, 1, 1, 30, 5),
                                a_job(3, 2, 1, 30, 5)};
    const auto run = run_full(jobs, keeping(4, {{10, 20, 3, {}, true}}), kFcfs);
    CHECK(run.watched.attempts ==
          Attempts{{1, {{0, 30}}}, {2, {{1, 10}, {20, 50}}}, {3, {{2, 10}, {20, 50}}}});
  }

  // The other window lacks the third processor, which job 2 gives it: job 1 alone is
  // not enough for both.
  TEST_CASE("jobs are hit for what windows that begin together lack") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 15, 8), a_job(2, 0, 1, 15, 8)};
    const auto run =
        run_full(jobs, keeping(3, {{10, 20, 2, {1}, true}, {10, 20, 1, {3}}}), kFcfs);
    CHECK(run.watched.attempts ==
          Attempts{{1, {{0, 10}, {20, 35}}}, {2, {{0, 10}, {20, 35}}}});
  }

  // 8 s of work and a checkpoint of 2 s are planned to end as the window begins.
  TEST_CASE("a job that a window hits goes on from its last checkpoint") {
    auto machine = keeping(1, {{10, 20, 1, {}, true}});
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(5), seconds(2), seconds(1)};
    const auto fits = run_full({a_job(1, 0, 1, 8)}, machine, kFcfs);
    CHECK(fits.watched.attempts == Attempts{{1, {{0, 10}}}});
    const auto late = run_full({a_job(1, 0, 1, 13, 8)}, machine, kFcfs);
    // 1 s of reading, 5 s, 2 s, 3 s.
    CHECK(late.watched.attempts == Attempts{{1, {{0, 10}, {20, 31}}}});
    CHECK(late.watched.saved.at(1) == 5);
    CHECK(late.watched.lost.at(1) == 3);
    const auto waits = run_full({a_job(1, 0, 1, 9, 9)}, machine, kFcfs);
    CHECK(waits.watched.attempts == Attempts{{1, {{20, 31}}}});
  }

  // Job 6 should have ended at 18 s, and is hit then: the book is made anew in order,
  // and what was promised to job 8 behind it counts no more.
  TEST_CASE("a job that a window hits at its planned end is late") {
    auto machine = keeping(7, {{18, 26, 7, {1}, true}});
    machine.life.events = std::make_shared<const std::vector<HostEvent>>(
        std::vector<HostEvent>{{seconds(14), HostEvent::Kind::kDown, 0, seconds(19)},
                               {seconds(22), HostEvent::Kind::kUp, 0, seconds(22)}});
    const std::vector<Job> jobs{
        of_user(3, a_job(4, 9, 5, 5, 7)),  of_user(1, a_job(5, 13, 2, 9, 9)),
        of_user(3, a_job(6, 13, 3, 5, 4)), of_user(1, a_job(7, 14, 2, 2, 1)),
        of_user(2, a_job(8, 15, 5, 8, 5)), of_user(2, a_job(9, 19, 6, 2, 8))};
    const auto run = run_full(jobs, machine, kConservativePolicy);
    CHECK(run.watched.left.empty());
    CHECK(run.watched.attempts.at(6).front() == Attempt{14, 18});
  }

  // Until 5 s job 2 is promised 10 s.
  TEST_CASE("an announcement excuses what was promised before it") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 10), a_job(2, 1, 4, 10)};
    const auto machine = keeping(4, {{15, 25, 4, {}, false, 5}});
    const auto run = run_full(jobs, machine, kEasyPolicy);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 10}}}, {2, {{25, 35}}}});
    CHECK(run.watched.shadows.at({1, 1}) == 10);
    CHECK(run.watched.shadows.at({5, 1}) == 25);
    CHECK(run.excuses.jobs == 1);
    CHECK(run.excuses.longest == seconds(15));
    const auto book = run_full(jobs, machine, kConservativePolicy);
    CHECK(book.watched.attempts == run.watched.attempts);
    CHECK(book.watched.reserved.at(1) == 25);
    CHECK(book.excuses.longest == seconds(15));
  }

  TEST_CASE("a job whose planned end is the beginning of a window fits") {
    const auto machine = keeping(1, {{10, 20, 1}});
    const auto fits = run_full({a_job(1, 0, 1, 5, 10)}, machine, kFcfs);
    CHECK(fits.watched.attempts == Attempts{{1, {{0, 5}}}});
    const auto does_not = run_full({a_job(1, 0, 1, 5, 11)}, machine, kFcfs);
    CHECK(does_not.watched.attempts == Attempts{{1, {{20, 25}}}});
  }

  TEST_CASE("a window that began before the first submit is in force from then on") {
    const auto run =
        run_full({a_job(1, 50, 2, 5)}, keeping(2, {{10, 60, 1}, {5, 20, 2}}), kFcfs);
    CHECK(run.watched.attempts == Attempts{{1, {{60, 65}}}});
  }
}

namespace {

// A conservative book that moves forward only what can start at once.
void pulling_to_now(sim::Simulation& simulation) {
  sim::Book(simulation).update(0, Compress::kStartNow);
  auto due = sim::Selection::due(0);
  while (const auto job = due.next(simulation)) (void)simulation.actions().start(*job);
  simulation.actions().wake_at(
      simulation.parts().world.book().next(simulation.world().now()));
}

std::vector<Times> random_windows(std::mt19937_64& random, std::int32_t processors) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<Times> all;
  for (int at = drawn(0, 20), n = drawn(1, 3); n > 0; --n) {
    Times times{at, at + drawn(1, 12), drawn(1, processors)};
    if (drawn(0, 1) == 0) times.users = {1};
    if (times.users.empty() && drawn(0, 2) == 0) times.users = {1, 2};
    times.hits = drawn(0, 1) == 0;
    if (drawn(0, 1) == 0) times.announced = drawn(0, at);
    all.push_back(times);
    const bool overlaps = drawn(0, 3) == 0 && times.processors < processors;
    if (overlaps) {
      // Beside it, for others, on what is left.
      Times beside{at, at + drawn(1, 12), processors - times.processors, {3}};
      at = static_cast<int>(std::max(times.to, beside.to));
      all.push_back(beside);
    } else {
      at = static_cast<int>(times.to);
    }
    at += drawn(0, 15);
  }
  return all;
}

std::vector<Job> random_users_jobs(std::mt19937_64& random, std::int32_t widest) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<Job> jobs;
  int submit = 0;
  for (int i = 1, n = drawn(1, 14); i <= n; ++i) {
    submit += drawn(0, 4);
    const int length = drawn(0, 9);
    const int walltime = std::max(0, length + drawn(-3, 6));
    const int size = drawn(1, widest);
    jobs.push_back(of_user(drawn(1, 4), a_job(i, submit, size, length, walltime)));
  }
  return jobs;
}

}  // namespace

TEST_SUITE("sim/windows/random") {
  TEST_CASE("every rule of the audit holds beside windows, with failures and without") {
    std::mt19937_64 random(4311);
    std::int64_t hits = 0;
    std::int64_t excused = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto processors = std::uniform_int_distribution<int>(2, 8)(random);
      auto machine = keeping(processors, random_windows(random, processors));
      const auto jobs = random_users_jobs(random, processors);
      machine.life.requeue_delay = seconds(static_cast<std::int64_t>(round % 3));
      if (round % 5 < 2) {
        machine.life.on_failure = OnFailure::kResume;
        machine.life.checkpoints = {seconds(2), seconds(1),
                                    seconds(static_cast<std::int64_t>(round % 2))};
      }
      if (round % 2 == 1) {
        const auto down = seconds(std::uniform_int_distribution<int>(0, 20)(random));
        machine.life.events =
            std::make_shared<const std::vector<HostEvent>>(std::vector<HostEvent>{
                {down, HostEvent::Kind::kDown, 0, after(down, seconds(5))},
                {after(down, seconds(8)), HostEvent::Kind::kUp, 0,
                 after(down, seconds(8))}});
      }
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        // The audit throws for what is wrong.
        const auto run = run_full(jobs, machine, policy);
        const auto light = run_hit(jobs, machine, policy, audit::Thoroughness::kLight);
        CHECK(run.watched.attempts == light.watched.attempts);
        CHECK(run.watched.left.empty());
        hits += run.watched.hits;
        excused += run.excuses.jobs;
      }
    }
    CHECK(hits > 0);
    CHECK(excused > 0);
  }

  TEST_CASE(
      "books that compress in another way keep what they promise beside windows") {
    constexpr std::array kBooks{
        Named{conservative_every_pass, sim::Promise::kConservative},
        Named{pulling_to_now, sim::Promise::kConservative}};
    std::mt19937_64 random(4313);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto processors = std::uniform_int_distribution<int>(2, 8)(random);
      const auto machine = keeping(processors, random_windows(random, processors));
      const auto jobs = random_users_jobs(random, processors);
      CAPTURE(round);
      for (const auto& book : kBooks) {
        // The audit throws for what is wrong.
        CHECK(run_full(jobs, machine, book).watched.left.empty());
      }
    }
  }

  TEST_CASE("a window behind the last end changes nothing") {
    std::mt19937_64 random(4312);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto processors = std::uniform_int_distribution<int>(2, 8)(random);
      auto machine = a_machine(processors);
      const auto jobs = random_users_jobs(random, processors);
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        machine.life.windows = nullptr;
        const auto without = run_full(jobs, machine, policy);
        const bool is_open = round % 2 == 1;
        machine.life.windows = windows_of(
            {{2'000, 3'000, processors,
              is_open ? std::vector<std::int32_t>{2} : std::vector<std::int32_t>{}}});
        const auto with = run_full(jobs, machine, policy);
        CHECK(with.watched.attempts == without.watched.attempts);
        CHECK(with.watched.shadows == without.watched.shadows);
        CHECK(with.watched.reserved == without.watched.reserved);
      }
    }
  }
}

TEST_SUITE("sim/windows/audit") {
  struct Asked {
    HostLife life;
    std::optional<audit::WindowCheck> check;
    Asked() {
      life.windows = windows_of({{10, 20, 2, {7}, true}});
      check.emplace(life, 3, audit::Overruns{});
      CHECK_FALSE(check->come_to(0));
    }
    sim::WindowRecord at(std::int64_t now, sim::WindowRecord::Event event) const {
      return {seconds(now), event, &life.windows->front()};
    }
  };
  using Change = sim::WindowRecord::Event;

  TEST_CASE("a start that would run into a window is found") {
    Asked of;
    CHECK_FALSE(of.check->start(JobId{0}, {1, 2, seconds(10)}));
    Asked into;
    CHECK(into.check->start(JobId{0}, {1, 2, seconds(11)})->rule == audit::kWindows);
    Asked inside;
    CHECK_FALSE(inside.check->start(JobId{0}, {7, 2, seconds(11)}));
    CHECK(inside.check->start(JobId{1}, {1, 2, seconds(11)}).has_value());
    CHECK_FALSE(inside.check->start(JobId{1}, {1, 1, seconds(11)}));
  }

  TEST_CASE("a job that goes on beside a window which hits jobs is found") {
    Asked of;
    CHECK_FALSE(of.check->start(JobId{0}, {1, 2, seconds(9)}));  // and overruns
    CHECK_FALSE(of.check->come_to(seconds(10)));
    CHECK_FALSE(of.check->note(of.at(10, Change::kBegins)));
    CHECK(of.check->hits(JobId{0}));
    CHECK(of.check->come_to(seconds(11))->rule == audit::kWindows);
    Asked gone;
    CHECK_FALSE(gone.check->start(JobId{0}, {1, 2, seconds(9)}));
    CHECK_FALSE(gone.check->come_to(seconds(10)));
    CHECK_FALSE(gone.check->note(gone.at(10, Change::kBegins)));
    gone.check->leave(JobId{0});
    CHECK_FALSE(gone.check->come_to(seconds(11)));
  }

  TEST_CASE("a window that begins or ends at another time than it says is found") {
    Asked of;
    CHECK_FALSE(of.check->come_to(seconds(9)));
    CHECK(of.check->note(of.at(9, Change::kBegins))->rule == audit::kWindows);
    CHECK_FALSE(of.check->come_to(seconds(20)));
    CHECK_FALSE(of.check->note(of.at(20, Change::kEnds)));
  }
}

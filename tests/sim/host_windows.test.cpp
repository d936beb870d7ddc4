// Hosts that are kept from jobs: by windows (docs/model.md#windows), and as they drain
// (docs/model.md#drains).

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/audit/window_check.hpp"
#include "engine/hosts/machine_windows.hpp"
#include "engine/metrics/window_delay.hpp"
#include "tests/output/run_of_four.hpp"
#include "tests/sim/hit_runs.hpp"
#include "tests/sim/naive_easy.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// In seconds.
struct HostTimes {
  std::int64_t from;
  std::int64_t to;
  std::vector<std::int32_t> hosts;
  std::vector<std::int32_t> users{};
  bool hits = false;
  std::optional<std::int64_t> announced{};
};

std::shared_ptr<const std::vector<MachineWindow>> windows_on(
    const std::vector<HostTimes>& all) {
  std::vector<MachineWindow> windows;
  for (const auto& each : all) {
    const auto known = each.announced ? seconds(*each.announced) : -kNever;
    windows.push_back({"w" + std::to_string(windows.size()), seconds(each.from),
                       seconds(each.to),
                       2 * static_cast<std::int32_t>(each.hosts.size()), known,
                       each.users, each.hits, each.hosts});
  }
  return std::make_shared<const std::vector<MachineWindow>>(std::move(windows));
}

// Two hosts of two processors each.
sim::Machine two_hosts(const std::vector<HostTimes>& all) {
  auto machine = a_machine(4);
  machine.resources.hosts = {{"a", 2, 2}};
  machine.life.windows = windows_on(all);
  return machine;
}

Job job_of(std::int32_t user, Job job) {
  job.user = user;
  return job;
}

// Some windows on three hosts; windows of a host do not overlap, nor do those of a
// user.
std::vector<HostTimes> random_host_windows(std::mt19937_64& random) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<HostTimes> all;
  for (int at = drawn(0, 20), n = drawn(1, 3); n > 0; --n) {
    HostTimes times{at, at + drawn(1, 12), {drawn(0, 1)}};
    if (drawn(0, 1) == 0) times.users = {1};
    if (times.users.empty() && drawn(0, 2) == 0) times.users = {1, 2};
    times.hits = drawn(0, 1) == 0;
    if (drawn(0, 1) == 0) times.announced = drawn(0, at);
    if (drawn(0, 2) == 0) times.hosts.push_back(2);
    all.push_back(times);
    const bool overlaps = drawn(0, 3) == 0 && times.hosts.back() != 2;
    if (overlaps) all.push_back({at + 1, at + 1 + drawn(1, 12), {2}, {3}});
    at = static_cast<int>(std::max(times.to, all.back().to)) + drawn(0, 15);
  }
  return all;
}

std::vector<Job> random_jobs_on_hosts(std::mt19937_64& random) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<Job> jobs;
  int submit = 0;
  for (int i = 1, n = drawn(1, 14); i <= n; ++i) {
    submit += drawn(0, 4);
    const int length = drawn(0, 9);
    jobs.push_back(job_of(drawn(1, 4), a_job(i, submit, drawn(1, 8), length,
                                             std::max(0, length + drawn(-3, 6)))));
  }
  return jobs;
}

// Three hosts with three, three and two processors.
sim::Machine three_hosts() {
  auto machine = a_machine(8);
  machine.resources.hosts = {{"a", 2, 3}, {"b", 1, 2}};
  return machine;
}

constexpr std::array kAllPolicies{
    kPolicies[0], kPolicies[1], kPolicies[2], kPolicies[3],
    Named{conservative_every_pass, sim::Promise::kConservative}};

}  // namespace

TEST_SUITE("sim/host_windows") {
  TEST_CASE("a job sits on no host that is kept for maintenance before its end") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 18), a_job(2, 0, 2, 25),
                                a_job(3, 1, 1, 10)};
    const auto machine = two_hosts({{20, 30, {1}}});
    const auto in_order = run_full(jobs, machine, kFcfs);
    CHECK(in_order.watched.attempts ==
          Attempts{{1, {{0, 18}}}, {2, {{18, 43}}}, {3, {{30, 40}}}});
    for (const auto& backfilling : {kEasyPolicy, kConservativePolicy}) {
      const auto run = run_full(jobs, machine, backfilling);
      CHECK(run.watched.attempts ==
            Attempts{{1, {{0, 18}}}, {2, {{18, 43}}}, {3, {{1, 11}}}});
    }
    const auto easy_run = run_full(jobs, machine, kEasyPolicy);
    CHECK(easy_run.watched.shadows.at({0, 1}) == 18);
    const auto booked = run_full(jobs, machine, kConservativePolicy);
    CHECK(booked.watched.reserved.at(1) == 18);
  }

  TEST_CASE("jobs of its users have the hosts of a window, and what else is free") {
    const std::vector<Job> jobs{
        job_of(1, a_job(1, 0, 2, 15)), job_of(1, a_job(2, 0, 2, 5)),
        job_of(7, a_job(3, 2, 2, 10)), job_of(1, a_job(4, 6, 1, 2))};
    const auto run = run_full(jobs, two_hosts({{10, 20, {0}, {7}}}), kFcfs);
    CHECK(run.watched.attempts ==
          Attempts{{1, {{0, 15}}}, {2, {{0, 5}}}, {3, {{5, 15}}}, {4, {{15, 17}}}});
    CHECK(run.watched.places.at(1) == IntervalSet(2, 3));
    CHECK(run.watched.places.at(4) == IntervalSet(2, 2));
  }

  TEST_CASE("a window hits the jobs of others that have a part of its hosts") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 15, 8), a_job(2, 0, 1, 30)};
    const auto hit = run_full(jobs, two_hosts({{10, 20, {0}, {}, true}}), kFcfs);
    CHECK(hit.watched.attempts == Attempts{{1, {{0, 10}, {20, 35}}}, {2, {{0, 30}}}});
    const auto stays = run_full(jobs, two_hosts({{10, 20, {0}}}), kFcfs);
    CHECK(stays.watched.attempts == Attempts{{1, {{0, 15}}}, {2, {{0, 30}}}});
  }

  TEST_CASE("an announcement makes the book anew") {
    const std::vector<Job> jobs{a_job(1, 0, 4, 10), a_job(2, 0, 4, 15)};
    const auto run =
        run_full(jobs, two_hosts({{20, 30, {1}, {}, false, 5}}), kConservativePolicy);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 10}}}, {2, {{30, 45}}}});
    CHECK(run.excuses.jobs == 1);
  }
}

TEST_SUITE("sim/host_windows/random") {
  TEST_CASE("every rule of the audit holds beside windows of hosts") {
    std::mt19937_64 random(4321);
    std::int64_t hits = 0;
    std::int64_t excused = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      auto machine = three_hosts();
      machine.life.windows = windows_on(random_host_windows(random));
      const auto jobs = random_jobs_on_hosts(random);
      machine.life.requeue_delay = seconds(static_cast<std::int64_t>(round % 3));
      if (round % 2 == 1) {
        const auto down = seconds(std::uniform_int_distribution<int>(0, 20)(random));
        machine.life.events =
            std::make_shared<const std::vector<HostEvent>>(std::vector<HostEvent>{
                {down, HostEvent::Kind::kDown, 0, after(down, seconds(5))},
                {after(down, seconds(8)), HostEvent::Kind::kUp, 0,
                 after(down, seconds(8))}});
      }
      CAPTURE(round);
      for (const auto& policy : kAllPolicies) {
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

  TEST_CASE("a window of hosts behind the last end changes nothing") {
    std::mt19937_64 random(4322);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto jobs = random_jobs_on_hosts(random);
      const auto machine = three_hosts();
      auto keeping = machine;
      const std::vector<std::int32_t> users(round % 2, 2);
      keeping.life.windows = windows_on({{2'000, 3'000, {0, 1, 2}, users}});
      CAPTURE(round);
      for (const auto& policy : kAllPolicies) {
        const auto without = run_full(jobs, machine, policy);
        const auto with = run_full(jobs, keeping, policy);
        CHECK(with.watched.attempts == without.watched.attempts);
        CHECK(with.watched.shadows == without.watched.shadows);
        CHECK(with.watched.reserved == without.watched.reserved);
      }
    }
  }
}

TEST_SUITE("sim/host_windows/audit") {
  TEST_CASE(
      "a start on a host that a window keeps is found, and one that stays there") {
    HostLife life;
    life.windows = windows_on({{10, 20, {1}, {7}, true}});
    const std::array processors{Interval{0, 1}, Interval{2, 3}};
    const IntervalSet there(2, 2);
    audit::WindowCheck check(life, 4, audit::Overruns{});
    check.ask({processors, [&](JobId) { return &there; }});
    CHECK_FALSE(check.come_to(0));
    CHECK_FALSE(check.start(JobId{0}, {1, 1, seconds(10)}));
    CHECK(check.start(JobId{1}, {1, 1, seconds(11)})->rule == audit::kWindows);
    CHECK_FALSE(check.start(JobId{2}, {7, 1, seconds(11)}));
    CHECK_FALSE(check.come_to(seconds(10)));
    CHECK_FALSE(check.note(
        {seconds(10), sim::WindowRecord::Event::kBegins, &life.windows->front()}));
    CHECK(check.hits(JobId{0}));
    CHECK_FALSE(check.hits(JobId{2}));
    CHECK(check.come_to(seconds(11))->rule == audit::kWindows);
  }
}

namespace {

// Four processors, all or those of the hosts kept from 10 to 20 s; job 1 outlives its
// walltime of 8 s and runs for 15.
double delay_of(bool hits, std::vector<std::int32_t> users,
                std::vector<std::int32_t> hosts) {
  auto machine = test::a_machine(4);
  const bool is_pool = hosts.empty();
  if (!is_pool) machine.resources.hosts = {{"a", 2, 2}};
  machine.life.windows = std::make_shared<const std::vector<MachineWindow>>(
      std::vector<MachineWindow>{{"m", seconds(10), seconds(20), is_pool ? 4 : 2,
                                  -kNever, std::move(users), hits, std::move(hosts)}});
  auto job = test::a_job(1, 0, 2, 15, 8);
  job.user = 7;
  WindowDelay delay(
      4, is_pool ? std::vector<Interval>() : std::vector<Interval>{{0, 1}, {2, 3}});
  test::watch(delay, {job, test::a_job(2, 9, 1, 1), test::a_job(3, 18, 4, 5)}, machine,
              test::fcfs);
  return to_seconds(delay.sum());
}

}  // namespace

TEST_SUITE("sim/host_windows/delay") {
  TEST_CASE("a window is delayed while a job of others has what is its own") {
    CHECK(delay_of(false, {}, {}) == 5);
    CHECK(delay_of(false, {}, {0}) == 5);
  }
  TEST_CASE("a window that hits jobs is not delayed, nor one whose user has it") {
    CHECK(delay_of(true, {}, {}) == 0);
    CHECK(delay_of(true, {}, {0}) == 0);
    CHECK(delay_of(false, {7}, {}) == 0);
    CHECK(delay_of(false, {7}, {0}) == 0);
  }
  TEST_CASE("a window of hosts on which no job is runs on time") {
    CHECK(delay_of(false, {}, {1}) == 0);
  }
}

namespace {

using HostKind = HostEvent::Kind;

// In seconds.
struct HostTurn {
  std::int64_t at;
  HostKind kind;
  std::int32_t host;
  std::int64_t until = 0;
};

std::shared_ptr<const std::vector<HostEvent>> events_of(
    const std::vector<HostTurn>& turns) {
  std::vector<HostEvent> all;
  for (const auto& each : turns) {
    const bool is_up = each.kind == HostKind::kUp;
    all.push_back({seconds(each.at), each.kind, each.host,
                   seconds(is_up ? each.at : each.until)});
  }
  std::sort(all.begin(), all.end());
  return std::make_shared<const std::vector<HostEvent>>(std::move(all));
}

sim::Machine draining_pool(std::int32_t processors,
                           const std::vector<HostTurn>& turns) {
  auto machine = a_machine(processors);
  machine.life.events = events_of(turns);
  return machine;
}

// The groups of a pool of processors, each of which drains by itself.
std::vector<int> one_each(std::int32_t processors) {
  std::vector<int> groups;
  for (int i = 0; i < processors; ++i) groups.push_back(i);
  return groups;
}

struct Drawing {
  std::mt19937_64& random;
  int operator()(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  }
};

std::vector<Job> random_jobs(Drawing drawn, std::int32_t widest) {
  std::vector<Job> jobs;
  int submit = 0;
  for (int i = 1, n = drawn(1, 16); i <= n; ++i) {
    submit += drawn(0, 4);
    const int length = drawn(1, 12);
    jobs.push_back(
        a_job(i, submit, drawn(1, widest), length, std::max(0, length + drawn(-4, 8))));
  }
  return jobs;
}

// Each host drains now and then; of those one in four goes down before it is back if
// they may.
std::vector<HostTurn> random_turns(Drawing drawn, std::int32_t hosts, bool may_fail) {
  std::vector<HostTurn> all;
  for (std::int32_t host = 0; host < hosts; ++host) {
    for (int at = drawn(0, 40); at < 70; at += drawn(1, 25)) {
      all.push_back({at, HostKind::kDrain, host, at + drawn(1, 15)});
      at += drawn(1, 20);
      if (may_fail && drawn(0, 3) == 0) {
        all.push_back({at, HostKind::kDown, host, at + drawn(1, 10)});
        at += drawn(1, 8);
      }
      all.push_back({at, HostKind::kUp, host});
    }
  }
  return all;
}

// Three hosts with three, three and two processors, or a pool of as many.
sim::Machine eight_processors(bool has_hosts) {
  auto machine = a_machine(8);
  machine.overrun_grace = seconds(3);
  if (has_hosts) machine.resources.hosts = {{"a", 2, 3}, {"b", 1, 2}};
  return machine;
}

}  // namespace

TEST_SUITE("sim/drains") {
  TEST_CASE("no job starts on a host that drains, and those that run there run on") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 20), a_job(2, 1, 2, 15),
                                a_job(3, 6, 2, 5), a_job(4, 7, 4, 10),
                                a_job(5, 8, 1, 40)};
    auto machine =
        draining_pool(4, {{5, HostKind::kDrain, 1, 50}, {50, HostKind::kUp, 1}});
    machine.resources.hosts = {{"a", 2, 2}};
    for (const auto& policy : {kFcfs, kEasyPolicy, kConservativePolicy}) {
      const auto run = run_full(jobs, machine, policy);
      CHECK(run.watched.attempts == Attempts{{1, {{0, 20}}},
                                             {2, {{1, 16}}},
                                             {3, {{20, 25}}},
                                             {4, {{50, 60}}},
                                             {5, {{60, 100}}}});
      CHECK(run.watched.hits == 0);
      CHECK(run.checked.at("L2") > 0);
    }
  }

  TEST_CASE("what a job leaves of a draining pool is expected before the rest") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 10), a_job(2, 1, 2, 5),
                                a_job(3, 6, 1, 20)};
    const auto machine =
        draining_pool(2, {{5, HostKind::kDrain, 0, 30}, {30, HostKind::kUp, 0}});
    const auto run = run_full(jobs, machine, kEasyPolicy);
    CHECK(run.watched.shadows.at({1, 1}) == 10);
    CHECK(run.watched.shadows.at({6, 1}) == 30);
    CHECK(run.watched.attempts ==
          Attempts{{1, {{0, 10}}}, {2, {{30, 35}}}, {3, {{10, 30}}}});
    const auto booked = run_full(jobs, machine, kConservativePolicy);
    CHECK(booked.watched.attempts == run.watched.attempts);
  }

  TEST_CASE("a processor that is back before its job ends was never away") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 10), a_job(2, 1, 2, 5)};
    const auto machine =
        draining_pool(2, {{5, HostKind::kDrain, 0, 30}, {8, HostKind::kUp, 0}});
    for (const auto& policy : kAllPolicies) {
      const auto run = run_full(jobs, machine, policy);
      CHECK(run.watched.attempts == Attempts{{1, {{0, 10}}}, {2, {{10, 15}}}});
    }
  }

  TEST_CASE("a host that drains may go down, and who holds a part of it is hit") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 20), a_job(2, 1, 2, 5)};
    auto machine = draining_pool(4, {{5, HostKind::kDrain, 0, 30},
                                     {10, HostKind::kDown, 0, 40},
                                     {25, HostKind::kUp, 0}});
    machine.resources.hosts = {{"a", 2, 2}};
    const auto run = run_full(jobs, machine, kEasyPolicy);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 10}, {10, 30}}}, {2, {{1, 6}}}});
  }

  TEST_CASE("what is left of the machine counts as capacity until its job has ended") {
    auto machine = draining_pool(4, {{10, HostKind::kDrain, 0, 100}});
    machine.resources.hosts = {{"a", 2, 2}};
    machine.pick = Pick::kLowest;
    const auto run = run_full({a_job(1, 0, 1, 20), a_job(2, 1, 2, 39)}, machine, kFcfs);
    CHECK(run.watched.attempts.at(2).front().end == 40);
    // Job 1 has processor 0, job 2 processors 1 and 2: nothing of host 0 is idle.
    CHECK(run.summary.find("availability")->value.value() ==
          doctest::Approx((4 * 20 + 3 * 20) / 160.0));
  }
}

TEST_SUITE("sim/drains/random") {
  TEST_CASE("EASY on what drains starts as an independent program does") {
    std::mt19937_64 random(4310);
    std::int64_t later = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      auto machine = eight_processors(has_hosts);
      const auto jobs = random_jobs({random}, 8);
      machine.life.events = events_of(random_turns({random}, has_hosts ? 3 : 8, false));
      CAPTURE(round);
      const auto groups = has_hosts ? std::vector{0, 0, 0, 1, 1, 1, 2, 2} : one_each(8);
      const auto wanted = NaiveEasy(jobs, machine, groups).run();
      const auto run = run_full(jobs, machine, kEasyPolicy);
      CHECK(run.watched.attempts == wanted);
      machine.life.events = nullptr;
      later += run_full(jobs, machine, kEasyPolicy).watched.attempts == wanted ? 0 : 1;
    }
    CHECK(later > 0);
  }

  TEST_CASE("every rule of the audit holds while hosts drain and go down") {
    std::mt19937_64 random(4311);
    std::int64_t hits = 0;
    std::int64_t excused = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      auto machine = eight_processors(has_hosts);
      const bool has_kinds = round % 4 == 2;
      if (has_kinds) machine.resources.wide = {{"licences", 3}};
      const auto jobs = random_jobs({random}, 8);
      machine.life.events = events_of(random_turns({random}, has_hosts ? 3 : 8, true));
      CAPTURE(round);
      for (const auto& policy : kAllPolicies) {
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
      "a host that drains while no job holds a part of it is as one that is down") {
    std::mt19937_64 random(4312);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      auto machine = eight_processors(round % 2 == 1);
      auto jobs = random_jobs({random}, 8);
      for (auto& job : jobs) job.submit += seconds(1);
      const auto until = static_cast<std::int64_t>(1 + round % 40);
      // A host that is late is no claim of the book while it drains.
      const auto late = static_cast<std::int64_t>(round % 9);
      const auto back =
          round % 2 == 1 ? std::max<std::int64_t>(1, until - late) : until + late;
      machine.life.events =
          events_of({{0, HostKind::kDrain, 1, until}, {back, HostKind::kUp, 1}});
      auto failing = machine;
      failing.life.events =
          events_of({{0, HostKind::kDown, 1, until}, {back, HostKind::kUp, 1}});
      CAPTURE(round);
      for (const auto& policy : kAllPolicies) {
        CHECK(run_full(jobs, machine, policy).watched.attempts ==
              run_full(jobs, failing, policy).watched.attempts);
      }
    }
  }
}

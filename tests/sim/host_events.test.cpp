// Hosts that go down and come back (docs/model.md#host-events).

#include "engine/hosts/host_events.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "tests/sim/hit_runs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using HostKind = HostEvent::Kind;

// In seconds: host `host` goes down at `at`, is expected at `until`, and is up at `up`;
// nullopt: it never comes back.
struct Outage {
  std::int32_t host;
  std::int64_t at;
  std::int64_t until;
  std::optional<std::int64_t> up;
};

std::shared_ptr<const std::vector<HostEvent>> events_of(
    const std::vector<Outage>& outages) {
  std::vector<HostEvent> all;
  for (const auto& each : outages) {
    all.push_back({seconds(each.at), HostKind::kDown, each.host, seconds(each.until)});
    if (!each.up) continue;
    all.push_back({seconds(*each.up), HostKind::kUp, each.host, seconds(*each.up)});
  }
  std::sort(all.begin(), all.end());
  return std::make_shared<const std::vector<HostEvent>>(std::move(all));
}

sim::Machine failing(std::int32_t processors, const std::vector<Outage>& outages) {
  auto machine = a_machine(processors);
  machine.life.events = events_of(outages);
  return machine;
}

}  // namespace

TEST_SUITE("sim/host_events") {
  TEST_CASE("a job whose processor goes down begins anew, and its work is lost") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 100), a_job(2, 0, 2, 30),
                                a_job(3, 0, 4, 10)};
    auto machine = failing(4, {{0, 50, 80, 80}});
    const auto requeued = run_full(jobs, machine, kEasyPolicy);
    CHECK(requeued.watched.attempts ==
          Attempts{{1, {{0, 50}, {50, 150}}}, {2, {{0, 30}}}, {3, {{150, 160}}}});
    CHECK(requeued.watched.lost == std::map<std::int64_t, double>{{1, 50}});
    CHECK(requeued.watched.shadows.at({0, 2}) == 100);
    CHECK(requeued.watched.shadows.at({50, 2}) == 150);
    CHECK(requeued.checked.at("L2") > 0);
    CHECK(requeued.checked.at("L5") == 3);

    machine.life.on_failure = OnFailure::kKill;
    const auto killed = run_full(jobs, machine, kEasyPolicy);
    CHECK(killed.watched.attempts ==
          Attempts{{1, {{0, 50}}}, {2, {{0, 30}}}, {3, {{80, 90}}}});
    CHECK(killed.watched.shadows.at({50, 2}) == 80);
    CHECK(killed.summary.jobs.failed == 1);
    CHECK(killed.summary.jobs.outlived_walltime == 0);
  }

  TEST_CASE("a job that writes checkpoints goes on from the last that is complete") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 100), a_job(2, 0, 2, 30),
                                a_job(3, 0, 4, 10)};
    auto machine = failing(4, {{0, 50, 80, 80}});
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(20), seconds(2), seconds(5)};
    const auto run = run_full(jobs, machine, kEasyPolicy);
    // 20 + 2 + 20 + 2 + 6 s; then 5 s of reading, and 60 s with two checkpoints.
    CHECK(run.watched.attempts ==
          Attempts{{1, {{0, 50}, {50, 119}}}, {2, {{0, 32}}}, {3, {{119, 129}}}});
    CHECK(run.watched.saved == std::map<std::int64_t, double>{{1, 40}});
    CHECK(run.watched.lost == std::map<std::int64_t, double>{{1, 6}});
    CHECK(run.watched.overhead == std::map<std::int64_t, double>{{1, 4}});
    CHECK(run.watched.shadows.at({0, 2}) == 108);
    CHECK(run.watched.shadows.at({50, 2}) == 119);
    CHECK(run.checked.at("L5") == 7);  // four of the hit, and an end of each job
    const auto value = [&](const char* name) {
      return run.summary.find(name)->value.value();
    };
    CHECK(value("requeues") == 1);
    CHECK(value("lost_processor_seconds") == 2 * 6);
    CHECK(value("overhead_processor_seconds") == 2 * 13 + 2 * 2);
    CHECK(value("useful_utilisation") ==
          doctest::Approx((2 * 100 + 2 * 30 + 4 * 10) / (4 * 129.0 - 30)));
    // Job 3 alone waited in the queue.
    CHECK(value("mean_queued_time") == doctest::Approx(119.0 / 3));
    CHECK(run.summary.jobs.outlived_walltime == 0);
  }

  TEST_CASE("a checkpoint that is complete as the host goes down counts") {
    auto machine = failing(1, {{0, 22, 23, 23}});
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(20), seconds(2), seconds(0)};
    const auto complete = run_full({a_job(1, 0, 1, 30)}, machine, kFcfs);
    CHECK(complete.watched.saved.at(1) == 20);
    CHECK(complete.watched.lost.at(1) == 0);
    CHECK(complete.watched.attempts == Attempts{{1, {{0, 22}, {23, 33}}}});
    machine.life.events = events_of({{0, 21, 22, 22}});
    const auto partial = run_full({a_job(1, 0, 1, 30)}, machine, kFcfs);
    CHECK(partial.watched.saved.at(1) == 0);
    CHECK(partial.watched.lost.at(1) == 20);
    CHECK(partial.watched.overhead.at(1) == 1);
    CHECK(partial.watched.attempts == Attempts{{1, {{0, 21}, {22, 54}}}});
  }

  TEST_CASE("a job that reads a checkpoint as its host goes down keeps that") {
    auto machine = failing(1, {{0, 25, 26, 26}, {0, 29, 30, 30}});
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(20), seconds(2), seconds(5)};
    const auto run = run_full({a_job(1, 0, 1, 30)}, machine, kFcfs);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 25}, {26, 29}, {30, 45}}}});
    CHECK(run.watched.saved.at(1) == 20);
    CHECK(run.watched.lost.at(1) == 3);
    CHECK(run.watched.overhead.at(1) == 2 + 3);
  }

  TEST_CASE("checkpoints move planned ends and the limit at the walltime, too") {
    // A walltime of 90 s writes two, so the kill comes at 110 s.
    auto machine = failing(2, {{1, 1000, 1100, 1100}});
    machine.overrun = sim::Overrun::kKill;
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(40), seconds(10), seconds(5)};
    auto late = a_job(1, 0, 1, 100);
    late.walltime = seconds(90);
    const auto killed = run_full({late}, machine, kFcfs);
    CHECK(killed.watched.attempts == Attempts{{1, {{0, 110}}}});
    CHECK(killed.summary.jobs.failed == 1);
    const auto value = [&](const char* name) {
      return killed.summary.find(name)->value.value();
    };
    CHECK(value("wasted_work") == 90);
    CHECK(value("overhead_processor_seconds") == 20);
    // Hit at 60 (40 s saved, 10 s lost), its walltime has 50 s left: 5 + 50 + 10 s.
    machine.life.events = events_of({{0, 60, 70, 70}, {1, 60, 70, 70}});
    const auto again = run_full({late}, machine, kFcfs);
    CHECK(again.watched.attempts == Attempts{{1, {{0, 60}, {70, 135}}}});
    CHECK(again.summary.jobs.failed == 1);
  }

  TEST_CASE("a job that fails by its host loses what it had saved") {
    auto machine = failing(1, {{0, 25, 26, 26}, {0, 50, 51, 51}});
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(20), seconds(0), seconds(0)};
    machine.life.max_attempts = 2;
    const auto run = run_full({a_job(1, 0, 1, 100)}, machine, kFcfs);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 25}, {26, 50}}}});
    CHECK(run.watched.lost.at(1) == 5 + (20 + 24));
    CHECK(run.watched.saved.at(1) == 0);
    CHECK(run.summary.jobs.failed == 1);
    CHECK(run.summary.find("useful_utilisation")->value.value() == 0);
  }

  TEST_CASE("jobs that would outlast the clock with their checkpoints are refused") {
    auto machine = failing(1, {{0, 25, 26, 26}});
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {1, seconds(1'000'000), seconds(0)};
    CHECK_THROWS_WITH_AS((void)run_full({a_job(7, 0, 1, 100)}, machine, kFcfs),
                         doctest::Contains("job 7 would take longer"), Error);
  }

  TEST_CASE("the metrics count what was lost, and the time in the queue again") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 100), a_job(2, 0, 2, 30),
                                a_job(3, 0, 4, 10)};
    const auto run = run_full(jobs, failing(4, {{0, 50, 80, 80}}), kEasyPolicy);
    const auto value = [&](const char* name) {
      return run.summary.find(name)->value.value();
    };
    CHECK(value("requeues") == 1);
    CHECK(value("failed_by_hosts") == 0);
    CHECK(value("lost_processor_seconds") == 100);
    CHECK(value("mean_queued_time") == 50);  // jobs 1 and 2 never waited
    CHECK(value("availability") == doctest::Approx(1 - 30.0 / (4 * 160)));
    CHECK(value("utilisation_of_installed") ==
          doctest::Approx((2 * 150 + 2 * 30 + 4 * 10) / (4 * 160.0)));
    CHECK(value("utilisation") ==
          doctest::Approx((2 * 150 + 2 * 30 + 4 * 10) / (4 * 160.0 - 30)));
  }

  TEST_CASE("a promise that a failure breaks is excused, and the next one is kept") {
    const std::vector<Job> jobs{a_job(1, 0, 3, 20), a_job(2, 1, 4, 10),
                                a_job(3, 2, 1, 15)};
    const auto run = run_full(jobs, failing(4, {{3, 10, 60, 40}}), kEasyPolicy);
    CHECK(run.watched.attempts ==
          Attempts{{1, {{0, 20}}}, {2, {{40, 50}}}, {3, {{2, 10}, {20, 35}}}});
    CHECK(run.watched.shadows.at({1, 1}) == 20);
    CHECK(run.watched.shadows.at({10, 1}) == 60);
    CHECK(run.excuses.jobs == 1);
    CHECK(run.excuses.longest == seconds(20));
  }

  TEST_CASE("a processor that is repaired late is expected as a job that overruns") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 10), a_job(2, 30, 1, 40),
                                a_job(3, 65, 1, 50)};
    const auto run = run_full(jobs, failing(2, {{0, 0, 60, 200}}), kEasyPolicy);
    CHECK(run.watched.attempts ==
          Attempts{{1, {{200, 210}}}, {2, {{65, 105}}}, {3, {{210, 260}}}});
    CHECK(run.watched.shadows.at({0, 0}) == 60);
    CHECK(run.watched.shadows.at({65, 0}) == 120);
  }

  TEST_CASE("a book is made anew after a loss, in the order of the queue") {
    const std::vector<Job> jobs{a_job(1, 0, 2, 20), a_job(2, 0, 4, 10),
                                a_job(3, 1, 2, 10), a_job(4, 2, 3, 5)};
    auto machine = failing(4, {{3, 5, 40, 40}});
    const auto kept = run_full(jobs, machine, kConservativePolicy);
    CHECK(kept.watched.attempts == Attempts{{1, {{0, 20}}},
                                            {2, {{40, 50}}},
                                            {3, {{1, 5}, {20, 30}}},
                                            {4, {{30, 35}}}});
    CHECK(kept.watched.reserved.at(1) == 40);
    CHECK(kept.watched.reserved.at(2) == 20);
    CHECK(kept.watched.reserved.at(3) == 30);
    machine.life.requeue_place = RequeuePlace::kLose;
    const auto lost = run_full(jobs, machine, kConservativePolicy);
    CHECK(lost.watched.attempts == Attempts{{1, {{0, 20}}},
                                            {2, {{40, 50}}},
                                            {3, {{1, 5}, {25, 35}}},
                                            {4, {{20, 25}}}});
    machine.life.requeue_place = RequeuePlace::kKeep;
    machine.life.requeue_delay = seconds(30);
    const auto late = run_full(jobs, machine, kConservativePolicy);
    CHECK(late.watched.attempts == Attempts{{1, {{0, 20}}},
                                            {2, {{40, 50}}},
                                            {3, {{1, 5}, {50, 60}}},
                                            {4, {{20, 25}}}});
    // In the queue from 35 s to 50 s, and one second before the first start is none.
    CHECK(late.outcomes[late.outcomes.size() - 1].queued(seconds(30)) == seconds(15));
  }

  TEST_CASE("a job fails once it has had so many attempts") {
    auto machine = failing(1, {{0, 5, 6, 6}, {0, 10, 11, 11}, {0, 30, 31, 31}});
    machine.life.max_attempts = 2;
    const auto run = run_full({a_job(1, 0, 1, 10)}, machine, kFcfs);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 5}, {6, 10}}}});
    CHECK(run.summary.jobs.failed == 1);
    machine.life.max_attempts = 3;
    const auto more = run_full({a_job(1, 0, 1, 10)}, machine, kFcfs);
    CHECK(more.watched.attempts == Attempts{{1, {{0, 5}, {6, 10}, {11, 21}}}});
  }

  TEST_CASE("processors may be down before the first submit, and for ever") {
    const std::vector<Job> jobs{a_job(1, 100, 1, 10), a_job(2, 100, 2, 10)};
    // Processor 1 was down and is back; processor 0 is down and comes back at 150 s.
    const auto run =
        run_full(jobs, failing(2, {{1, 10, 20, 20}, {0, 50, 60, 150}}), kEasyPolicy);
    CHECK(run.watched.attempts == Attempts{{1, {{100, 110}}}, {2, {{150, 160}}}});
    CHECK(run.watched.events.size() == 2);
    const auto never =
        run_full(jobs, failing(2, {{0, 50, 60, std::nullopt}}), kEasyPolicy);
    CHECK(never.watched.attempts == Attempts{{1, {{100, 110}}}});
    CHECK(never.watched.left == std::vector<std::int64_t>{2});
  }

  TEST_CASE("a job that ends as its processor goes down has finished") {
    const auto run =
        run_full({a_job(1, 0, 1, 10)}, failing(1, {{0, 10, 20, 20}}), kFcfs);
    CHECK(run.watched.attempts == Attempts{{1, {{0, 10}}}});
    CHECK(run.watched.hits == 0);
  }
}

namespace {

// Two groups of hosts, one of them for a partition of its own, or a pool.
sim::Machine a_random_machine(std::mt19937_64& random, bool has_hosts) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  auto machine = a_machine(has_hosts ? 8 : drawn(2, 8));
  if (has_hosts) machine.resources.hosts = {{"a", 2, 3}, {"b", 1, 2}};
  if (drawn(0, 3) == 0) machine.life.on_failure = OnFailure::kKill;
  if (drawn(0, 2) == 0) {
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(drawn(1, 5)), seconds(drawn(0, 2)),
                                seconds(drawn(0, 2))};
    if (drawn(0, 2) == 0) machine.overrun = sim::Overrun::kKill;
    machine.preemption = drawn(0, 1) == 0;
  }
  if (drawn(0, 2) == 0) machine.life.requeue_place = RequeuePlace::kLose;
  if (drawn(0, 2) == 0) machine.life.requeue_delay = seconds(drawn(1, 9));
  machine.life.max_attempts = drawn(1, 5);
  return machine;
}

std::vector<Outage> random_outages(std::mt19937_64& random, std::int32_t hosts,
                                   int until) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<Outage> all;
  for (std::int32_t host = 0; host < hosts; ++host) {
    for (int at = drawn(0, until); at < until; at += drawn(1, 15)) {
      const int length = drawn(1, 12);
      all.push_back({host, at, at + drawn(1, 12), at + length});
      at += length;
    }
  }
  return all;
}

std::vector<Job> random_jobs(std::mt19937_64& random, std::int32_t widest) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<Job> jobs;
  int submit = 0;
  for (int i = 1, n = drawn(1, 14); i <= n; ++i) {
    submit += drawn(0, 4);
    const int length = drawn(0, 9);
    jobs.push_back(
        a_job(i, submit, drawn(1, widest), length, std::max(0, length + drawn(-3, 6))));
  }
  return jobs;
}

}  // namespace

TEST_SUITE("sim/host_events/random") {
  TEST_CASE("every rule of the audit holds while hosts go down and come back") {
    std::mt19937_64 random(4302);
    std::int64_t hits = 0;
    std::int64_t excused = 0;
    std::int64_t saved = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      auto machine = a_random_machine(random, has_hosts);
      const std::int32_t hosts = has_hosts ? 3 : machine.processors;
      const auto jobs = random_jobs(random, machine.processors);
      machine.life.events = events_of(random_outages(random, hosts, 60));
      if (machine.life.events->empty()) continue;
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        // The audit throws for what is wrong.
        const auto run = run_full(jobs, machine, policy);
        const auto light = run_hit(jobs, machine, policy, audit::Thoroughness::kLight);
        CHECK(run.watched.attempts == light.watched.attempts);
        // Every host comes back, so each job ends.
        CHECK(run.watched.left.empty());
        hits += run.watched.hits;
        excused += run.excuses.jobs;
        for (const auto& [job, work] : run.watched.saved) saved += work > 0 ? 1 : 0;
      }
    }
    CHECK(hits > 0);
    CHECK(excused > 0);
    CHECK(saved > 0);
  }

  TEST_CASE("checkpoints that cost nothing and save nothing are a requeue") {
    std::mt19937_64 random(4304);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      auto machine = a_random_machine(random, has_hosts);
      machine.preemption = false;
      machine.overrun = sim::Overrun::kRunOn;
      const auto jobs = random_jobs(random, machine.processors);
      machine.life.events =
          events_of(random_outages(random, has_hosts ? 3 : machine.processors, 60));
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        machine.life.on_failure = OnFailure::kRequeue;
        const auto requeued = run_full(jobs, machine, policy);
        // No job runs for so long.
        machine.life.on_failure = OnFailure::kResume;
        machine.life.checkpoints = {seconds(1000), seconds(7), seconds(3)};
        const auto resumed = run_full(jobs, machine, policy);
        CHECK(resumed.watched.attempts == requeued.watched.attempts);
        CHECK(resumed.watched.shadows == requeued.watched.shadows);
        CHECK(resumed.watched.lost == requeued.watched.lost);
        CHECK(resumed.outcomes.size() == requeued.outcomes.size());
      }
    }
  }

  TEST_CASE("failures behind the last end change nothing") {
    std::mt19937_64 random(4303);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      auto machine = a_random_machine(random, has_hosts);
      const auto jobs = random_jobs(random, machine.processors);
      for (const auto& policy : kPolicies) {
        machine.life.events = nullptr;
        const auto without = run_full(jobs, machine, policy);
        machine.life.events = events_of({{0, 100'000, 100'001, 100'001}});
        const auto with = run_full(jobs, machine, policy);
        CHECK(with.watched.attempts == without.watched.attempts);
        CHECK(with.watched.shadows == without.watched.shadows);
        CHECK(with.watched.reserved == without.watched.reserved);
        CHECK(with.watched.hits == 0);
      }
    }
  }
}

TEST_SUITE("sim/host_events/audit") {
  // Job 1 loses its processors at 10 s, which breaks the promise to job 2 (20 s), and
  // begins anew at 15 s.  The policy leaves job 2 alone at 35 s, as it was promised
  // since, and starts it a second later.
  TEST_CASE("a promise that a policy breaks by itself is no excuse of a failure") {
    const std::vector<Job> jobs{a_job(1, 0, 4, 20), a_job(2, 1, 4, 10)};
    const auto machine = failing(4, {{0, 10, 15, 15}});
    sim::PolicyTraits traits;
    traits.promise = sim::Promise::kEasy;
    ScriptedPolicy policy(
        [](sim::Simulation& simulation) {
          if (simulation.world().now() != seconds(35)) return easy(simulation);
          simulation.actions().wake_at(seconds(36));
        },
        traits);
    const sim::Settings settings;
    sim::Simulation simulation(machine, settings, jobs, policy,
                               make_model(machine, jobs));
    audit::Auditor auditor({machine, settings, jobs, policy.traits()},
                           law_of(machine, jobs));
    simulation.audience().observe(auditor);
    bool is_found = false;
    try {
      (void)simulation.advance(kNever - 1);
      simulation.finish();
    } catch (const audit::AuditFailure& failure) {
      is_found = true;
      CHECK(failure.violation().rule == audit::kHeadPromise);
      CHECK(failure.violation().jobs == std::vector<std::int64_t>{2});
    }
    CHECK(is_found);
  }

  struct Judged {
    HostLife life;
    std::optional<audit::HostCheck> check;
    Placement first{IntervalSet(0, 1)};
    Judged() {
      life.events = events_of({{1, 10, 30, 20}});
      check.emplace(life);
      CHECK_FALSE(check->come_to(0));
    }
    sim::HostRecord at(std::size_t event) const {
      const auto& it = (*life.events)[event];
      return {it.at, it.at, it.host, it.kind == HostKind::kUp, it.until, {1, 1}};
    }
  };

  TEST_CASE("a job that goes on over the loss of a host is found") {
    Judged of;
    CHECK_FALSE(of.check->start(JobId{0}, of.first));
    CHECK_FALSE(of.check->come_to(seconds(10)));
    CHECK_FALSE(of.check->note(of.at(0)));
    CHECK(of.check->is_owed());
    CHECK(of.check->come_to(seconds(11))->rule == audit::kHostsUp);
  }

  TEST_CASE("a start on a host that is down, and a hit without a loss are found") {
    Judged of;
    CHECK_FALSE(of.check->come_to(seconds(10)));
    CHECK_FALSE(of.check->note(of.at(0)));
    CHECK(of.check->start(JobId{0}, of.first)->rule == audit::kHostsUp);
    Judged hit;
    CHECK_FALSE(hit.check->start(JobId{0}, Placement(IntervalSet(0, 0))));
    CHECK(hit.check->leave(JobId{0}, true)->rule == audit::kHostsUp);
  }

  TEST_CASE("a host that goes down at another time than the machine says is found") {
    Judged early;
    CHECK_FALSE(early.check->come_to(seconds(9)));
    CHECK(early.check->note(early.at(0))->rule == audit::kHostsUp);
    Judged forgotten;
    CHECK_FALSE(forgotten.check->come_to(seconds(10)));
    CHECK(forgotten.check->come_to(seconds(11))->rule == audit::kHostsUp);
  }
}

// Failures of hosts that are drawn (docs/model.md#drawn-failures).

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "engine/audit/host_check.hpp"
#include "engine/hosts/host_event_source.hpp"
#include "tests/sim/hit_runs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using Kind = HostEvent::Kind;

HostLife drawing(std::uint64_t seed, std::vector<FailingUnits> units) {
  HostLife life;
  life.failures =
      std::make_shared<const DrawnFailures>(DrawnFailures{seed, std::move(units)});
  return life;
}

// The first events from `begin` on.
std::vector<HostEvent> first_events(const HostLife& life, std::size_t count,
                                    Time begin = 0) {
  const auto source = source_of(life, begin);
  std::vector<HostEvent> all;
  while (all.size() < count) {
    const auto instant = source->take();
    all.insert(all.end(), instant.begin(), instant.end());
  }
  return all;
}

std::vector<HostEvent> of_host(std::int32_t host, const std::vector<HostEvent>& all) {
  std::vector<HostEvent> own;
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [&](const HostEvent& event) { return event.host == host; });
  return own;
}

}  // namespace

TEST_SUITE("sim/drawn_failures") {
  TEST_CASE("times up and down have the means that are asked for") {
    for (const double shape : {0.7, 1.0, 2.0}) {
      CAPTURE(shape);
      const auto life =
          drawing(1, {{0, 1, 1, seconds(1000), seconds(50), shape, 1 / shape}});
      constexpr int kTimes = 20'000;
      double up = 0;
      double down = 0;
      Time last = 0;
      for (const auto& event : first_events(life, 2 * kTimes)) {
        (event.kind == Kind::kDown ? up : down) += to_seconds(event.at - last);
        last = event.at;
      }
      // Three deviations of the mean are 3.1 % at the shape 0.7.
      CHECK(up / kTimes == doctest::Approx(1000).epsilon(0.035));
      CHECK(down / kTimes == doctest::Approx(50).epsilon(0.035));
    }
  }

  TEST_CASE("a host goes down and up by turns, and is told the mean repair") {
    const auto all =
        first_events(drawing(1, {{0, 3, 1, seconds(100), seconds(20)}}), 60);
    CHECK(std::is_sorted(all.begin(), all.end()));
    for (std::int32_t host = 0; host < 3; ++host) {
      bool is_down = false;
      for (const auto& event : of_host(host, all)) {
        CHECK((event.kind == Kind::kDown) == !is_down);
        is_down = !is_down;
        CHECK(event.until - event.at == (is_down ? seconds(20) : 0));
      }
    }
  }

  TEST_CASE("what a unit draws depends neither on other units nor on the means") {
    const auto alone =
        first_events(drawing(5, {{2, 1, 1, seconds(90), seconds(9)}}), 9);
    const auto beside = first_events(drawing(5, {{0, 2, 1, seconds(10), seconds(1)},
                                                 {2, 1, 1, seconds(90), seconds(9)}}),
                                     2'000);
    auto own = of_host(2, beside);
    REQUIRE(own.size() >= 9);
    own.resize(9);
    CHECK(own == alone);
    const auto slow =
        first_events(drawing(5, {{2, 1, 1, seconds(180), seconds(18)}}), 9);
    // Each draw is rounded to a second.
    for (std::size_t i = 0; i < slow.size(); ++i) {
      const auto off = to_seconds(slow[i].at) - 2 * to_seconds(alone[i].at);
      CHECK(std::abs(off) <= 1.5 * static_cast<double>(i + 1));
    }
    const auto other =
        first_events(drawing(6, {{2, 1, 1, seconds(90), seconds(9)}}), 9);
    CHECK(other.front().at != alone.front().at);
    // A run that begins later has the same failures later.
    const auto later = first_events(drawing(5, {{2, 1, 1, seconds(90), seconds(9)}}), 1,
                                    seconds(1000));
    CHECK(later.front().at == alone.front().at + seconds(1000));
  }

  TEST_CASE("hosts of a unit fail together, and the last unit may have fewer") {
    const auto all =
        first_events(drawing(3, {{0, 5, 2, seconds(100), seconds(20)}}), 200);
    const auto times_of = [&](std::int32_t host) {
      std::vector<Time> times;
      for (const auto& event : of_host(host, all)) times.push_back(event.at);
      times.resize(20);
      return times;
    };
    CHECK(times_of(0) == times_of(1));
    CHECK(times_of(2) == times_of(3));
    CHECK(times_of(0) != times_of(2));
    CHECK(times_of(2) != times_of(4));
  }

  TEST_CASE("a run that only failures go on with stands still") {
    const std::vector<Job> jobs{a_job(1, 0, 1, 10)};
    auto machine = a_machine(1);
    machine.life = drawing(1, {{0, 1, 1, seconds(100), seconds(20)}});
    int passes = 0;
    ScriptedPolicy idle([&](sim::Simulation&) { ++passes; }, {});
    sim::Settings settings;
    settings.idle_passes_in_a_row = 50;
    sim::Simulation simulation(machine, settings, jobs, idle,
                               make_model(machine, jobs));
    CHECK_THROWS_WITH_AS(
        (void)simulation.advance(kNever - 1),
        doctest::Contains("but failures of hosts; the policy does nothing"), Error);
    CHECK(passes == 51);  // that of the submit is none in a row
  }

  TEST_CASE("a host that fails other than it was drawn is found") {
    const auto life = drawing(1, {{0, 1, 1, seconds(100), seconds(20)}});
    const auto event = first_events(life, 1).front();
    const auto told = [&](Time at) {
      return sim::HostRecord{at, at, 0, false, after(at, seconds(20)), {0, 0}};
    };
    audit::HostCheck right(life);
    CHECK_FALSE(right.come_to(0));
    CHECK_FALSE(right.come_to(event.at));
    CHECK_FALSE(right.note(told(event.at)));
    audit::HostCheck early(life);
    CHECK_FALSE(early.come_to(0));
    CHECK_FALSE(early.come_to(event.at - 1));
    CHECK(early.note(told(event.at - 1))->rule == audit::kHostsUp);
    audit::HostCheck forgotten(life);
    CHECK_FALSE(forgotten.come_to(0));
    CHECK_FALSE(forgotten.come_to(event.at));
    CHECK(forgotten.come_to(event.at + 1)->rule == audit::kHostsUp);
  }
}

namespace {

// A pool, or two groups of hosts; one in three has hosts that never fail.
sim::Machine a_drawing_machine(std::mt19937_64& random, bool has_hosts) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  const auto units = [&](std::int32_t first, std::int32_t hosts) {
    return FailingUnits{first,
                        hosts,
                        drawn(1, 3),
                        seconds(drawn(20, 60)),
                        seconds(drawn(1, 6)),
                        drawn(5, 20) / 10.0,
                        drawn(5, 20) / 10.0};
  };
  auto machine = a_machine(has_hosts ? 8 : drawn(2, 8));
  std::vector<FailingUnits> all;
  if (has_hosts) {
    machine.resources.hosts = {{"a", 2, 3}, {"b", 1, 2}};
    all.push_back(units(0, 2));
    if (drawn(0, 2) > 0) all.push_back(units(2, 1));
  } else {
    all.push_back(units(0, machine.processors));
  }
  machine.life = drawing(random(), std::move(all));
  machine.life.requeue_delay = seconds(drawn(0, 2));
  if (drawn(0, 2) == 0) {
    machine.life.on_failure = OnFailure::kResume;
    machine.life.checkpoints = {seconds(drawn(1, 4)), seconds(drawn(0, 1)),
                                seconds(drawn(0, 1))};
  }
  machine.life.max_attempts = drawn(2, 8);
  return machine;
}

std::vector<Job> jobs_to_hit(std::mt19937_64& random, std::int32_t widest) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<Job> jobs;
  int submit = drawn(0, 5);
  for (int i = 1, n = drawn(1, 14); i <= n; ++i) {
    submit += drawn(0, 4);
    const int length = drawn(0, 9);
    jobs.push_back(
        a_job(i, submit, drawn(1, widest), length, std::max(0, length + drawn(-3, 6))));
  }
  return jobs;
}

}  // namespace

TEST_SUITE("sim/drawn_failures/random") {
  TEST_CASE("a run whose failures are drawn is the run with its own events") {
    std::mt19937_64 random(4321);
    std::int64_t hits = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      auto machine = a_drawing_machine(random, round % 2 == 1);
      const auto jobs = jobs_to_hit(random, machine.processors);
      const auto failures = machine.life.failures;
      CAPTURE(round);
      for (const auto& policy : kPolicies) {
        machine.life.events = nullptr;
        machine.life.failures = failures;
        // The audit throws for what is wrong.
        const auto drawn = run_full(jobs, machine, policy);
        machine.life.failures = nullptr;
        machine.life.events =
            std::make_shared<const std::vector<HostEvent>>(drawn.watched.events);
        const auto listed = run_full(jobs, machine, policy);
        CHECK(listed.watched.attempts == drawn.watched.attempts);
        CHECK(listed.watched.shadows == drawn.watched.shadows);
        CHECK(listed.watched.reserved == drawn.watched.reserved);
        CHECK(listed.watched.events == drawn.watched.events);
        CHECK(listed.excuses.jobs == drawn.excuses.jobs);
        CHECK(drawn.watched.left.empty());
        hits += drawn.watched.hits;
      }
    }
    CHECK(hits > 0);
  }

  TEST_CASE("every policy meets the same failures, as long as it runs") {
    std::mt19937_64 random(4322);
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto machine = a_drawing_machine(random, round % 2 == 1);
      const auto jobs = jobs_to_hit(random, machine.processors);
      CAPTURE(round);
      auto longest = run_full(jobs, machine, kPolicies.front()).watched.events;
      for (const auto& policy : kPolicies) {
        auto events = run_full(jobs, machine, policy).watched.events;
        if (events.size() > longest.size()) std::swap(events, longest);
        CHECK(std::equal(events.begin(), events.end(), longest.begin()));
      }
    }
  }
}

// A run whose owner drives it pass by pass (Simulation::to_pass, close_pass) is the run
// that advance() makes.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/audit/auditor.hpp"
#include "engine/base/error.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/output/log_jsonl.hpp"
#include "engine/sim/inspector.hpp"
#include "engine/sim/releases.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Asks for every second pass that may be left out, and notes each.
class Passes final : public sim::Inspector {
 public:
  [[nodiscard]] bool wants_spare_pass() const override { return noted.size() % 2 == 0; }
  void passed(const sim::Simulation& simulation, sim::PassKind kind) override {
    const bool is_made = kind == sim::PassKind::kMade;
    noted +=
        fmt::format("{} {} {}\n", seconds_text(simulation.world().now()),
                    is_made ? "made" : "left out", simulation.plans().all().size());
  }
  std::string noted;
};

enum class How : std::uint8_t { kAdvance, kHalves, kMixed };

struct Setup {
  TestMachine machine;
  sim::Settings settings;
  std::vector<Job> jobs;
  std::shared_ptr<const JobLinks> links{};
  bool is_logged = true;  // else passes that are left out are not run at all
};

// Everything that observers are told, or what stopped the run.
struct Ran {
  std::string log;
  std::string passes;
  std::uint64_t hash = 0;
  std::int64_t made = 0;
  std::string error;
  friend bool operator==(const Ran&, const Ran&) = default;
};

void drive(sim::Simulation& simulation, sim::Policy& policy, How how) {
  if (how == How::kAdvance) {
    const bool goes_on = simulation.advance(kNever);
    CHECK_FALSE(goes_on);
    return;
  }
  std::mt19937 draw(7);  // NOLINT(cert-msc*): the same in each run
  Time until = how == How::kHalves ? kNever : 0;
  for (bool goes_on = true; goes_on;) {
    while (simulation.to_pass(until)) {
      policy.schedule(simulation);
      simulation.close_pass();
    }
    until = until == kNever ? until : until + seconds(draw() % 9);
    goes_on = simulation.advance(until);
    if (how == How::kHalves) CHECK_FALSE(goes_on);
  }
  CHECK_FALSE(simulation.to_pass(kNever));
}

Ran ran(const std::string& name, const Setup& setup, How how) {
  const auto policy = lua_policy(name);
  std::optional<sim::JobReleases> releases;
  if (setup.links) releases.emplace(setup.jobs, setup.links);
  const auto jobs = releases ? releases->jobs() : std::span<const Job>(setup.jobs);
  StringSink sink;
  LogJsonl log(sink);
  Passes passes;
  RunMetrics metrics(jobs);
  Ran made;
  try {
    sim::Simulation simulation(setup.machine, setup.settings, jobs, *policy,
                               make_model(setup.machine, jobs),
                               releases ? &*releases : nullptr);
    simulation.audience().observe(metrics);
    if (setup.is_logged) {
      simulation.audience().observe(log);
      simulation.audience().inspect(passes);
    }
    drive(simulation, *policy, how);
    simulation.finish();
    made.made = metrics.summary().counts.passes;
  } catch (const Error& error) {
    made.error = error.what();
  }
  made.log = sink.text();
  made.passes = passes.noted;
  made.hash = metrics.schedule_hash();
  return made;
}

std::vector<sim::Settings> all_settings() {
  sim::Settings instant;
  sim::Settings event;
  event.pass = sim::PassMode::kEvent;
  sim::Settings clock;
  clock.cycle = seconds(7);
  return {instant, event, clock};
}

// How many runs of all policies came to their end.
int compare_all(Setup setup) {
  int ended = 0;
  for (const auto& settings : all_settings()) {
    setup.settings = settings;
    for (const auto& name : policy_names()) {
      CAPTURE(name);
      CAPTURE(settings.cycle);
      const auto whole = ran(name, setup, How::kAdvance);
      CHECK(whole == ran(name, setup, How::kHalves));
      CHECK(whole == ran(name, setup, How::kMixed));
      ended += whole.error.empty() && whole.hash != 0 ? 1 : 0;
    }
  }
  return ended;
}

}  // namespace

TEST_SUITE("policies/halves") {
  TEST_CASE("every policy makes the same records pass by pass, in every kind of pass") {
    for (std::uint64_t seed = 1; seed <= rounds(2); ++seed) {
      const auto jobs = random_jobs(seed, {.jobs = 40, .overruns = seed % 2 == 0});
      for (const bool is_logged : {true, false}) {
        CHECK(compare_all({TestMachine(a_machine(8)), {}, jobs, {}, is_logged}) > 30);
        CHECK(compare_all({a_two_tier_machine(8), {}, jobs, {}, is_logged}) > 30);
      }
      (void)compare_all({a_network_machine(8), {}, jobs});
    }
  }

  TEST_CASE("so it does where jobs wait for others") {
    const auto jobs = random_jobs(5, {.jobs = 30});
    std::vector<JobLink> links;
    for (std::uint32_t child = 3; child < 30; child += 2) {
      links.push_back({child - 3, child, LinkKind::kAfterAny, seconds(child % 4)});
    }
    const std::vector<bool> none(jobs.size());
    const auto made =
        std::make_shared<const JobLinks>(links, none, none, NeverSatisfied::kReject);
    CHECK(compare_all({TestMachine(a_machine(8)), {}, jobs, made}) > 30);
  }

  TEST_CASE(
      "a half in the wrong order is a defect, and a run that is over stays over") {
    const auto jobs = random_jobs(1, {.jobs = 3});
    const auto policy = lua_policy("fcfs");
    const TestMachine machine(a_machine(8));
    sim::Simulation simulation(machine, {}, jobs, *policy, make_model(machine, jobs));
    CHECK_THROWS_AS(simulation.close_pass(), Error);
    REQUIRE(simulation.to_pass(kNever));
    CHECK_THROWS_AS((void)simulation.to_pass(kNever), Error);
    CHECK_THROWS_AS((void)simulation.advance(kNever), Error);
    simulation.close_pass();
    CHECK_THROWS_AS(simulation.close_pass(), Error);
    CHECK_FALSE(simulation.advance(kNever));
    CHECK_FALSE(simulation.to_pass(kNever));
    CHECK_FALSE(simulation.advance(kNever));
  }
}

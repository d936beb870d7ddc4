// The fair order under its policies: the figures of independent computations, and what
// must hold of any schedule by usage.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "engine/audit/auditor.hpp"
#include "engine/metrics/run_metrics.hpp"
#include "engine/metrics/user_details.hpp"
#include "engine/share/shares.hpp"
#include "engine/workload/gzip_source.hpp"
#include "engine/workload/swf_reader.hpp"
#include "study/common/file_source.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

struct Run {
  std::map<std::int64_t, Time> starts;  // by job number
  std::map<std::int32_t, double> usage;
  // At the end, from what the metrics keep of jobs.
  std::map<std::int32_t, double> usage_by_outcomes;
  std::map<std::string, std::int64_t> checked;

  [[nodiscard]] double mean_wait(std::span<const Job> jobs) const {
    double sum = 0;
    for (const auto& job : jobs) sum += to_seconds(starts.at(job.id) - job.submit);
    return sum / static_cast<double>(jobs.size());
  }
};

class Starts final : public sim::RecordVisitor<Starts, sim::StartRecord> {
 public:
  explicit Starts(Run& run) : run_(run) {}
  void on(const sim::StartRecord& record) {
    run_.starts[record.who.job->id] = record.at;
  }
  void finish(Time) override {}

 private:
  Run& run_;
};

// Whether a run of this policy keeps usage, and whether the policy can ask for it.
std::pair<bool, bool> kept_and_seen(bool keeps_usage, const std::string& policy_name) {
  const auto policy = lua_policy(policy_name);
  auto job = a_job(1, 0, 1, 10);
  job.user = 7;
  const std::array jobs{job};
  sim::Settings settings;
  settings.shares.emplace();
  settings.keeps_usage = keeps_usage;
  const auto machine = a_machine(4);
  sim::Simulation simulation(machine, settings, jobs, *policy,
                             make_model(machine, jobs));
  return {simulation.parts().world.state().shares != nullptr,
          simulation.world().shares() != nullptr};
}

// Runs under audit up to `until`; usage is that of then, or of the last event.
Run play(const std::string& name, std::span<const Job> jobs, std::int32_t processors,
         const ShareSettings& shares, Time until = kNever) {
  const auto policy = lua_policy(name);
  const auto machine = a_machine(processors);
  sim::Settings settings;
  settings.shares = shares;
  sim::Simulation simulation(machine, settings, jobs, *policy,
                             make_model(machine, jobs));
  Run run;
  Starts starts(run);
  audit::Auditor auditor({machine, settings, jobs, policy->traits()},
                         law_of(machine, jobs), audit::Thoroughness::kFull);
  RunMetrics metrics(jobs);
  simulation.audience().observe(starts);
  simulation.audience().observe(auditor);
  simulation.audience().observe(metrics);
  simulation.advance(until);
  const auto& known = *simulation.parts().world.state().shares;
  const Time now = until == kNever ? simulation.world().now() : until;
  for (std::uint32_t user = 0; user < known.known(); ++user) {
    run.usage[known.name(user)] = known.usage(user, now);
  }
  if (until != kNever) return run;
  simulation.finish();
  run.usage_by_outcomes = usage_of_users(metrics.outcomes(), shares, now);
  run.checked = auditor.checked();
  return run;
}

ShareSettings half_life(std::int64_t of) {
  ShareSettings settings;
  settings.half_life = seconds(of);
  return settings;
}

std::vector<Job> jobs_of(const std::vector<std::array<std::int64_t, 4>>& rows) {
  std::vector<Job> jobs;
  for (const auto& [submit, user, size, length] : rows) {
    const auto id = static_cast<std::int64_t>(jobs.size()) + 1;
    jobs.push_back(a_job(id, submit, static_cast<std::int32_t>(size), length));
    jobs.back().user = static_cast<std::int32_t>(user);
    jobs.back().queue_class = static_cast<std::int32_t>(id % 2);
  }
  return jobs;
}

std::int64_t draw(std::mt19937& random, std::uint32_t below) {
  return static_cast<std::int64_t>(random() % below);
}

std::vector<Job> random_jobs_of_users(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::array<std::int64_t, 4>> rows;
  std::int64_t submit = 0;
  for (int i = 0; i < 300; ++i) {
    submit += draw(random, 20);
    rows.push_back(
        {submit, draw(random, 9), 1 + draw(random, 8), 1 + draw(random, 120)});
  }
  return jobs_of(rows);
}

const std::array kPolicies{"fairshare_fifo", "fairshare_easy",
                           "fairshare_conservative"};

}  // namespace

TEST_SUITE("policies/fair_share") {
  TEST_CASE("usage is kept for a policy that asks, and for users.csv") {
    CHECK(kept_and_seen(false, "easy") == std::pair(false, false));
    CHECK(kept_and_seen(true, "easy") == std::pair(true, false));
    CHECK(kept_and_seen(false, "fairshare_easy") == std::pair(true, true));
    CHECK(kept_and_seen(false, "multifactor") == std::pair(true, true));
    CHECK(kept_and_seen(false, "drf") == std::pair(true, true));
  }

  TEST_CASE("at the end of eight jobs usage is that of the specification") {
    const auto jobs = jobs_of({{0, 1, 3, 100},
                               {0, 2, 1, 50},
                               {10, 1, 1, 40},
                               {20, 2, 3, 60},
                               {30, 3, 2, 30},
                               {40, 1, 1, 20},
                               {60, 3, 1, 30},
                               {70, 2, 1, 10}});
    const auto run = play("fairshare_fifo", jobs, 4, half_life(0));
    CHECK(run.usage.at(1) == 360.0);
    CHECK(run.usage.at(2) == 240.0);
    CHECK(run.usage.at(3) == 90.0);
    CHECK(run.mean_wait(jobs) == 68.75);
    const auto of_easy = [&](std::int64_t life) {
      return play("fairshare_easy", jobs, 4, half_life(life)).mean_wait(jobs);
    };
    CHECK(of_easy(0) == 43.75);
    CHECK(of_easy(20) == 52.5);
  }

  TEST_CASE("outcomes tell the usage of users who hold the machine without a break") {
    for (std::uint32_t seed = 1; seed <= rounds(4); ++seed) {
      const auto jobs = random_jobs_of_users(seed);
      for (const std::int64_t life : {0, 7, 200, 604'800}) {
        for (const std::int64_t period : {0, 1, 50, 3'000}) {
          auto shares = half_life(life);
          shares.period = seconds(period);
          shares.class_factor = {{0, 0.25}};
          const auto run = play("fairshare_easy", jobs, 8, shares);
          REQUIRE(run.usage.size() == run.usage_by_outcomes.size());
          for (const auto& [user, usage] : run.usage) {
            const double told = run.usage_by_outcomes.at(user);
            CHECK(std::abs(told - usage) <= 1e-11 * usage);
            if (life == 0) CHECK(told == usage);
          }
        }
      }
    }
  }

  TEST_CASE(
      "F34: a user who had the machine 100 half-lives ago comes after a new one") {
    auto jobs =
        jobs_of({{0, 2, 32, 24}, {14, 1, 1, 1027}, {14, 2, 64, 50}, {428, 3, 64, 40}});
    const auto run = play("fairshare_fifo", jobs, 64, half_life(10));
    CHECK(run.starts.at(4) == seconds(1041));
    CHECK(run.starts.at(3) == seconds(1081));
    CHECK(play("fairshare_easy", jobs, 64, half_life(10)).starts == run.starts);
  }

  TEST_CASE("on KTH mean waits are those of the specification") {
    const auto path = shared_data("traces/KTH-SP2-1996-2.1-cln.swf.gz");
    if (!path) return;
    study::FileSource file(path->string());
    GzipSource plain(file, path->filename().string(), unlimited());
    const auto workload = read_swf(plain, {.name = "kth"}, unlimited());
    const std::vector<Job> jobs(workload.jobs.begin(), workload.jobs.end());
    const std::map<std::string, std::string> kMeans{{"fairshare_fifo", "165754.731"},
                                                    {"fairshare_easy", "7080.967"}};
    for (const auto& each : kMeans) {
      const auto& name = each.first;
      const auto run = play(name, jobs, 100, half_life(7 * 86'400));
      CAPTURE(name);
      CHECK(fmt::format("{:.3f}", run.mean_wait(jobs)) == each.second);
      CHECK(run.checked.count(name == "fairshare_fifo" ? "R4" : "R5") == 1);
    }
  }

  TEST_CASE("users who always have work waiting get parts like their weights") {
    std::mt19937 random(11);
    std::vector<std::array<std::int64_t, 4>> rows;
    for (std::int64_t i = 0; i < 20'000; ++i) {
      rows.push_back({0, i % 2, 1 + draw(random, 2), 50 + draw(random, 101)});
    }
    const auto jobs = jobs_of(rows);
    for (const double weight : {1.0, 2.0}) {
      auto shares = half_life(0);
      shares.users = {{0, weight}};
      // Long enough that the jobs running at the end, which have used a part of what
      // they will, weigh less than 0.1 %.
      const auto run = play("fairshare_fifo", jobs, 8, shares, seconds(200'000));
      CHECK(run.usage.at(0) / run.usage.at(1) == doctest::Approx(weight).epsilon(1e-3));
    }
  }

  TEST_CASE("other numbers for the users, in the same order, change nothing else") {
    for (const auto* name : kPolicies) {
      for (std::uint32_t seed = 1; seed <= rounds(5); ++seed) {
        auto jobs = random_jobs_of_users(seed);
        const auto before = play(name, jobs, 8, half_life(200));
        for (auto& job : jobs) job.user = 3 * job.user + 100;
        CHECK(play(name, jobs, 8, half_life(200)).starts == before.starts);
      }
    }
  }

  TEST_CASE("one user alone is served as without shares") {
    for (std::uint32_t seed = 1; seed <= rounds(5); ++seed) {
      auto jobs = random_jobs_of_users(seed);
      for (auto& job : jobs) job.user = 1;
      CHECK(play("fairshare_fifo", jobs, 8, half_life(200)).starts ==
            play("fcfs", jobs, 8, half_life(200)).starts);
      CHECK(play("fairshare_easy", jobs, 8, half_life(200)).starts ==
            play("easy", jobs, 8, half_life(200)).starts);
    }
  }

  TEST_CASE("without users the fair order is refused before the first event") {
    const std::vector<Job> jobs{a_job(1, 0, 1, 10)};
    const auto policy = lua_policy("fairshare_fifo");
    const auto machine = a_machine(4);
    sim::Settings settings;
    settings.shares.emplace();
    CHECK_THROWS_WITH(
        sim::Simulation(machine, settings, jobs, *policy, make_model(machine, jobs)),
        "fairshare_fifo: order \"fair_share\": no job names a user");
  }
}

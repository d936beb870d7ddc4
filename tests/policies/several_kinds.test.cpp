// Policies on machines with several kinds of resource: worked examples and what must
// hold on every workload (docs/model.md#kinds).

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>

#include "tests/support/kinds.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using Parameters = std::map<std::string, std::string>;

// A job: submit, processors, GiB in all (a chunk on hosts), length.
struct Row {
  std::int64_t submit;
  std::int32_t processors;
  double memory;
  std::int64_t length;
  std::int32_t chunks = 1;
  double licences = 0;
};

struct Scene {
  std::vector<Job> jobs;
  NeedColumns needs;

  explicit Scene(const std::vector<Row>& rows) {
    for (const auto& row : rows) {
      const auto id = static_cast<std::int64_t>(jobs.size()) + 1;
      jobs.push_back(a_job(id, row.submit, row.processors, row.length));
      needs["memory"][id] = {row.memory * kGib};
      needs["chunks"][id] = {static_cast<double>(row.chunks)};
      needs["licence"][id] = {row.licences};
    }
  }
  [[nodiscard]] KindsRun play(const sim::Machine& machine, const std::string& policy,
                              const Parameters& parameters = {}) const {
    const auto made = lua_policy(policy, parameters);
    return run_kinds(jobs, needs, machine, *made);
  }
  // "0-10 6-11": start and end of the jobs from this number on.
  [[nodiscard]] std::string spans(const KindsRun& run, std::int64_t from = 1) const {
    std::string text;
    for (const auto& job : jobs) {
      if (job.id < from) continue;
      const auto& span = run.watched.spans.at(job.id);
      text += fmt::format("{}{:g}-{:g}", text.empty() ? "" : " ", span.start, span.end);
    }
    return text;
  }
  // The jobs behind the first two that start at 1.
  [[nodiscard]] std::string at_one(const sim::Machine& machine,
                                   const std::string& policy,
                                   const Parameters& parameters = {}) const {
    std::string text;
    const auto run = play(machine, policy, parameters);
    for (const auto& job : jobs) {
      if (job.id > 2 && run.watched.starts.at(job.id) == seconds(1)) {
        text += fmt::format("{}{}", text.empty() ? "" : " ", job.id);
      }
    }
    return text;
  }
};

// What bb and ibb compute where so much is in use of two or three kinds of 10,000.
struct Scored {
  std::vector<double> used;
  std::vector<double> need;
};

std::string scores_of(const Scored& of) {
  const auto amount = [](double part) { return std::llround(part * 10'000); };
  auto machine = a_machine(10'000);
  for (std::size_t i = 1; i < of.used.size(); ++i) {
    machine.resources.wide.emplace_back(fmt::format("kind{}", i), 10'000);
  }
  std::vector<Job> jobs{a_job(1, 0, static_cast<std::int32_t>(amount(of.used[0])), 10),
                        a_job(2, 0, static_cast<std::int32_t>(amount(of.need[0])), 10)};
  NeedColumns needs;
  for (std::size_t i = 1; i < of.used.size(); ++i) {
    auto& column = needs[fmt::format("kind{}", i)];
    column[1] = {static_cast<double>(amount(of.used[i]))};
    column[2] = {static_cast<double>(amount(of.need[i]))};
  }
  // The score, and whether the job leaves the machine as even, are told by its start.
  bindings::PolicyOptions options;
  options.library = policy_library;
  bindings::LuaPolicy policy({"policy", "policy.lua", R"(
    local balance = require("balance")
    return { params = { units = balance.units }, schedule = function(queue, cluster)
      for job in queue:all() do
        if job.id == 2 then
          local with = balance.now(cluster)
          local before = with()
          local uneven, full = with(job)
          cluster:because(string.format("%.6f %.6f %s", uneven, uneven * (1 - full),
                                        tostring(uneven <= before + 1e-12)))
        end
        cluster:start(job)
      end
    end })"},
                             options);
  struct Told final : sim::RecordVisitor<Told, sim::StartRecord> {
    std::string text;
    void on(const sim::StartRecord& record) { text = record.because; }
    void finish(Time) override {}
  } told;
  auto columns = std::make_shared<JobColumns>(jobs);
  for (const auto& [name, values] : needs) columns->add("needs." + name, values);
  sim::Simulation simulation(machine, {}, jobs, policy,
                             model_of(machine).make({machine, jobs, columns, 0}));
  simulation.audience().observe(told);
  simulation.advance(kNever);
  return told.text;
}

}  // namespace

TEST_SUITE("policies/several_kinds") {
  TEST_CASE("balance and score of a job beside what is in use") {
    CHECK(scores_of({{0.6, 0.3}, {0.2, 0.1}}) == "1.333333 0.533333 true");
    CHECK(scores_of({{0.6, 0.3}, {0.1, 0.4}}) == "1.000000 0.300000 true");
    CHECK(scores_of({{0.6, 0.3}, {0.05, 0.05}}) == "1.300000 0.650000 true");
    CHECK(scores_of({{0.6, 0.3}, {0.4, 0.7}}) == "1.000000 0.000000 true");
    CHECK(scores_of({{0.6, 0.3}, {0.3, 0.1}}) == "1.384615 0.484615 false");
    CHECK(scores_of({{0.6, 0.3}, {0.1, 0}}) == "1.400000 0.700000 false");
    CHECK(scores_of({{0.4, 0.4}, {0.5, 0.3}}) == "1.125000 0.225000 false");
    CHECK(scores_of({{0.4, 0.4}, {0.1, 0.1}}) == "1.000000 0.500000 true");
    CHECK(scores_of({{0.5, 0.5}, {0.1, 0.1}}) == "1.000000 0.400000 true");
    CHECK(scores_of({{0.5, 0.5}, {0.1, 0.2}}) == "1.076923 0.376923 false");
    CHECK(scores_of({{0.5, 0.5}, {0.5, 0.1}}) == "1.250000 0.250000 false");
    CHECK(scores_of({{0.5, 0.2, 0.2}, {0.1, 0.3, 0.2}}) == "1.200000 0.600000 true");
    CHECK(scores_of({{0.5, 0.2, 0.2}, {0.2, 0.1, 0.1}}) == "1.615385 0.915385 true");
    CHECK(scores_of({{0.5, 0.2, 0.2}, {0.1, 0, 0}}) == "1.800000 1.200000 false");
  }

  TEST_CASE("one pass behind a blocked head in a pool with memory") {
    // At 1 there run (4, 1) until 11 and (2, 2) until 21.  The head (8, 4) is planned
    // for 11, with no processor and 4 GiB to spare.
    const Scene scene({{0, 4, 1, 11},
                       {0, 2, 2, 21},
                       {1, 8, 4, 30},
                       {1, 2, 0, 5},
                       {1, 1, 3, 8},
                       {1, 1, 1, 50},
                       {1, 2, 5, 10},
                       {1, 3, 3, 10}});
    const auto pool = a_pool(10, 10);
    CHECK(scene.at_one(pool, "easy") == "4 5");
    CHECK(scene.at_one(pool, "bb") == "4 7");
    CHECK(scene.at_one(pool, "bb", {{"rounds", "one"}}) == "7");
    CHECK(scene.at_one(pool, "ibb") == "5 8");
    // Job 4 takes the balance from 1.3333 to 1.4545.
    CHECK(scene.at_one(pool, "ibb", {{"tolerance", "0.1"}}) == "5 8");
    CHECK(scene.at_one(pool, "ibb", {{"tolerance", "0.2"}}) == "4 5");
    CHECK(scene.at_one(pool, "tetris") == "4 7");
  }

  TEST_CASE("seven jobs in a pool with memory") {
    const Scene scene({{0, 3, 1, 10},
                       {0, 3, 1, 6},
                       {1, 2, 1, 5},
                       {1, 2, 2, 4},
                       {2, 1, 6, 3},
                       {3, 1, 1, 30},
                       {4, 4, 8, 2}});
    for (const std::string policy : {"fcfs", "easy", "conservative"}) {
      CAPTURE(policy);
      auto run = scene.play(a_pool(8, 16), policy);
      CHECK(scene.spans(run) == "0-10 0-6 1-6 6-10 6-9 6-36 10-12");
      CHECK((run.checked["R1"] > 0) == (policy == "easy"));
      CHECK((run.checked["R2"] > 0) == (policy == "conservative"));
    }
  }

  TEST_CASE("seven jobs on two hosts: a chunk is whole on one of them") {
    const Scene scene({{0, 3, 1, 10},
                       {0, 3, 1, 6},
                       {1, 2, 1, 5},
                       {1, 2, 1, 4, 2},
                       {2, 1, 6, 3},
                       {3, 1, 1, 30},
                       {4, 4, 8, 2}});
    const auto hosts = with_hosts({{"host", 2, 4, 8 * kGib}});
    CHECK(scene.spans(scene.play(hosts, "fcfs")) ==
          "0-10 0-6 6-11 6-10 6-9 9-39 10-12");
    CHECK(scene.spans(scene.play(hosts, "easy")) == "0-10 0-6 6-11 1-5 5-8 5-35 10-12");
    CHECK(scene.spans(scene.play(hosts, "conservative")) ==
          "0-10 0-6 6-11 1-5 5-8 5-35 10-12");
  }

  TEST_CASE("licences of the whole machine beside hosts") {
    const Scene scene({{0, 3, 2, 10, 1, 0},
                       {0, 2, 6, 6, 1, 2},
                       {1, 4, 4, 5, 2, 0},
                       {1, 1, 1, 3, 1, 2},
                       {2, 1, 2, 20, 1, 1},
                       {2, 2, 1, 4, 2, 0},
                       {3, 1, 2, 9, 1, 0},
                       {3, 4, 2, 2, 1, 0}});
    const auto hosts = with_hosts({{"host", 2, 4, 8 * kGib}}, {{"licence", 3}});
    CHECK(scene.spans(scene.play(hosts, "fcfs"), 3) ==
          "6-11 6-9 9-29 10-14 10-19 11-13");
    for (const auto* policy : {"first_fit", "easy", "bb"}) {
      CAPTURE(policy);
      CHECK(scene.spans(scene.play(hosts, policy), 3) ==
            "6-11 10-13 2-22 2-6 10-19 11-13");
    }
    CHECK(scene.spans(scene.play(hosts, "ibb"), 3) ==
          "6-11 10-13 10-30 11-15 3-12 15-17");
    CHECK(scene.spans(scene.play(hosts, "conservative"), 3) ==
          "6-11 6-9 9-29 2-6 10-19 11-13");
  }

  TEST_CASE("fair by dominant share: three of one user and two of the other") {
    Scene scene({{0, 1, 4, 10},
                 {0, 1, 4, 10},
                 {0, 1, 4, 10},
                 {0, 1, 4, 10},
                 {0, 3, 1, 10},
                 {0, 3, 1, 10},
                 {0, 3, 1, 10},
                 {0, 3, 1, 10}});
    for (auto& job : scene.jobs) job.user = job.size == 1 ? 1 : 2;
    sim::Settings settings;
    settings.shares = ShareSettings();
    const auto policy = lua_policy("drf");
    const auto run =
        run_kinds(scene.jobs, scene.needs, a_pool(9, 18), *policy, settings);
    std::array<int, 3> started{};
    for (const auto& job : scene.jobs) {
      if (run.watched.starts.at(job.id) == 0)
        ++started[static_cast<std::size_t>(job.user)];
    }
    CHECK(started[1] == 3);
    CHECK(started[2] == 2);
  }

  TEST_CASE("usage charged by dominant share changes who is next") {
    Scene scene({{0, 2, 8, 10},
                 {0, 4, 1, 10},
                 {1, 4, 1, 5},
                 {1, 6, 6, 5},
                 {12, 8, 1, 5},
                 {13, 8, 1, 5}});
    const std::array users{1, 2, 1, 2, 1, 2};
    for (std::size_t i = 0; i < users.size(); ++i) scene.jobs[i].user = users[i];
    sim::Settings settings;
    settings.shares = ShareSettings();
    settings.shares->half_life = 0;
    const auto play = [&](Charge charge) {
      settings.shares->charge = charge;
      const auto policy = lua_policy("fairshare_fifo");
      return scene.spans(
          run_kinds(scene.jobs, scene.needs, a_pool(10, 10), *policy, settings));
    };
    CHECK(play(Charge::kProcessors) == "0-10 0-10 1-6 10-15 15-20 20-25");
    CHECK(play(Charge::kDominant) == "0-10 0-10 10-15 10-15 20-25 15-20");
  }

  // 2,000 workloads, spread over the policies; of kinds that a policy weighs no job
  // needs any.
  TEST_CASE("kinds that never bind change no schedule") {
    struct Case {
      std::string policy;
      Parameters parameters = {};
      bool weighs_kinds = false;
    };
    const std::vector<Case> cases{{"fcfs"},
                                  {"sjf"},
                                  {"first_fit"},
                                  {"best_fit", {}, true},
                                  {"easy"},
                                  {"conservative"},
                                  {"conservative", {{"compress", "every_pass"}}},
                                  {"conservative", {{"compress", "start_now"}}},
                                  {"priority"},
                                  {"admission"},
                                  {"fairshare_fifo"},
                                  {"fairshare_easy"},
                                  {"fairshare_conservative"},
                                  {"multifactor"},
                                  {"bb", {}, true},
                                  {"bb", {{"rounds", "one"}}, true},
                                  {"ibb", {}, true},
                                  {"drf", {}, true},
                                  {"tetris", {}, true}};
    sim::Settings settings;
    settings.shares = ShareSettings();
    for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
      CAPTURE(seed);
      RandomShape shape;
      shape.overruns = seed % 3 == 0;
      const auto jobs = random_jobs(seed, shape);
      const auto& [name, parameters, weighs_kinds] = cases[seed % cases.size()];
      CAPTURE(cases[seed % cases.size()].policy);
      const auto one = lua_policy(name, parameters);
      const auto plain =
          run_kinds(jobs, {}, a_machine(shape.processors), *one, settings);
      NeedColumns needs;
      for (const auto& job : jobs) {
        if (weighs_kinds) break;
        needs["memory"][job.id] = {static_cast<double>(job.id % 3) * kGib};
        needs["licence"][job.id] = {static_cast<double>(job.id % 2)};
      }
      const auto many = lua_policy(name, parameters);
      const auto pool = a_pool(shape.processors, 64, {{"licence", 30}, {"other", 7}});
      const auto same = run_kinds(jobs, needs, pool, *many, settings);
      CHECK(plain.watched.starts == same.watched.starts);
    }
  }

  // Of policies that keep no reservations: one on hosts names them.
  TEST_CASE("hosts of one processor give the schedule of a pool") {
    const std::vector<std::string> policies{"fcfs", "sjf", "first_fit", "best_fit",
                                            "easy", "bb",  "ibb"};
    for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
      CAPTURE(seed);
      RandomShape shape;
      shape.overruns = seed % 3 == 0;
      const auto jobs = random_jobs(seed, shape);
      const auto& name = policies[seed % policies.size()];
      CAPTURE(name);
      const auto one = lua_policy(name);
      const auto pool = run_kinds(jobs, {}, a_machine(shape.processors), *one);
      const auto other = lua_policy(name);
      const auto hosts =
          run_kinds(jobs, {}, with_hosts({{"host", shape.processors, 1}}), *other);
      CHECK(pool.watched.starts == hosts.watched.starts);
    }
  }
}

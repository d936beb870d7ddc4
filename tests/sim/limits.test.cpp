// Limits of users, groups, queues and accounts (docs/model.md#limits).

#include "engine/jobs/limits.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/audit/audit_failure.hpp"
#include "engine/output/limit_watch.hpp"
#include "engine/sim/limits.hpp"
#include "tests/sim/hit_runs.hpp"
#include "tests/sim/told.hpp"
#include "tests/support/rounds.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

Job of_user(Job job, std::int32_t user, std::int32_t queue = 1) {
  job.user = user;
  job.queue_class = queue;
  return job;
}

LimitSettings users_limited(ScopeLimits each, bool stop = false) {
  LimitSettings limits;
  limits.table(LimitScope::kUser).each = each;
  limits.stop = stop;
  return limits;
}

// For how long jobs were barred, as a watch of limits tells it.
class ToldBars final : public sim::RecordVisitor<ToldBars, sim::StartRecord> {
 public:
  void tell(Time at, const Job& job, const LimitBar* bar) {
    if (bar != nullptr) {
      since_.emplace(job.id, at);
    } else {
      close(job.id, at);
    }
  }
  void on(const sim::StartRecord& record) { close(record.who.job->id, record.at); }
  void finish(Time) override {}
  Int128 total = 0;

 private:
  void close(std::int64_t id, Time at) {
    const auto of = since_.find(id);
    if (of == since_.end()) return;
    total += at - of->second;
    since_.erase(of);
  }
  std::map<std::int64_t, Time> since_;
};

struct LimitedRun {
  Watching watched;
  std::map<std::string, std::int64_t> checked;
  std::string rejected;
};

// `audited`: by these limits instead of the run's own.
LimitedRun run_limited(const std::vector<Job>& jobs, const sim::Machine& machine,
                       const Named& of, const LimitSettings& limits,
                       const LimitSettings* audited = nullptr) {
  sim::PolicyTraits traits;
  traits.promise = of.promise;
  ScriptedPolicy policy(of.schedule, traits);
  sim::Settings settings;
  if (!limits.empty()) settings.limits = std::make_shared<const LimitSettings>(limits);
  auto judged = settings;
  if (audited != nullptr) {
    judged.limits = std::make_shared<const LimitSettings>(*audited);
  }
  sim::Simulation simulation(machine, settings, jobs, policy,
                             make_model(machine, jobs));
  audit::Auditor auditor({machine, judged, jobs, policy.traits()},
                         law_of(machine, jobs), audit::Thoroughness::kFull);
  Told told(sim::kinds<sim::RejectRecord>());
  ToldBars bars;
  LimitWatch watch(
      settings.limits != nullptr ? settings.limits
                                 : std::make_shared<const LimitSettings>(),
      [&](Time at, const Job& job, const LimitBar* bar) { bars.tell(at, job, bar); });
  simulation.audience().observe(watch);
  simulation.audience().observe(bars);
  LimitedRun run;
  simulation.audience().observe(run.watched);
  simulation.audience().observe(told);
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever - 1);
  simulation.finish();
  run.checked = auditor.checked();
  run.rejected = told.text;
  const auto* own = simulation.orders().limits();
  CHECK(bars.total == (own == nullptr ? 0 : own->barred_time()));
  return run;
}

Attempts runs_of(const std::vector<Job>& jobs, const sim::Machine& machine,
                 const Named& of, const LimitSettings& limits) {
  return run_limited(jobs, machine, of, limits).watched.attempts;
}

// Of three users, two groups and two queues.
std::vector<Job> jobs_of_several(std::mt19937_64& random, std::int32_t widest) {
  const auto drawn = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::vector<Job> jobs;
  int submit = 0;
  for (int i = 1, n = drawn(1, 16); i <= n; ++i) {
    submit += drawn(0, 3);
    const int length = drawn(0, 12);
    const int walltime = std::max(0, length + drawn(-3, 9));
    auto job = a_job(i, submit, drawn(1, widest), length, walltime);
    job.group = drawn(1, 2);
    jobs.push_back(of_user(job, drawn(1, 3), drawn(1, 2)));
  }
  return jobs;
}

ScopeLimits random_limits(std::mt19937_64& random, std::int32_t most) {
  const auto drawn = [&](int least, int up_to) {
    return std::uniform_int_distribution<int>(least, up_to)(random);
  };
  ScopeLimits limits;
  if (drawn(0, 1) == 0) limits.running_jobs = drawn(1, 3);
  if (drawn(0, 1) == 0) limits.processors = drawn(1, most);
  if (drawn(0, 2) == 0) limits.waiting_jobs = drawn(1, 3);
  return limits;
}

Job of_group(Job job, std::int32_t group) {
  job.group = group;
  return job;
}

// Accounts a and b of groups 1 and 2, below one with the name top.
LimitSettings two_accounts(const ScopeLimits& a, const ScopeLimits& b,
                           const ScopeLimits& top = {}) {
  LimitSettings limits;
  for (const auto* name : {"a", "b"}) {
    const auto label = limits.accounts.make(name);
    limits.accounts.put_parent(label, "top");
    limits.accounts.put_groups(label, {label + 1});
  }
  auto& named = limits.table(LimitScope::kAccount).named;
  named[0] = a;
  named[1] = b;
  named[limits.accounts.make("top")] = top;
  return limits;
}

ScopeLimits guaranteeing(std::int64_t processors) {
  ScopeLimits limits;
  limits.guaranteed = processors;
  return limits;
}

// What the guarantees of the two together leave is nobody's.
LimitSettings random_accounts(std::mt19937_64& random) {
  const auto drawn = [&](int least, int up_to) {
    return std::uniform_int_distribution<int>(least, up_to)(random);
  };
  std::array<ScopeLimits, 3> all;
  std::int64_t together = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (drawn(0, 2) == 0) all[i].running_jobs = drawn(1, 4);
    if (drawn(0, 2) == 0) all[i].processors = drawn(2, 8);
    const auto least = i == 2 ? together : 0;
    const auto most = all[i].processors.value_or(8);
    if (drawn(0, 2) == 0 || least > most) continue;
    all[i].guaranteed = drawn(static_cast<int>(least), static_cast<int>(most));
    together += *all[i].guaranteed;
  }
  return two_accounts(all[0], all[1], all[2]);
}

sim::Machine pool_or_hosts(bool has_hosts) {
  auto machine = a_machine(8);
  if (has_hosts) machine.resources.hosts = {{"a", 2, 3}, {"b", 1, 2}};
  return machine;
}

}  // namespace

TEST_SUITE("sim/limits") {
  // User 1 has jobs 1 and 2, of which one may run at once.
  TEST_CASE("a job that a limit bars is no head, and holds up nobody") {
    const std::vector<Job> jobs{
        of_user(a_job(1, 0, 1, 20), 1), of_user(a_job(2, 0, 1, 5), 1),
        of_user(a_job(3, 1, 2, 10), 2), of_user(a_job(4, 1, 1, 3), 2)};
    const ScopeLimits one{1, {}, {}, {}};
    for (const auto& policy : kPolicies) {
      CHECK(runs_of(jobs, a_machine(4), policy, users_limited(one)) ==
            Attempts{{1, {{0, 20}}}, {2, {{20, 25}}}, {3, {{1, 11}}}, {4, {{11, 14}}}});
      CHECK(
          runs_of(jobs, a_machine(4), policy, users_limited(one, true)) ==
          Attempts{{1, {{0, 20}}}, {2, {{20, 25}}}, {3, {{20, 30}}}, {4, {{30, 33}}}});
    }
  }

  TEST_CASE("the number of a user counts before what holds for each") {
    auto limits = users_limited({1, {}, {}, {}});
    limits.table(LimitScope::kUser).named[2] = {2, {}, {}, {}};
    std::vector<Job> jobs;
    for (int i = 1; i <= 6; ++i) jobs.push_back(of_user(a_job(i, 0, 1, 10), 1 + i % 2));
    // Jobs 1, 3 and 5 are of user 2, and 2, 4, 6 of user 1.
    CHECK(runs_of(jobs, a_machine(6), kFcfs, limits) == Attempts{{1, {{0, 10}}},
                                                                 {3, {{0, 10}}},
                                                                 {5, {{10, 20}}},
                                                                 {2, {{0, 10}}},
                                                                 {4, {{10, 20}}},
                                                                 {6, {{20, 30}}}});
  }

  // With 3 processors of user 1 in use one more may be: job 3 waits for it, job 4 not.
  TEST_CASE("a limit of processors bars larger jobs and lets smaller ones start") {
    const std::vector<Job> jobs{
        of_user(a_job(1, 0, 3, 10), 1), of_user(a_job(2, 0, 2, 10), 1),
        of_user(a_job(3, 0, 1, 5), 1), of_user(a_job(4, 0, 4, 5), 2)};
    const auto limits = users_limited({{}, 4, {}, {}});
    for (const auto& policy : {kPolicies[0], kPolicies[1], kPolicies[2]}) {
      CHECK(runs_of(jobs, a_machine(8), policy, limits) ==
            Attempts{{1, {{0, 10}}}, {2, {{10, 20}}}, {3, {{0, 5}}}, {4, {{0, 5}}}});
    }
    // Nothing is barred when the book is made at 0, and job 4 reserved behind job 2.
    CHECK(runs_of(jobs, a_machine(8), kConservativePolicy, limits) ==
          Attempts{{1, {{0, 10}}}, {2, {{10, 20}}}, {3, {{0, 5}}}, {4, {{10, 15}}}});
  }

  TEST_CASE("a job that a limit bars whatever runs is rejected as it comes in") {
    const std::vector<Job> jobs{of_user(a_job(1, 0, 5, 10), 1),
                                of_user(a_job(2, 3, 4, 10), 1)};
    const auto run =
        run_limited(jobs, a_machine(8), kFcfs, users_limited({{}, 4, {}, {}}));
    CHECK(run.rejected == "0 reject 1");
    CHECK(run.watched.attempts == Attempts{{2, {{3, 13}}}});
    const auto none =
        run_limited(jobs, a_machine(8), kFcfs, users_limited({0, {}, {}, {}}));
    CHECK(none.rejected == "0 reject 1; 3 reject 2");
  }

  // Of user 1 only the first two that wait may start: job 4 would fit at 0.
  TEST_CASE("only the first jobs that wait in a scope are shown") {
    const std::vector<Job> jobs{
        of_user(a_job(1, 0, 3, 10), 1), of_user(a_job(2, 0, 4, 10), 1),
        of_user(a_job(3, 0, 4, 10), 1), of_user(a_job(4, 0, 1, 3), 1),
        of_user(a_job(5, 1, 1, 2), 2)};
    const auto limits = users_limited({{}, {}, 2, {}});
    const Named first{first_fit, sim::Promise::kNone};
    CHECK(runs_of(jobs, a_machine(4), first, limits) == Attempts{{1, {{0, 10}}},
                                                                 {2, {{10, 20}}},
                                                                 {3, {{20, 30}}},
                                                                 {4, {{30, 33}}},
                                                                 {5, {{1, 3}}}});
    CHECK(runs_of(jobs, a_machine(4), first, {}).at(4) == std::vector<Attempt>{{0, 3}});
  }

  TEST_CASE("jobs of a queue of a higher tier come first in every order") {
    LimitSettings limits;
    limits.table(LimitScope::kQueue).named[2].tier = 1;
    const std::vector<Job> jobs{of_user(a_job(1, 0, 4, 10), 1),
                                of_user(a_job(2, 1, 4, 5), 1),
                                of_user(a_job(3, 2, 4, 5), 1, 2)};
    CHECK(runs_of(jobs, a_machine(4), kEasyPolicy, limits) ==
          Attempts{{1, {{0, 10}}}, {3, {{10, 15}}}, {2, {{15, 20}}}});
    // Under conservative backfilling job 2 has a reservation when job 3 comes.
    CHECK(runs_of(jobs, a_machine(4), kConservativePolicy, limits).at(3) ==
          std::vector<Attempt>{{15, 20}});
  }

  TEST_CASE("a job counts in its account and in all above it") {
    std::vector<Job> jobs;
    for (int i = 1; i <= 6; ++i)
      jobs.push_back(of_group(a_job(i, 0, 1, 10), 1 + i % 2));
    // Jobs 1, 3 and 5 are of group 2; job 7 is of no account.
    jobs.push_back(of_group(a_job(7, 0, 1, 10), 3));
    const ScopeLimits one{1, {}, {}, {}};
    const auto limits = two_accounts(one, {}, {{}, 3, {}, {}});
    const Attempts wanted{{1, {{0, 10}}},  {2, {{0, 10}}},  {3, {{0, 10}}},
                          {4, {{10, 20}}}, {5, {{10, 20}}}, {6, {{20, 30}}},
                          {7, {{0, 10}}}};
    CHECK(runs_of(jobs, a_machine(8), kFcfs, limits) == wanted);
    CHECK(runs_of(jobs, a_machine(8), kEasyPolicy, limits) == wanted);
    const auto never =
        run_limited({of_group(a_job(1, 0, 4, 10), 1)}, a_machine(8), kFcfs, limits);
    CHECK(never.rejected == "0 reject 1");
  }

  // Job 2 borrows at 0, where nobody waits within a guarantee.  Job 3 does at 1, for
  // which there is no room, so that job 4, which fits and would borrow, is barred.
  TEST_CASE(
      "no job borrows while another one waits for what is guaranteed to its own") {
    const std::vector<Job> jobs{
        of_group(a_job(1, 0, 2, 10), 1), of_group(a_job(2, 0, 1, 10), 1),
        of_group(a_job(3, 1, 2, 5), 2), of_group(a_job(4, 1, 1, 3), 1)};
    const Named first{first_fit, sim::Promise::kNone};
    CHECK(runs_of(jobs, a_machine(4), first,
                  two_accounts(guaranteeing(2), guaranteeing(2))) ==
          Attempts{{1, {{0, 10}}}, {2, {{0, 10}}}, {3, {{10, 15}}}, {4, {{10, 13}}}});
    CHECK(runs_of(jobs, a_machine(4), first, two_accounts({}, {})).at(4) ==
          std::vector<Attempt>{{1, 4}});
    // A job without a guarantee claims nothing, and borrows nothing.
    CHECK(runs_of(jobs, a_machine(4), first, two_accounts(guaranteeing(2), {})).at(4) ==
          std::vector<Attempt>{{1, 4}});
    // What is guaranteed above them counts, too: job 3 would take more than 4.
    const auto limits = two_accounts(guaranteeing(2), guaranteeing(2), guaranteeing(4));
    CHECK(runs_of(jobs, a_machine(4), first, limits).at(4) ==
          std::vector<Attempt>{{1, 4}});
    // A job that a limit bars claims nothing.
    auto barred = two_accounts(guaranteeing(2), guaranteeing(2));
    barred.table(LimitScope::kGroup).named[2].running_jobs = 1;
    auto more = jobs;
    more.insert(more.begin() + 2, of_group(a_job(5, 0, 1, 30), 2));
    CHECK(runs_of(more, a_machine(8), first, barred).at(4) ==
          std::vector<Attempt>{{1, 4}});
  }

  TEST_CASE("a start of a job that would borrow is refused, and says what is left") {
    const std::vector<Job> jobs{of_group(a_job(1, 0, 1, 10), 1),
                                of_group(a_job(2, 0, 2, 10), 1),
                                of_group(a_job(3, 0, 2, 10), 2)};
    int asked = 0;
    ScriptedPolicy policy([&](sim::Simulation& simulation) {
      if (simulation.world().now() > 0) return;
      auto& actions = simulation.actions();
      (void)actions.start(JobId{0});
      const auto refused = actions.start(JobId{1});
      REQUIRE_FALSE(refused);
      CHECK(name(refused.reason()) == "limit");
      const auto why = actions.why_not(JobId{1});
      REQUIRE(why);
      CHECK(why->reason.word().why.name == "borrowing");
      CHECK(why->reason.word().why.slurm == "Priority");
      CHECK(why->needed == 2);
      CHECK(why->available == 1);
      (void)actions.start(JobId{2});
      CHECK(actions.start(JobId{1}));
      ++asked;
    });
    sim::Settings settings;
    settings.limits = std::make_shared<const LimitSettings>(
        two_accounts(guaranteeing(2), guaranteeing(2)));
    (void)run(jobs, a_machine(8), policy, settings);
    CHECK(asked == 1);
  }

  TEST_CASE("a start of a job that a limit bars is refused, and says what is left") {
    const std::vector<Job> jobs{of_user(a_job(1, 0, 3, 10), 1),
                                of_user(a_job(2, 0, 2, 10), 1)};
    const auto limits = users_limited({{}, 4, {}, {}});
    int asked = 0;
    ScriptedPolicy policy([&](sim::Simulation& simulation) {
      const auto all = simulation.orders().all(0);
      if (simulation.world().now() > 0) return;
      (void)simulation.actions().start(JobId{0});
      CHECK(all.length() == 1);
      CHECK_FALSE(simulation.queue(0).head());
      const auto refused = simulation.actions().start(JobId{1});
      REQUIRE_FALSE(refused);
      CHECK(name(refused.reason()) == "limit");
      const auto why = simulation.actions().why_not(JobId{1});
      REQUIRE(why);
      CHECK(why->needed == 2);
      CHECK(why->available == 1);
      CHECK(why->reason.word().why.name == "limit_user_processors");
      CHECK_FALSE(simulation.actions().reserve(JobId{1}));
      ++asked;
    });
    sim::Settings settings;
    settings.limits = std::make_shared<const LimitSettings>(limits);
    (void)run(jobs, a_machine(8), policy, settings);
    CHECK(asked == 1);
  }

  TEST_CASE("limits that never bind change nothing") {
    std::mt19937_64 random(51);
    const auto far = ScopeLimits{100, 1000, 100, {}};
    auto limits = two_accounts({100, 1000, {}, {}}, {}, {100, 1000, {}, {}});
    for (auto& table : limits.tables) table.each = far;
    auto guarantees = two_accounts(guaranteeing(500), guaranteeing(500));
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const bool has_hosts = round % 2 == 1;
      const auto machine = pool_or_hosts(has_hosts);
      const auto jobs = jobs_of_several(random, 8);
      for (const auto& policy : kPolicies) {
        limits.stop = round % 4 < 2;
        const auto& never = round % 5 == 0 ? guarantees : limits;
        const auto with = run_limited(jobs, machine, policy, never);
        const auto without = run_limited(jobs, machine, policy, {});
        REQUIRE(with.watched.attempts == without.watched.attempts);
        REQUIRE(with.watched.shadows == without.watched.shadows);
        REQUIRE(with.watched.reserved == without.watched.reserved);
      }
    }
  }

  // The auditor counts anew, and judges starts, heads and reservations by it.
  TEST_CASE("runs under random limits keep every rule, and end") {
    std::mt19937_64 random(52);
    std::int64_t judged = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto machine = pool_or_hosts(round % 2 == 1);
      const auto jobs = jobs_of_several(random, 8);
      LimitSettings limits;
      for (auto& table : limits.tables) table.each = random_limits(random, 8);
      limits.table(LimitScope::kUser).named[2] = random_limits(random, 8);
      limits.stop = round % 3 == 0;
      if (round % 5 == 0) limits.table(LimitScope::kQueue).named[2].tier = 1;
      for (const auto& policy : kPolicies) {
        const auto run = run_limited(jobs, machine, policy, limits);
        REQUIRE(run.watched.left.empty());
        if (const auto at = run.checked.find("L4"); at != run.checked.end()) {
          judged += at->second;
        }
      }
    }
    CHECK(judged > static_cast<std::int64_t>(10 * rounds(500, 2000)));
  }

  TEST_CASE("runs under random accounts keep every rule, and end") {
    std::mt19937_64 random(53);
    std::int64_t moved = 0;
    for (std::uint64_t round = 0; round < rounds(500, 2000); ++round) {
      const auto machine = pool_or_hosts(round % 2 == 1);
      const auto jobs = jobs_of_several(random, 8);
      auto limits = random_accounts(random);
      if (round % 3 == 0)
        limits.table(LimitScope::kUser).each = random_limits(random, 8);
      auto without = limits;
      for (auto& each : without.table(LimitScope::kAccount).named) {
        each.second.guaranteed.reset();
      }
      for (const auto& policy : kPolicies) {
        const auto run = run_limited(jobs, machine, policy, limits);
        REQUIRE(run.watched.left.empty());
        const auto plain = run_limited(jobs, machine, policy, without);
        moved += run.watched.attempts == plain.watched.attempts ? 0 : 1;
      }
    }
    // Guarantees do change schedules.
    CHECK(moved > static_cast<std::int64_t>(rounds(500, 2000) / 4));
  }

  TEST_CASE("a run that does not keep a limit fails the audit") {
    const std::vector<Job> jobs{of_user(a_job(1, 0, 2, 10), 1),
                                of_user(a_job(2, 0, 2, 10), 1)};
    const auto failure = [&](const LimitSettings& audited) {
      try {
        (void)run_limited(jobs, a_machine(4), kFcfs, {}, &audited);
      } catch (const audit::AuditFailure& found) {
        return std::string(found.what());
      }
      return std::string();
    };
    CHECK(failure(users_limited({1, {}, {}, {}})).find("L4") != std::string::npos);
    CHECK(failure(users_limited({{}, 3, {}, {}})).find("L4") != std::string::npos);
    CHECK(failure(users_limited({2, 4, {}, {}})).empty());
    const std::vector<Job> of_two{
        of_group(a_job(1, 0, 2, 10), 1), of_group(a_job(2, 0, 1, 10), 1),
        of_group(a_job(3, 1, 2, 5), 2), of_group(a_job(4, 1, 1, 3), 1)};
    const auto wrong_account = [&](const LimitSettings& audited) {
      try {
        const Named first{first_fit, sim::Promise::kNone};
        (void)run_limited(of_two, a_machine(4), first, {}, &audited);
      } catch (const audit::AuditFailure& found) {
        return std::string(found.what());
      }
      return std::string();
    };
    CHECK(wrong_account(two_accounts(guaranteeing(2), guaranteeing(2)))
              .find("it borrows while another job waits") != std::string::npos);
    CHECK(wrong_account(two_accounts({1, {}, {}, {}}, {})).find("L4") !=
          std::string::npos);
    CHECK(wrong_account(two_accounts({}, {}, {{}, 3, {}, {}})).find("L4") !=
          std::string::npos);
    CHECK(wrong_account(two_accounts(guaranteeing(4), guaranteeing(2))).empty());
  }
}

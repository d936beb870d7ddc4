// What a reason says is true in the state it speaks of, and looking changes nothing.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "engine/audit/auditor.hpp"
#include "engine/explain/explainer.hpp"
#include "engine/explain/words.hpp"
#include "engine/sim/simulation.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/lua_policies.hpp"
#include "tests/support/random_jobs.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using sim::Simulation;

constexpr std::int32_t kProcessors = 8;

// Policies for a machine that is one pool; those that name users need no others.
const std::set<std::string>& pool_policies() {
  static const std::set<std::string> kAll{"best_fit",
                                          "conservative",
                                          "easy",
                                          "fairshare_conservative",
                                          "fairshare_easy",
                                          "fairshare_fifo",
                                          "fcfs",
                                          "first_fit",
                                          "sjf"};
  return kAll;
}

sim::Settings with_shares() {
  sim::Settings settings;
  settings.shares.emplace();
  return settings;
}

// Asks for the reason of every job in the queue after every pass, and checks it.
class Checking final : public sim::Inspector,
                       public sim::RecordVisitor<Checking, sim::StartRecord> {
 public:
  explicit Checking(const sim::Policy& policy) : notes_(&policy) {}

  using RecordVisitor::ended;
  using RecordVisitor::passed;
  [[nodiscard]] bool wants_spare_pass() const override { return true; }
  void shown(const Simulation& world, std::size_t order, const Place& place) override {
    notes_.shown(world, order, place);
  }
  void ended(const Simulation& world, std::size_t order, sim::SelectionEnd how,
             const Place* at) override {
    notes_.ended(world, order, how, at);
  }
  void refused(const Simulation& world, JobId job, Refusal why) override {
    notes_.refused(world, job, why);
  }
  void on(const sim::StartRecord& record) { notes_.started(record.who.id); }
  void finish(Time) override {}
  void passed(const Simulation& world, sim::PassKind) override {
    notes_.close(world);
    Judge judge(world, notes_);
    const auto queue = world.queue(0);
    for (auto at = queue.head(); at; at = queue.next(&*at))
      check(world, judge, at->job);
    notes_.clear();
  }

  std::map<Why, std::int64_t> seen;
  std::int64_t sizes = 0;
  std::int64_t walltimes = 0;

 private:
  void check(const Simulation& world, Judge& judge, JobId job) {
    const auto reason = judge.reason(job);
    ++seen[reason.why];
    const auto brief = judge.brief(job);
    CHECK(brief.why == reason.why);
    CHECK(brief.blocker == reason.blocker);
    const auto& asked = world.world().jobs().job(job);
    const bool is_about_room = reason.why == Why::kNoRoom;
    CHECK(is_about_room == (asked.size > world.world().hosts().idle()));
    if (is_about_room) {
      CHECK(reason.asked > reason.idle);
      CHECK(reason.at.has_value());
      CHECK(*reason.at > world.world().now());
    }
    if (reason.why == Why::kWouldDelay) check_delay(world, job, reason);
    const auto own = asked.walltime;
    if (reason.size) {
      ++sizes;
      CHECK(judge.admits(job, *reason.size, own));
      CHECK_FALSE(judge.admits(job, *reason.size + 1, own));
    }
    if (reason.walltime) {
      ++walltimes;
      CHECK(judge.admits(job, asked.size, *reason.walltime));
      CHECK_FALSE(judge.admits(job, asked.size, *reason.walltime + kSecond));
    }
    const bool is_held = reason.why == Why::kWouldDelay || reason.collides.has_value();
    if (is_held) CHECK_FALSE(judge.admits(job, asked.size, own));
  }

  // The plan named is one of the pass, and does not admit the job.
  static void check_delay(const Simulation& world, JobId job, const Reason& reason) {
    REQUIRE(reason.blocker.has_value());
    CHECK(*reason.blocker != job);
    for (const auto& plan : world.plans().all()) {
      if (plan.job != *reason.blocker) continue;
      CHECK(*reason.ends > plan.start);
      CHECK(world.world().jobs().job(job).size > plan.spare);
    }
  }

  PassNotes notes_;
};

using Starts = std::vector<std::pair<std::int64_t, Time>>;

struct Ran {
  Starts starts;
  std::map<JobId, ExplainedJob> jobs;
  WaitTimes waits;
};

enum class Look : std::uint8_t { kNone, kAll, kInDetail, kEachPass };

Ran run_looking(const std::vector<Job>& jobs, sim::Policy& policy, Look look) {
  ExplainWhat what;
  what.all = look == Look::kAll;
  what.each_pass = look == Look::kEachPass;
  for (std::uint32_t i = 0; look >= Look::kInDetail && i < jobs.size(); ++i) {
    what.in_detail.push_back(JobId{i});
  }
  Explainer explainer(policy, what);
  Remembering watched;
  const auto machine = a_machine(kProcessors);
  Simulation simulation(machine, with_shares(), jobs, policy,
                        make_model(machine, jobs));
  simulation.audience().observe(watched);
  if (look != Look::kNone) {
    simulation.audience().observe(explainer);
    simulation.audience().inspect(explainer);
  }
  (void)simulation.advance(kNever);
  simulation.finish();
  return {{watched.starts.begin(), watched.starts.end()},
          explainer.jobs(),
          explainer.waits()};
}

// EASY, but for one job that it starts in one pass whatever its plan says.
class Overriding final : public sim::Policy {
 public:
  Overriding(JobId job, Time at) : job_(job), at_(at) {
    traits_.label = "overriding";
    traits_.promise = sim::Promise::kEasy;
  }
  [[nodiscard]] const sim::PolicyTraits& traits() const override { return traits_; }
  [[nodiscard]] Budget& budget() override { return test::unlimited(); }
  void schedule(Simulation& world) override {
    easy(world);
    const bool is_it = world.world().now() == at_ &&
                       world.world().jobs().state(job_) == JobState::kWaiting;
    if (is_it) has_started = bool(world.actions().start(job_));
  }
  bool has_started = false;

 private:
  sim::PolicyTraits traits_;
  JobId job_;
  Time at_;
};

std::string broken_rule(const std::vector<Job>& jobs, sim::Policy& policy) {
  const auto machine = a_machine(kProcessors);
  audit::Auditor auditor({machine, {}, jobs, policy.traits()}, make_law(machine, jobs),
                         audit::Thoroughness::kLight);
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

// How many are tried; all 2,000 with BERTH_WORKLOADS=2000 (minutes).
std::uint64_t workloads(std::uint64_t usual) {
  const char* wanted = std::getenv("BERTH_WORKLOADS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : usual;
}

}  // namespace

TEST_SUITE("explain/true reasons") {
  TEST_CASE("on random workloads what a reason names is so in that very state") {
    std::map<Why, std::int64_t> seen;
    std::int64_t sizes = 0;
    std::int64_t walltimes = 0;
    for (std::uint64_t seed = 0; seed < workloads(150); ++seed) {
      const auto jobs =
          random_jobs(seed, {30, kProcessors, seed % 3 == 0, seed % 3 == 1});
      for (const auto& name : pool_policies()) {
        const auto policy = lua_policy(name);
        Checking checking(*policy);
        const auto machine = a_machine(kProcessors);
        Simulation simulation(machine, with_shares(), jobs, *policy,
                              make_model(machine, jobs));
        simulation.audience().observe(checking);
        simulation.audience().inspect(checking);
        (void)simulation.advance(kNever);
        for (const auto& [why, count] : checking.seen) seen[why] += count;
        sizes += checking.sizes;
        walltimes += checking.walltimes;
      }
    }
    CHECK(seen[Why::kNoRoom] > 10'000);
    CHECK(seen[Why::kWouldDelay] > 1'000);
    CHECK(seen[Why::kLaterReservation] > 1'000);
    CHECK(seen[Why::kOrder] > 1'000);
    CHECK(sizes > 10'000);
    CHECK(walltimes > 1'000);
  }

  TEST_CASE("the times of the reasons add up to the wait, and nothing is changed") {
    for (std::uint64_t seed = 0; seed < workloads(60); ++seed) {
      const auto jobs =
          random_jobs(seed, {30, kProcessors, seed % 3 == 0, seed % 3 == 1});
      for (const auto& name : pool_policies()) {
        CAPTURE(name);
        const auto alone = run_looking(jobs, *lua_policy(name), Look::kNone);
        const auto all = run_looking(jobs, *lua_policy(name), Look::kAll);
        const auto detail = run_looking(jobs, *lua_policy(name), Look::kInDetail);
        CHECK(alone.starts == all.starts);
        CHECK(alone.starts == detail.starts);
        CHECK(all.jobs.empty());
        CHECK(all.waits.jobs() == jobs.size());
        for (const auto& [job, explained] : detail.jobs) {
          REQUIRE(explained.begin.has_value());
          const auto wait = explained.begin->at - jobs[index(job)].submit;
          Duration by_reason = 0;
          for (const auto& each : explained.times) by_reason += each.time;
          CHECK(by_reason == wait);
          Duration by_line = 0;
          for (const auto& line : explained.lines) by_line += line.to - line.from;
          CHECK(by_line == wait);
          const auto [first, end] = all.waits.places_of(job);
          REQUIRE(end - first == explained.times.size());
          Duration kept = 0;
          for (auto place = first; place < end; ++place) {
            CHECK(all.waits.row(place).why == explained.times[place - first].why);
            kept += all.waits.row(place).time;
          }
          CHECK(kept == wait);
        }
      }
    }
  }

  TEST_CASE("times are by job, whatever the order in which jobs were added") {
    const JobId two{2}, five{5}, seven{7}, nine{9};
    WaitTimes all;
    all.add(five,
            std::vector<ReasonTime>{
                {Why::kNoRoom, 3, 40, 0, 40, {{nine, 15}, {seven, 15}, {two, 10}}},
                {Why::kOrder, 1, 2, 40, 42}});
    all.add(two, std::vector<ReasonTime>{{Why::kOrder, 2, 7, 1, 8}});
    all.add(seven, {});
    all.sort();
    CHECK(all.jobs() == 3);
    REQUIRE(all.size() == 3);
    CHECK(all.row(0).job == two);
    CHECK(all.row(1).why == Why::kNoRoom);
    CHECK(all.row(2).time == 2);
    CHECK(all.places_of(five) == std::pair<std::size_t, std::size_t>(1, 3));
    CHECK(all.places_of(seven) == std::pair<std::size_t, std::size_t>(3, 3));
    CHECK(all.blockers().size() == 3);
    // Of equal times the first job.
    CHECK(all.longest_blocker(all.row(1)) == seven);
    CHECK(all.longest_blocker(all.row(2)) == std::nullopt);
    all.renumber([](JobId job) { return JobId{10 - index(job)}; });
    CHECK(all.row(0).job == JobId{5});
    CHECK(all.row(2).job == JobId{8});
    CHECK(all.longest_blocker(all.row(0)) == JobId{1});
  }

  TEST_CASE(
      "to start a job in spite of would_delay breaks the promise to the job named") {
    int forced = 0;
    for (std::uint64_t seed = 0; seed < workloads(150); ++seed) {
      auto jobs = random_jobs(seed, {30, kProcessors, true, false});
      for (auto& job : jobs) {  // none is planned for longer than it takes
        job.length = job.walltime = std::max(job.length, kSecond);
      }
      const auto explained = run_looking(jobs, *lua_policy("easy"), Look::kEachPass);
      for (const auto& [job, each] : explained.jobs) {
        // The promise was made in a pass before.
        const auto first =
            std::adjacent_find(each.lines.begin(), each.lines.end(),
                               [](const auto& before, const auto& now) {
                                 return before.first.why == Why::kWouldDelay &&
                                        now.first.why == Why::kWouldDelay &&
                                        before.first.blocker == now.first.blocker;
                               });
        if (first == each.lines.end()) continue;
        const auto line = first + 1;
        Overriding policy(job, line->from);
        const auto rule = broken_rule(jobs, policy);
        CHECK(policy.has_started);
        CAPTURE(rule);
        CHECK(rule.find("(R1") != std::string::npos);
        const auto named = fmt::format("job {}:", jobs[index(*line->first.blocker)].id);
        CHECK(rule.find(named) != std::string::npos);
        ++forced;
      }
    }
    CHECK(forced > 100);
  }
}

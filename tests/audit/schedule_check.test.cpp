#include "engine/audit/schedule_check.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "engine/sim/selection.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

using audit::check_schedule;
using audit::Scheduled;
using audit::ScheduleRules;

// What a run did, as a schedule.
class Writing : public sim::Observer {
 public:
  explicit Writing(std::size_t jobs) : rows(jobs) {
    for (std::size_t i = 0; i < jobs; ++i) {
      rows[i].job = JobId{static_cast<std::uint32_t>(i)};
    }
  }
  [[nodiscard]] sim::RecordKinds wants() const override {
    return sim::kinds<sim::StartRecord, sim::EndRecord, sim::RejectRecord>();
  }
  void note(const sim::Record& record) override {
    if (const auto* start = std::get_if<sim::StartRecord>(&record)) {
      row(start->who).start = start->at;
      const Placement& placement = *start->placement;
      row(start->who).processors = placement.processors();
    } else if (const auto* end = std::get_if<sim::EndRecord>(&record)) {
      row(end->who).end = end->at;
      row(end->who).state = end->who.entry->state == JobState::kFailed
                                ? audit::Stated::kKilled
                                : audit::Stated::kCompleted;
    } else if (const auto* out = std::get_if<sim::RejectRecord>(&record)) {
      row(out->who).state = audit::Stated::kRejected;
    }
  }
  void finish(Time) override {}
  std::vector<Scheduled> rows;

 private:
  Scheduled& row(const sim::Subject& who) { return rows[index(who.id)]; }
};

std::vector<Scheduled> schedule_of(const std::vector<Job>& jobs,
                                   const sim::Machine& machine,
                                   ScriptedPolicy::Schedule schedule) {
  ScriptedPolicy policy(std::move(schedule));
  sim::Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
  Writing writing(jobs.size());
  simulation.audience().observe(writing);
  (void)simulation.advance(kNever);
  simulation.finish();
  return writing.rows;
}

void first_fit(sim::Simulation& world) {
  auto walk = sim::Selection::fitting(0);
  while (const auto job = walk.next(world)) (void)world.actions().start(*job);
}

// Violations as text, joined.
std::string verdict(const std::vector<Job>& jobs, const std::vector<Scheduled>& rows,
                    const ScheduleRules& rules) {
  std::string text;
  for (const auto& violation : check_schedule(jobs, rows, rules).violations) {
    text += (text.empty() ? "" : "; ") + violation.text();
  }
  return text;
}

// 4 processors: job 1 (3) 0-10, job 2 (4) 10-15, job 3 (1) 0-4, job 4 (2) 15-17.
std::vector<Job> four_jobs() {
  return {a_job(1, 0, 3, 10), a_job(2, 0, 4, 5), a_job(3, 0, 1, 4), a_job(4, 3, 2, 2)};
}

Scheduled row(std::uint32_t job, std::int64_t start, std::int64_t end) {
  return {JobId{job - 1}, seconds(start), seconds(end), {}, std::nullopt};
}

std::vector<Scheduled> four_rows() {
  return {row(1, 0, 10), row(2, 10, 15), row(3, 0, 4), row(4, 15, 17)};
}

std::string spoilt(const std::function<void(std::vector<Scheduled>&)>& spoil,
                   bool is_easy = false) {
  auto rows = four_rows();
  spoil(rows);
  return verdict(four_jobs(), rows, {4, is_easy});
}

}  // namespace

TEST_SUITE("audit/schedule_check") {
  TEST_CASE("a good schedule passes every rule, and each was asked") {
    const auto report = check_schedule(four_jobs(), four_rows(), {4, true});
    CHECK(report.violations.empty());
    CHECK(report.broken.empty());
    for (const auto* rule : {"order", "length", "capacity", "missing", "easy"}) {
      CAPTURE(rule);
      CHECK(report.checked.at(rule) > 0);
    }
  }

  TEST_CASE("a machine that is full may be full again in the instant of an end") {
    CHECK(verdict({a_job(1, 0, 4, 5), a_job(2, 0, 4, 5)}, {row(1, 0, 5), row(2, 5, 10)},
                  {4, true})
              .empty());
  }

  TEST_CASE("one tick of overlap on a full machine is too much") {
    auto rows = std::vector{row(1, 0, 5), row(2, 5, 10)};
    *rows[1].start -= 1;
    *rows[1].end -= 1;
    CHECK(verdict({a_job(1, 0, 4, 5), a_job(2, 0, 4, 5)}, rows, {4}) ==
          "capacity at t=4.999999: 8 processors in use, there are 4");
  }

  TEST_CASE("a start before the submit time is found, and nothing else") {
    CHECK(spoilt([](auto& rows) { rows[3] = row(4, 2, 4); }) ==
          "order at t=2, job 4: it starts before its submit time 3; capacity at t=2: 6 "
          "processors in use, there are 4");
    CHECK(verdict({a_job(1, 0, 1, 1), a_job(2, 30, 4, 5), a_job(3, 40, 4, 5)},
                  {row(1, 0, 1), row(2, 20, 25), row(3, 40, 45)}, {4, true}) ==
          "order at t=20, job 2: it starts before its submit time 30");
  }

  TEST_CASE("an end before the start is found, and the job holds nothing") {
    CHECK(
        spoilt([](auto& rows) { rows[3] = row(4, 15, 14); }) ==
        "order at t=15, job 4: it ends at 14, before it starts; length at t=15, job 4: "
        "it runs for -1 instead of 2");
  }

  TEST_CASE("a wrong length is found") {
    CHECK(spoilt([](auto& rows) { rows[3] = row(4, 15, 18); }) ==
          "length at t=15, job 4: it runs for 3 instead of 2");
  }

  TEST_CASE("whole seconds are near enough under a tolerance of one") {
    auto rows = four_rows();
    rows[3] = row(4, 15, 18);
    ScheduleRules rules{4};
    rules.tolerance = seconds(1);
    CHECK(verdict(four_jobs(), rows, rules).empty());
    rows[3] = row(4, 15, 19);
    CHECK(verdict(four_jobs(), rows, rules) ==
          "length at t=15, job 4: it runs for 4 instead of 2");
  }

  TEST_CASE("a killed job runs for its walltime") {
    const std::vector jobs{a_job(1, 0, 1, 9, 6)};
    auto rows = std::vector{row(1, 0, 6)};
    CHECK(verdict(jobs, rows, {4}) ==
          "length at t=0, job 1: it runs for 6 instead of 9");
    rows[0].state = audit::Stated::kKilled;
    CHECK(verdict(jobs, rows, {4}).empty());
  }

  TEST_CASE("a row that is dropped is missing, one too wide is not") {
    CHECK(spoilt([](auto& rows) { rows.erase(rows.begin() + 2); }) ==
          "missing at t=0, job 3: it is not in the schedule");
    CHECK(verdict({a_job(1, 0, 5, 1)}, {}, {4}).empty());
  }

  TEST_CASE("two jobs that change places break capacity") {
    CHECK(spoilt([](auto& rows) {
            rows[0] = row(1, 5, 15);
            rows[1] = row(2, 0, 5);
          }) ==
          "capacity at t=0: 5 processors in use, there are 4; capacity at t=3: 5 "
          "processors in "
          "use, there are 4");
  }

  TEST_CASE("processors that are named must be as many, exist and be idle") {
    const auto with = [](std::int32_t first, std::int32_t last) {
      return spoilt([&](auto& rows) {
        rows[0].processors = IntervalSet(0, 2);
        rows[2].processors = IntervalSet(first, last);
      });
    };
    CHECK(with(3, 3).empty());
    CHECK(with(2, 2) ==
          "capacity at t=0, job 3: one of its processors 2 is busy or does not exist");
    CHECK(with(4, 4) ==
          "capacity at t=0, job 3: one of its processors 4 is busy or does not exist");
    CHECK(with(2, 3) ==
          "capacity at t=0, job 3: it has 2 processors and asked for 1; "
          "capacity at t=0, job 3: one of its processors 2-3 is busy or "
          "does not exist");
  }

  TEST_CASE("a job that never ran holds nothing; one that never ended holds for ever") {
    CHECK(spoilt([](auto& rows) {
            rows[1] = {JobId{1}, {}, {}, audit::Stated::kRejected, {}};
          }).empty());
    CHECK(spoilt([](auto& rows) {
            rows[2].end.reset();
          }).find("capacity at t=10: 5 processors in use, there are 4") == 0);
  }

  TEST_CASE(
      "jobs of no length may share an instant, but not with who runs through it") {
    const std::vector jobs{a_job(1, 0, 3, 10), a_job(2, 0, 4, 0), a_job(3, 0, 4, 0),
                           a_job(4, 0, 1, 0)};
    CHECK(verdict(jobs, {row(1, 0, 10), row(2, 10, 10), row(3, 10, 10), row(4, 5, 5)},
                  {4})
              .empty());
    CHECK(verdict(jobs, {row(1, 0, 10), row(2, 5, 5), row(3, 10, 10), row(4, 5, 5)},
                  {4}) ==
          "capacity at t=5, job 2: its 4 processors are not free, 3 of 4 are in use");
    CHECK(verdict(jobs, {row(1, 0, 10), row(2, 0, 0), row(3, 0, 0), row(4, 0, 0)}, {4})
              .empty());
  }

  TEST_CASE("only the first ten violations of a rule are listed, all are counted") {
    std::vector<Job> jobs;
    std::vector<Scheduled> rows;
    for (std::uint32_t i = 1; i <= 15; ++i) {
      jobs.push_back(a_job(i, 0, 1, 5));
      rows.push_back(row(i, 10 * i, 10 * i + 6));
    }
    const auto report = check_schedule(jobs, rows, {4});
    CHECK(report.violations.size() == 10);
    CHECK(report.broken.at("length") == 15);
  }

  TEST_CASE("schedules of EASY keep R1, as FCFS does; first fit's are caught") {
    std::int64_t caught = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      CAPTURE(seed);
      const auto jobs = random_jobs(seed, {40, 8, false, seed % 4 == 0});
      const ScheduleRules rules{8, true};
      CHECK(verdict(jobs, schedule_of(jobs, a_machine(8), easy), rules).empty());
      CHECK(verdict(jobs, schedule_of(jobs, a_machine(8), fcfs), rules).empty());
      const auto greedy = schedule_of(jobs, a_machine(8), first_fit);
      CHECK(verdict(jobs, greedy, {8}).empty());
      const auto text = verdict(jobs, greedy, rules);
      caught += text.find("easy at t=") == 0 ? 1 : 0;
    }
    CHECK(caught > 60);
  }

  TEST_CASE("a first fit that delays the head is caught with the time and the job") {
    const std::vector jobs{a_job(1, 0, 6, 10), a_job(2, 0, 8, 5), a_job(3, 1, 4, 19)};
    CHECK(verdict(jobs, {row(1, 0, 10), row(2, 20, 25), row(3, 1, 20)}, {10, true}) ==
          "easy at t=1, job 2: head of the queue, it could have started at 10, now at "
          "20");
  }

  TEST_CASE("conservative schedules and killed jobs pass all rules but EASY's") {
    auto machine = a_machine(8);
    machine.overrun = sim::Overrun::kKill;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      CAPTURE(seed);
      const auto jobs = random_jobs(seed, {40, 10, false, true});
      CHECK(verdict(jobs, schedule_of(jobs, machine, conservative), {8}).empty());
      CHECK(verdict(jobs, schedule_of(jobs, machine, easy), {8, true}).empty());
    }
  }

  TEST_CASE("any row of a random schedule that is shifted or stretched is caught") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      CAPTURE(seed);
      auto jobs = random_jobs(seed, {30, 8});
      for (auto& job : jobs) job.size = 8;  // a full machine: every shift collides
      for (auto& job : jobs) job.length = std::max(job.length, kSecond);
      for (auto& job : jobs) job.walltime = std::max(job.walltime, job.length);
      const auto good = schedule_of(jobs, a_machine(8), fcfs);
      CHECK(verdict(jobs, good, {8}).empty());
      for (const std::size_t i : {0U, 7U, 29U}) {
        auto stretched = good;
        *stretched[i].end += 1;
        CHECK(check_schedule(jobs, stretched, {8}).broken.at("length") == 1);
      }
      auto shifted = good;
      *shifted[7].start -= 1;
      *shifted[7].end -= 1;
      const auto broken = check_schedule(jobs, shifted, {8}).broken;
      CHECK((broken.contains("capacity") || broken.contains("order")));
    }
  }
}

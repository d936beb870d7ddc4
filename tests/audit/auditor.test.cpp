// Every law is shown to catch the lie planted against it, and to pass honest runs.

#include "engine/audit/auditor.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>

#include "engine/sim/book.hpp"
#include "engine/sim/selection.hpp"
#include "tests/support/audits.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/random_jobs.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// How an auditor looks, and how it is told what every job brings: by name or as others.
struct Way {
  audit::Thoroughness thoroughness = audit::Thoroughness::kFull;
  bool by_name = false;
};

// Tells an auditor by hand what happened.  Four processors, preemption at a cost of 2
// s; jobs 11 (2 processors, 10 s), 12 (3, 10 s), 13 (5, too wide), 14 (2, 10 s, at 5).
class Story {
 public:
  Story() : Story(a_story_machine()) {}
  explicit Story(const sim::Machine& story_machine, Way way = {})
      : machine(story_machine),
        jobs{a_job(11, 0, 2, 10), a_job(12, 0, 3, 10), a_job(13, 0, 5, 10),
             a_job(14, 5, 2, 10)},
        entries(jobs.size()),
        places(jobs.size()),
        auditor({machine, {}, jobs, {}}, law_of(machine, jobs), way.thoroughness),
        by_name(way.by_name) {}

  static sim::Machine a_story_machine() {
    auto machine = a_machine(4);
    machine.preemption = true;
    machine.migration_cost = seconds(2);
    return machine;
  }

  sim::Subject who(std::size_t i) {
    return {JobId{static_cast<std::uint32_t>(i)}, &jobs[i], &entries[i]};
  }
  void submit(double t, std::size_t i) {
    const sim::SubmitRecord record{at(t), who(i), 0};
    by_name ? auditor.submitted(record) : auditor.note(record);
  }
  void reject(double t, std::size_t i, bool by_machine) {
    auditor.note(sim::RejectRecord{at(t), who(i), by_machine, {}});
  }
  void start(double t, std::size_t i, std::int32_t first, std::int32_t last) {
    start_as(t, i, {first, last}, false, t, 1.0);
  }
  void start_as(double t, std::size_t i, IntervalSet processors, bool resumed,
                double frozen_until, double rate) {
    places[i] = std::move(processors);
    const sim::StartRecord record{at(t), who(i), &places[i], resumed, at(frozen_until),
                                  rate,  {}};
    by_name ? auditor.started(record) : auditor.note(record);
  }
  void suspend(double t, std::size_t i) {
    entries[i].account.suspensions += 1;
    auditor.note(sim::SuspendRecord{at(t), who(i), 0, {}});
  }
  void unfreeze(double t, std::size_t i) {
    auditor.note(sim::UnfreezeRecord{at(t), who(i)});
  }
  void rate(double t, std::size_t i, double rate) {
    auditor.note(sim::RateRecord{at(t), who(i), rate});
  }
  void end(double t, std::size_t i, JobState state = JobState::kFinished) {
    entries[i].state = state;
    const sim::EndRecord record{at(t), who(i), &places[i]};
    by_name ? auditor.ended(record) : auditor.note(record);
  }
  void left(double t, std::size_t i, bool holds) {
    auditor.note(sim::LeftRecord{at(t), who(i), holds ? &places[i] : nullptr});
  }
  void finish(double t) { auditor.finish(at(t)); }

  // All jobs are submitted; the one that is too wide is rejected.
  void begin() {
    submit(0, 0);
    submit(0, 1);
    submit(0, 2);
    reject(0, 2, true);
  }

  static Time at(double t) { return *ticks_from_seconds(t); }

  sim::Machine machine;
  std::vector<Job> jobs;
  std::vector<JobEntry> entries;
  std::vector<Placement> places;
  audit::Auditor auditor;
  bool by_name;
};

constexpr auto kLight = audit::Thoroughness::kLight;

using Lie = std::function<void(Story&)>;

// "W6 at t=5, job 14: ..." of the first law that does not hold; "" if all do.
std::string found(const Lie& tell,
                  const sim::Machine& machine = Story::a_story_machine(),
                  Way way = {}) {
  Story story(machine, way);
  try {
    tell(story);
  } catch (const audit::AuditFailure& failure) {
    CHECK(failure.code() == ErrorCode::kAudit);
    CHECK(std::string(failure.what()) == "audit: " + failure.violation().text());
    return in_short(failure.violation());
  }
  return "";
}

// Job 11 runs 0-4, is suspended, resumes at 6 and ends at 14; 12 and 14 follow.
void honest(Story& story) {
  story.begin();
  story.start(0, 0, 0, 1);
  story.suspend(4, 0);
  story.start(4, 1, 0, 2);
  story.submit(5, 3);
  story.end(14, 1);
  story.start_as(14, 0, {2, 3}, true, 16, 0.0);
  story.start(14, 3, 0, 1);
  story.unfreeze(16, 0);
  story.rate(16, 0, 1.0);
  story.entries[0].account.suspended = seconds(10);
  story.entries[0].account.frozen = seconds(2);
  story.end(22, 0);
  story.end(24, 3);
  story.finish(24);
}

struct Planted {
  const char* what;
  Lie lie;
  const char* found;
};

const std::vector<Planted> kLies{
    {"two jobs on one processor",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.start(0, 1, 1, 3);
     },
     "C1 at t=0, job 12: it was given a processor that serves another job or does "
     "not "
     "exist"},
    {"a processor that does not exist",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 3, 4);
     },
     "C1 at t=0, job 11: it was given a processor that serves another job or does "
     "not "
     "exist"},
    {"too few processors",
     [](Story& s) {
       s.begin();
       s.start(0, 1, 0, 1);
     },
     "C7 at t=0, job 12: it does not hold as many processors as it asked for"},
    {"a waiting job that holds processors",
     [](Story& s) {
       s.begin();
       s.left(3, 0, true);
     },
     "C7 at t=3, job 11: only a running job holds processors"},
    {"a running job without processors",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.left(3, 0, false);
     },
     "C7 at t=3, job 11: only a running job holds processors"},
    {"an end before the work is done",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.end(9.9, 0);
     },
     "W1 at t=9.9, job 11: its work is not its length"},
    {"an end behind the work",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.end(10.1, 0);
     },
     "W1 at t=10.1, job 11: its work is not its length"},
    {"a kill before the walltime",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.end(9, 0, JobState::kFailed);
     },
     "W1 at t=9, job 11: it was killed before its walltime"},
    {"a kill on a machine whose overrun is run_on",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.end(10, 0, JobState::kFailed);
     },
     "W7 at t=10, job 11: it failed on a machine that kills no job"},
    {"an account of frozen time that is not in the records",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.entries[0].account.frozen = 1;
       s.end(10, 0);
     },
     "W3 at t=10, job 11: its account of frozen and suspended time differs from the "
     "records"},
    {"an account of suspended time that is not in the records",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.entries[0].account.suspended = 1;
       s.end(10, 0);
     },
     "W3 at t=10, job 11: its account of frozen and suspended time differs from the "
     "records"},
    {"a resume that costs nothing",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.suspend(4, 0);
       s.start_as(6, 0, {0, 1}, true, 6, 1.0);
     },
     "W4 at t=6, job 11: a resumed job is frozen for the migration delay, a new one "
     "not at all"},
    {"a first start that is frozen",
     [](Story& s) {
       s.begin();
       s.start_as(0, 0, {0, 1}, false, 2, 0.0);
     },
     "W4 at t=0, job 11: a resumed job is frozen for the migration delay, a new one "
     "not at all"},
    {"a rate other than 1",
     [](Story& s) {
       s.begin();
       s.start_as(0, 0, {0, 1}, false, 0, 0.5);
     },
     "W4 at t=0, job 11: its rate is not that of its placement"},
    {"a rate that changes for no reason",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.rate(3, 0, 0.5);
     },
     "W4 at t=3, job 11: its rate is not that of its placement"},
    {"work while frozen",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.suspend(4, 0);
       s.start_as(6, 0, {0, 1}, true, 8, 1.0);
     },
     "W4 at t=6, job 11: its rate is not that of its placement"},
    {"a freeze that ends too early",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.suspend(4, 0);
       s.start_as(6, 0, {0, 1}, true, 8, 0.0);
       s.unfreeze(7, 0);
     },
     "W4 at t=7, job 11: its freeze ends at another time than the migration delay "
     "after the move"},
    {"the end of a freeze of a job that is not frozen",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.unfreeze(2, 0);
     },
     "W4 at t=2, job 11: its freeze ends at another time than the migration delay "
     "after the move"},
    {"time that goes back",
     [](Story& s) {
       s.begin();
       s.start(3, 0, 0, 1);
       s.start(2, 1, 2, 3);
     },
     "W6 at t=3: time went back"},
    {"a job that comes in too early",
     [](Story& s) {
       s.begin();
       s.submit(4, 3);
     },
     "W6 at t=4, job 14: it came in at another time than its submit time"},
    {"a start before the submission",
     [](Story& s) {
       s.begin();
       s.start(2, 3, 0, 1);
     },
     "W7 at t=2, job 14: it became running while future"},
    {"a second submission",
     [](Story& s) {
       s.begin();
       s.submit(0, 0);
     },
     "W7 at t=0, job 11: it became waiting while waiting"},
    {"a second start",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.start(1, 0, 2, 3);
     },
     "W7 at t=1, job 11: it became running while running"},
    {"a start of a job that has ended",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.end(10, 0);
       s.start(11, 0, 0, 1);
     },
     "W7 at t=11, job 11: it became running while finished"},
    {"a second end",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.end(10, 0);
       s.end(10, 0);
     },
     "W7 at t=10, job 11: it became finished while finished"},
    {"processors of a job that has ended",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.end(10, 0);
       s.left(11, 0, true);
     },
     "C7 at t=11, job 11: only a running job holds processors"},
    {"a submission of a job that was rejected",
     [](Story& s) {
       s.begin();
       s.submit(1, 2);
     },
     "W7 at t=1, job 13: it became waiting while rejected"},
    {"a resume of a job that was never suspended",
     [](Story& s) {
       s.begin();
       s.start_as(0, 0, {0, 1}, true, 2, 0.0);
     },
     "W7 at t=0, job 11: it became running while waiting"},
    {"an end of a job that waits",
     [](Story& s) {
       s.begin();
       s.end(3, 0);
     },
     "W7 at t=3, job 11: it became finished while waiting"},
    {"a rejection of a job that runs",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.reject(1, 0, false);
     },
     "W7 at t=1, job 11: it became rejected while running"},
    {"a suspension of a job that waits",
     [](Story& s) {
       s.begin();
       s.suspend(1, 0);
     },
     "W7 at t=1, job 11: it became suspended while waiting"},
    {"a job of the machine's size rejected by the machine",
     [](Story& s) {
       s.begin();
       s.reject(0, 0, true);
     },
     "W7 at t=0, job 11: the machine rejects jobs that are wider than it, and no "
     "others"},
    {"a job too wide rejected by the policy",
     [](Story& s) {
       s.submit(0, 2);
       s.reject(0, 2, false);
     },
     "W7 at t=0, job 13: the machine rejects jobs that are wider than it, and no "
     "others"},
    {"a job that never came in",
     [](Story& s) {
       s.begin();
       s.finish(3);
     },
     "W7 at t=3: a job was never submitted"},
    {"a suspension that is not counted",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.suspend(4, 0);
       s.start_as(6, 0, {0, 1}, true, 8, 0.0);
       s.unfreeze(8, 0);
       s.rate(8, 0, 1.0);
       s.entries[0].account = {};
       s.end(14, 0);
     },
     "W8 at t=14, job 11: its counters differ from the actions recorded"},
    {"a kill without a record",
     [](Story& s) {
       s.begin();
       s.start(0, 0, 0, 1);
       s.entries[0].account.kills = 1;
       s.end(10, 0);
     },
     "W8 at t=10, job 11: its counters differ from the actions recorded"},
};

struct Run {
  std::map<std::string, std::int64_t> checked;
};

Run audited(const std::vector<Job>& jobs, const sim::Machine& machine,
            sim::Policy& policy, const sim::Settings& settings = {}) {
  audit::Auditor auditor({machine, settings, jobs, policy.traits()},
                         law_of(machine, jobs));
  sim::Simulation simulation(machine, settings, jobs, policy,
                             make_model(machine, jobs));
  simulation.audience().observe(auditor);
  (void)simulation.advance(kNever);
  simulation.finish();
  Run out;
  for (const auto& [rule, times] : auditor.checked())
    out.checked[std::string(rule)] = times;
  return out;
}

// Easy, and every third decision the job that would end last is suspended.
void easy_with_suspensions(sim::Simulation& world) {
  easy(world);
  if (world.world().decision().number % 3 != 0 || world.world().running().size() == 0)
    return;
  world.actions().suspend(
      world.world().running().releases(world.world().now()).back().job);
}

}  // namespace

TEST_SUITE("audit/auditor") {
  TEST_CASE("an honest story passes") { CHECK(found(honest).empty()); }

  TEST_CASE("each planted lie is found by its law, with the time and the job") {
    for (const auto& planted : kLies) {
      CAPTURE(planted.what);
      CHECK(found(planted.lie) == planted.found);
    }
  }

  TEST_CASE("light looks find the lies that no look at processors is needed for") {
    const auto machine = Story::a_story_machine();
    int unseen = 0;
    for (const auto& planted : kLies) {
      CAPTURE(planted.what);
      const auto by_name = found(planted.lie, machine, {kLight, true});
      CHECK(by_name == found(planted.lie, machine, {kLight, false}));
      if (by_name.empty()) ++unseen;
      const std::string found_by_all = planted.found;
      const bool is_of_processors = found_by_all.find("processor") != std::string::npos;
      if (!is_of_processors || found_by_all.find("only a running") != std::string::npos)
        CHECK(by_name == found_by_all);
    }
    CHECK(unseen == 2);  // one that does not exist; too few
    CHECK(found(honest, machine, {kLight, true}).empty());
  }

  TEST_CASE("the lies are against all laws that a single run can break") {
    std::set<std::string> rules;
    for (const auto& planted : kLies)
      rules.insert(std::string(planted.found).substr(0, 2));
    CHECK(rules ==
          std::set<std::string>{"C1", "C7", "W1", "W3", "W4", "W6", "W7", "W8"});
  }

  TEST_CASE("a suspension on a machine without preemption is found") {
    CHECK(found(
              [](Story& s) {
                s.begin();
                s.start(0, 0, 0, 1);
                s.suspend(4, 0);
              },
              a_machine(4)) == "W7 at t=4, job 11: this machine allows no preemption");
  }

  TEST_CASE("a job killed at its walltime passes where the machine kills") {
    auto machine = Story::a_story_machine();
    machine.overrun = sim::Overrun::kKill;
    CHECK(found(
              [](Story& s) {
                s.begin();
                s.start(0, 0, 0, 1);
                s.end(10, 0, JobState::kFailed);
              },
              machine)
              .empty());
  }

  TEST_CASE("a job that outlives its walltime fails where the machine kills") {
    auto machine = Story::a_story_machine();
    machine.overrun = sim::Overrun::kKill;
    const auto end_at = [&](double at, JobState state) {
      return found(
          [&](Story& s) {
            s.begin();
            s.start(0, 0, 0, 1);
            s.end(at, 0, state);
          },
          machine);
    };
    CHECK(end_at(11, JobState::kFailed) ==
          "W1 at t=11, job 11: it was killed after its walltime, or after its work was "
          "done");
  }

  TEST_CASE("a processor is free again in the instant in which its job ends") {
    CHECK(found([](Story& s) {
            s.begin();
            s.start(0, 0, 0, 1);
            s.end(10, 0);
            s.start(10, 1, 0, 2);
            s.end(20, 1);
          }).empty());
  }

  TEST_CASE("what a job held is added up: 2 for 10 s and 3 for 10 s") {
    Story story;
    story.begin();
    story.start(0, 0, 0, 1);
    story.end(10, 0);
    story.start(10, 1, 0, 2);
    story.end(20, 1);
    CHECK_NOTHROW(story.auditor.check_utilisation(50.0 / 80.0, seconds(20)));
    CHECK_THROWS_AS(story.auditor.check_utilisation(51.0 / 80.0, seconds(20)),
                    audit::AuditFailure);
  }

  TEST_CASE("honest runs of random workloads pass, suspensions and kills included") {
    std::map<std::string, std::int64_t> all;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      CAPTURE(seed);
      auto machine = a_machine(8);
      machine.preemption = true;
      machine.migration_cost = seconds(static_cast<std::int64_t>(seed % 3));
      machine.overrun = seed % 2 == 0 ? sim::Overrun::kKill : sim::Overrun::kRunOn;
      sim::Settings settings;
      settings.pass = seed % 5 == 0 ? sim::PassMode::kEvent : sim::PassMode::kInstant;
      ScriptedPolicy policy(easy_with_suspensions);
      const auto jobs = random_jobs(seed, {30, 10, false, true});
      for (const auto& [rule, times] :
           audited(jobs, machine, policy, settings).checked) {
        all[rule] += times;
      }
    }
    for (const auto* rule : {"C1", "C7", "W1", "W2", "W3", "W4", "W6", "W7", "W8"}) {
      CAPTURE(rule);
      CHECK(all[rule] >= 150);
    }
    CHECK(all["R1"] == 0);  // nothing was promised
  }

  TEST_CASE("a utilisation is checked against the processors held") {
    ScriptedPolicy policy(fcfs);
    const auto machine = a_machine(4);
    const std::vector jobs{a_job(1, 0, 2, 5), a_job(2, 0, 4, 3), a_job(3, 0, 1, 0)};
    sim::Simulation simulation(machine, {}, jobs, policy, make_model(machine, jobs));
    audit::Auditor auditor({machine, {}, jobs, policy.traits()}, law_of(machine, jobs));
    simulation.audience().observe(auditor);
    simulation.advance(kNever);
    simulation.finish();
    // 2 processors for 5 s, then 4 for 3 s, of 4 for 8 s.
    CHECK_NOTHROW(auditor.check_utilisation(22.0 / 32.0, seconds(8)));
    CHECK_THROWS_WITH_AS(
        auditor.check_utilisation(0.7, seconds(8)),
        doctest::Contains("utilisation broken (W5, docs/model.md#w5) at t=8"),
        audit::AuditFailure);
  }
}

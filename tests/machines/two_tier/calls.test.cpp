// cluster.tiers, and what other members tell of machines with two tiers.

#include <doctest/doctest.h>

#include "tests/bindings/scene.hpp"
#include "tests/sim/told.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Two processors; job 1 (1 processor, use 0.5) and job 2 (2 processors, 0.6 and 0.7).
TestMachine machine() {
  return a_two_tier_machine(2, {{1, {.use = {0.5}}}, {2, {.use = {0.6, 0.7}}}});
}

std::vector<Job> jobs() { return {a_job(1, 0, 1, 30, 60), a_job(2, 0, 2, 30, 60)}; }

Played say(const std::string& body, const TestMachine& on = machine()) {
  return play(once("local tiers, wide = cluster.tiers, nil\n"
                   "for j in queue:after(job) do wide = j end\n" +
                   body),
              jobs(), on);
}

std::string printed(const std::string& expression) {
  const auto said = say("print(" + expression + ")");
  return said.error.empty() ? said.printed : said.error;
}

}  // namespace

TEST_SUITE("machines/two_tier/calls") {
  TEST_CASE("a machine with tiers has them, and no other family") {
    CHECK(printed("cluster:has('tiers'), cluster:has('network')") == "true\tfalse\n");
  }

  TEST_CASE("declared use is that of the process, highest first, and of who is above") {
    CHECK(printed("tiers:use(wide, 1), tiers:use(wide, 2)") == "0.7\t0.6\n");
    CHECK(printed("job:declared_use(1)") == "0.5\n");
    CHECK(say("cluster:start(job) tiers:start_background(wide)\n"
              "print(tiers:above(wide, 1), tiers:above(wide, 2))")
              .printed == "0.0\t0.5\n");
  }

  TEST_CASE("use is nil where jobs do not declare it") {
    auto unknown = machine();
    unknown.tiers().cpu_usage_known = false;
    CHECK(say("tiers:start_background(job)\n"
              "print(tiers:use(wide, 1), job:declared_use(1), tiers:above(job, 1))",
              unknown)
              .printed == "nil\tnil\tnil\n");
  }

  TEST_CASE("a background job runs, keeps its place as candidate, and has no end") {
    CHECK(say("tiers:start_background(job)\n"
              "print(job.state, job.tier, job.expected_end, job.start)\n"
              "print(queue:head() == wide, tiers:candidates():head() == job)\n"
              "print(tiers:candidates():length(), cluster:idle())")
              .printed == "running\tbackground\tnil\t0.0\ntrue\ttrue\n2\t2\n");
  }

  TEST_CASE("running jobs come by expected end, those in the background last") {
    CHECK(say("tiers:start_background(job) cluster:start(wide)\n"
              "for j in cluster:running() do print(j.id, j.tier, j.expected_end) end")
              .printed == "2\tforeground\t60.0\n1\tbackground\tnil\n");
  }

  TEST_CASE("a swap below a busy foreground slot is refused and changes nothing") {
    const auto said =
        say("cluster:start(wide) tiers:start_background(job)\n"
            "print(tiers:swap(job))\nprint(job.tier, cluster:idle())\n"
            "print(tiers:restart(job))\nprint(tiers:migrate(job))\n"
            "print(job.tier, tiers:freeze(job))");
    CHECK(said.error.empty());
    CHECK(said.printed ==
          "nil\tforeground_busy\nbackground\t0\nnil\tbusy\nnil\tbusy\n"
          "background\t20.0\n");
  }

  TEST_CASE("no usable slot is no_room, and the job still waits") {
    auto full = machine();
    full.tiers().bg_threshold = 0.4;
    CHECK(say("cluster:start(job)\nprint(tiers:start_background(wide))\n"
              "print(wide.state)",
              full)
              .printed == "nil\tno_room\nwaiting\n");
  }

  TEST_CASE("a pinned plan has room beside its job's own processors alone") {
    const auto said =
        say("tiers:start_background(job)\n"  // on processor 1
            "local plan = tiers:reserve(job)\n"
            "print(plan.start, plan.spare, plan:admits(wide), plan:room(wide))\n"
            "local narrow = cluster:start(wide, plan:room(wide))\n"
            "print(narrow)");
    CHECK(said.error.empty());
    CHECK(said.printed == "0.0\t1\tnil\tnil\ntrue\n");
  }

  TEST_CASE("a start within the room of a pinned plan takes its processors alone") {
    const auto two = std::vector{a_job(1, 0, 1, 30, 60), a_job(2, 0, 1, 30, 60)};
    Told told(sim::kinds<sim::StartRecord>());
    const auto said = play(
        once("local other\nfor j in queue:after(job) do other = j end\n"
             "cluster.tiers:start_background(job)\n"
             "local plan = cluster.tiers:reserve(job)\n"
             "local room = plan:room(other)\n"
             "print(plan.spare, cluster:start(other, room), plan.spare, plan.broken)"),
        two, a_two_tier_machine(2), {}, &told);
    CHECK(said.error.empty());
    CHECK(said.printed == "1\ttrue\t0\tfalse\n");
    CHECK(told.text == "0 start 1 bg [1]; 0 start 2 fg [0]");
  }

  TEST_CASE("wrong calls name what is wrong, and the state is unchanged") {
    CHECK(printed("tiers:swap(job)").find("swap: job 1 is waiting (t=0)") !=
          std::string::npos);
    CHECK(say("cluster:start(job) tiers:migrate(job)")
              .fails_with("migrate: job 1 runs in the foreground, where it stays"));
    CHECK(say("tiers:start_background(job) tiers:start_background(job)")
              .fails_with("start_background: job 1 is running"));
    CHECK(say("cluster:start(job) tiers:freeze(job)").fails_with("freeze: job 1 runs"));
    CHECK(say("tiers:use(job, 2)").fails_with("the job has 1 processes"));
    CHECK(say("tiers:use(job, 0)").fails_with("0 is less than 1"));
    CHECK(say("tiers:above(job, 1)")
              .fails_with("the job does not run in the background"));
    CHECK(say("tiers:start_background(job) tiers:swap(job, 7)")
              .fails_with("a set of processors expected"));
    CHECK(say("queue:fitting('foreground')").fails_with("\"background\" expected"));
    CHECK(say("tiers.swap(job)").fails_with("call it with a colon"));
  }

  TEST_CASE("on a machine without tiers the background is refused by name") {
    CHECK(say("queue:fitting('background')", a_machine(2))
              .fails_with("this machine has no tiers"));
    CHECK(say("job:declared_use(1)", a_machine(2))
              .fails_with("this machine has no tiers"));
  }

  TEST_CASE("a set of processors belongs to its decision") {
    const auto said = play(
        "local room\nreturn { schedule = function(queue, cluster)\n"
        "for job in queue:all() do\n"
        "if room then cluster:start(job, room) end\n"
        "if not room then cluster.tiers:start_background(job) end\n"
        "local plan = job.tier == 'background' and cluster.tiers:reserve(job)\n"
        "for other in queue:all() do room = plan and plan:room(other) or room end\n"
        "end end }",
        {a_job(1, 0, 1, 30), a_job(2, 0, 1, 30), a_job(3, 5, 1, 30)},
        a_two_tier_machine(3));
    CHECK(said.fails_with("belongs to an earlier decision"));
  }

  TEST_CASE("progress is hidden: what is left counts the time since the start") {
    const auto said = play(
        "return { schedule = function(queue, cluster)\n"
        "local job = queue:head()\n"
        "if job then cluster.tiers:start_background(job) cluster:wake_at(10) end\n"
        "for j in cluster:running() do print(j.walltime_left) end\nend }",
        {a_job(1, 0, 1, 30, 60)}, a_two_tier_machine(1));
    CHECK(said.error.empty());
    CHECK(said.printed.substr(0, 10) == "60.0\n50.0\n");
  }

  TEST_CASE(
      "why a pass came: the tier in which a job ended, and a freeze that is over") {
    const auto said = play(
        "return { schedule = function(queue, cluster)\n"
        "for _, kind in ipairs { 'submit', 'foreground_end', 'background_end', "
        "'unfrozen' } do\n"
        "if cluster:happened(kind) then print(cluster:now(), kind) end end\n"
        "local job = queue:head()\n"
        "if job and job.id == 1 then cluster:start(job) end\n"
        "for j in queue:all() do cluster.tiers:start_background(j) end\n"
        "for j in cluster:running() do\n"
        "if j.id == 3 and cluster:now() == 6 then cluster.tiers:migrate(j) end "
        "end\nend }",
        {a_job(1, 0, 1, 6), a_job(2, 0, 1, 4), a_job(3, 0, 1, 90)},
        a_two_tier_machine(3));
    CHECK(said.error.empty());
    CHECK(said.printed ==
          "0.0\tsubmit\n4.0\tbackground_end\n6.0\tforeground_end\n26.0\tunfrozen\n"
          "110.0\tforeground_end\n");
  }
}

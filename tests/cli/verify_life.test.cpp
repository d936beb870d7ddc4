// `berth verify` of schedules with dependencies, hosts that go down, windows and limits
// (docs/model.md#verify): right ones break no rule, and each mistake is found.

#include <doctest/doctest.h>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// A scenario with one file beside it, whose schedule is judged as it is or changed.
class JudgedRun {
 public:
  // `key` of `section` names the file.
  JudgedRun(const std::vector<TraceRow>& rows, const std::string& scenario,
            const std::string& name, const std::string& text)
      : played_(rows, scenario + "[workload]\ntrace = \"jobs.swf\"\n") {
    if (!name.empty()) (void)played_.folder().file(name, text);
  }
  JudgedRun& run(const std::string& policy, const std::vector<std::string>& more = {}) {
    more_ = more;
    const auto said = played_.run(policy, more);
    CHECK_MESSAGE(said.code == 0, said.err);
    return *this;
  }
  // Writes the text of a file of the run anew; both were there.
  JudgedRun& put(const std::string& file, const std::string& was,
                 const std::string& is) {
    auto text = played_.text(file);
    const auto at = text.find(was);
    CHECK_MESSAGE(at != std::string::npos, text);
    if (at != std::string::npos) text.replace(at, was.size(), is);
    write_file(std::filesystem::path(played_.out()) / file, text);
    return *this;
  }
  [[nodiscard]] Said verify(const std::vector<std::string>& how = {}) const {
    std::vector<std::string> args{"verify", played_.scenario(), "--schedule",
                                  played_.out() + "/jobs.csv"};
    args.insert(args.end(), more_.begin(), more_.end());
    args.insert(args.end(), how.begin(), how.end());
    return berth_says(args);
  }
  // The violations, a line each; empty: every rule holds.
  [[nodiscard]] std::string faults(const std::vector<std::string>& how = {}) const {
    const auto said = verify(how);
    const bool holds = said.out.find("every rule holds") != std::string::npos;
    CHECK_MESSAGE(said.code == (holds ? 0 : 1), said.err);
    const auto rules = said.out.find(" checked ");
    return said.out.substr(0, said.out.rfind('\n', rules) + 1);
  }
  [[nodiscard]] const PlayedScenario& played() const { return played_; }

 private:
  static void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  PlayedScenario played_;
  std::vector<std::string> more_;
};

constexpr const char* kEventHead = "time,event,processors,until\n";

JudgedRun with_events(const std::vector<TraceRow>& rows, const std::string& events) {
  return {rows, "[machine]\nprocessors = 4\nevents = \"events.csv\"\n", "events.csv",
          kEventHead + events};
}

JudgedRun with_windows(const std::vector<TraceRow>& rows, const std::string& windows) {
  return {rows, "[machine]\nprocessors = 4\nwindows = \"windows.csv\"\n", "windows.csv",
          "name,from,to,processors,announced,users,at_start\n" + windows};
}

}  // namespace

TEST_SUITE("cli/verify_life") {
  TEST_CASE(
      "a promise that a failure broke is excused, one that a policy broke is not") {
    // Job 2 is promised 20, and processor 3 is down from 10 to 40.  Job 5 is promised
    // 120, and first fit starts job 6 on the processor that is left until 152.
    auto run = with_events(
        {{0, 3, 20}, {1, 4, 10}, {2, 1, 15}, {100, 3, 20}, {101, 4, 10}, {102, 1, 50}},
        "10,down,3,60\n40,up,3,\n");
    run.run("first_fit");
    CHECK(run.played().spans() == "0-20 40-50 2-35 100-120 152-162 102-152");
    const auto said = run.verify({"--promise", "easy"});
    CHECK(said.code == 1);
    CHECK(run.faults({"--promise", "easy"}) ==
          "easy at t=102, job 5: head of the queue, it could have started at 120, now "
          "at 152\n");
    CHECK(said.out.find("excused promises: 1, the longest by 20 s") !=
          std::string::npos);
    CHECK(run.faults().empty());

    run.run("easy");
    CHECK(run.faults({"--promise", "easy"}).empty());
  }

  TEST_CASE("attempts: what was hit, what is lost, and what goes on") {
    const std::string events = "50,down,0,80\n80,up,0,\n";
    auto run = with_events({{0, 2, 100}, {0, 2, 30}, {0, 4, 10}}, events);
    run.run("easy");
    CHECK(run.faults().empty());
    // Job 1 goes on over the loss of processor 0, on which it is.
    CHECK(run.put("stretches.csv", "1,0,50,running,,1,0-1\n1,50,150,running,,1,1-2\n",
                  "1,0,100,running,,1,0-1\n")
              .put("jobs.csv", ",0,150,150,0,150,1,1-2,", ",0,100,100,0,100,1,0-1,")
              .faults() ==
          "attempts broken (L5, docs/model.md#l5) at t=0, job 1: it had another number "
          "of attempts than its row says\n"
          "attempts broken (L5, docs/model.md#l5) at t=0, job 1: it lost other work "
          "than its row says\n"
          "hosts up broken (L2, docs/model.md#l2) at t=50, job 1: it goes on over the "
          "loss of a host that it holds\n");
    // It starts again on the processor that is down.
    CHECK(
        run.run("easy")
            .put("stretches.csv", "1,50,150,running,,1,1-2", "1,50,150,running,,1,0-1")
            .faults() ==
        "hosts up broken (L2, docs/model.md#l2) at t=50, job 1: it was given a host "
        "that is not up\n");
    // It gives up at 49 what it would have lost at 50.
    CHECK(run.run("easy")
              .put("stretches.csv", "1,0,50,running,,1,0-1", "1,0,49,running,,1,0-1")
              .faults() ==
          "attempts broken (L5, docs/model.md#l5) at t=0, job 1: it lost other work "
          "than its row says\n"
          "hosts up broken (L2, docs/model.md#l2) at t=49, job 1: it is hit although "
          "no host that it holds went down\n");
    // It has done half of its work when it ends.
    CHECK(
        run.run("easy")
            .put("stretches.csv", "1,50,150,running,,1,1-2", "1,50,100,running,,1,1-2")
            .put("jobs.csv", ",0,150,150,0,150,1,1-2,", ",0,100,100,0,100,1,1-2,")
            .faults() ==
        "length at t=0, job 1: its work is that of 50 instead of 100\n");
    // The delay before it is in the queue again.
    CHECK(run.run("easy", {"--set", "machine.requeue_delay=30"}).faults().empty());
    CHECK(run.put("stretches.csv", "1,80,", "1,70,")
              .put("stretches.csv", ",180,", ",170,")
              .put("jobs.csv", ",0,180,180,", ",0,170,170,")
              .faults()
              .find("job 1: it starts again before it has returned to the queue") !=
          std::string::npos);
  }

  TEST_CASE("a job that fails with its host, and one row that is not enough") {
    auto run =
        with_events({{0, 2, 100}, {0, 2, 30}, {0, 4, 10}}, "50,down,0,80\n80,up,0,\n");
    CHECK(run.run("easy", {"--set", "machine.on_failure=kill"}).faults().empty());
    // The machine requeues such jobs.
    CHECK(run.run("easy")
              .put("stretches.csv", "1,50,150,running,,1,1-2\n", "")
              .put("jobs.csv", "1,COMPLETED_SUCCESSFULLY,0,150,150",
                   "0,COMPLETED_NODE_FAILED,0,50,50")
              .faults()
              .find("job 1: whether it fails is not what the machine says") !=
          std::string::npos);
    run.run("easy");
    std::filesystem::remove(run.played().out() + "/stretches.csv");
    const auto said = run.verify();
    CHECK(said.code == 3);
    CHECK(said.err.find("job 1 had several attempts") != std::string::npos);
  }

  TEST_CASE("work that a walltime cut off is no attempt, nor is a job that never ran") {
    // Job 1 is killed after 5 s, job 2 is wider than the machine.
    auto run = with_events({{0, 2, 10, 5}, {0, 9, 1}}, "3,down,3,9\n9,up,3,\n");
    run.run("fcfs", {"--set", "machine.overrun=kill"});
    auto jobs = columns_of(run.played().text("jobs.csv"));
    CHECK(jobs["lost_work"] == std::vector<std::string>{"0", "5"});
    CHECK(jobs["attempts"] == std::vector<std::string>{"0", "1"});
    CHECK(run.faults().empty());
  }

  TEST_CASE("hosts: a start on one that is down") {
    JudgedRun run({{0, 2, 20}, {0, 2, 20}, {1, 4, 5}},
                  "[machine]\nevents = \"events.csv\"\n"
                  "[machine.hosts.node]\ncount = 2\nprocessors = 2\n",
                  "events.csv", "time,event,hosts,until\n10,down,1,\n12,up,1,\n");
    CHECK(run.run("easy").faults().empty());
    CHECK(run.put("stretches.csv", "2,12,32,", "2,11,31,")
              .put("jobs.csv", ",0,32,32,0,32,", ",0,31,31,0,31,")
              .faults() ==
          "hosts up broken (L2, docs/model.md#l2) at t=11, job 2: it was given a host "
          "that is not up\n");
  }

  TEST_CASE(
      "hosts: a start on one that drains, and promises once its jobs have ended") {
    // Processor 0 drains from 5 to 60 under job 1; job 2 needs all four.
    auto run = with_events({{0, 2, 10}, {1, 4, 10}, {20, 3, 40}, {22, 3, 60}},
                           "5,drain,0,60\n60,up,0,\n");
    run.run("easy");
    CHECK(run.played().spans() == "0-10 60-70 20-60 70-130");
    CHECK(run.faults({"--promise", "easy"}).empty());
    run.put("stretches.csv", "60,running,,1,1-3", "60,running,,1,0-2")
        .put("jobs.csv", ",1-3,", ",0-2,");
    CHECK(run.faults() ==
          "hosts up broken (L2, docs/model.md#l2) at t=20, job 3: it was given a host "
          "that is not up\n");
  }

  TEST_CASE("windows: an outsider inside, and one that stands in the way") {
    auto run = with_windows({{0, 2, 5, 12}, {0, 4, 10}, {0, 2, 18}, {1, 2, 10}},
                            "maintenance,20,30,4,,,\n");
    CHECK(run.run("easy").faults({"--promise", "easy"}).empty());
    CHECK(run.played().spans() == "0-5 30-40 0-18 5-15");
    CHECK(
        run.put("jobs.csv", ",5,10,15,", ",25,10,35,")
            .put("stretches.csv", "4,5,15,", "4,25,35,")
            .faults()
            .find("windows broken (L3, docs/model.md#l3) at t=25, job 4: it would run "
                  "into a window that keeps its processors") != std::string::npos);
    // Users of the window may start inside.
    auto users = with_windows({{0, 2, 30}, {10, 3, 10, 0, 7}, {0, 1, 40}},
                              "course,10,20,3,,7,\n");
    CHECK(users.run("easy").played().spans() == "20-50 10-20 0-40");
    CHECK(users.faults({"--promise", "easy"}).empty());
    // The first job outlives its walltime, and the window hits it at 10.
    auto hit = with_windows({{0, 2, 15, 8}, {9, 4, 5}, {9, 1, 1}},
                            "maintenance,10,20,4,,,hit\n");
    CHECK(hit.run("easy").played().spans() == "0-35 35-40 9-10");
    CHECK(hit.faults().empty());
    CHECK(hit.put("stretches.csv", "1,0,10,running,,1,0-1\n1,20,35,running,,1,0-1\n",
                  "1,0,15,running,,1,0-1\n")
              .put("jobs.csv", ",0,35,35,0,35,", ",0,15,15,0,15,")
              .faults()
              .find("at t=10: a job goes on beside a window that has begun and hits "
                    "jobs") != std::string::npos);
  }

  TEST_CASE("limits: a ninth running job, and who is not among the first that wait") {
    std::vector<TraceRow> rows(9, {0, 1, 10});
    JudgedRun run(
        rows, "[machine]\nprocessors = 16\n[limits.users.\"*\"]\nrunning_jobs = 8\n",
        "", "");
    CHECK(run.run("easy").faults({"--promise", "easy"}).empty());
    CHECK(run.played().spans(9) == "10-20");
    CHECK(
        run.put("jobs.csv", ",10,10,20,10,20,2,0,", ",5,10,15,5,15,1.5,8,").faults() ==
        "limits broken (L4, docs/model.md#l4) at t=5, job 9: it starts while a limit "
        "of running jobs bars it\n");
    JudgedRun first(
        {{0, 4, 10}, {1, 4, 10}, {2, 1, 5}},
        "[machine]\nprocessors = 4\n[limits.users.\"*\"]\nwaiting_jobs = 1\n", "", "");
    CHECK(first.run("first_fit").played().spans() == "0-10 10-20 20-25");
    CHECK(first.faults().empty());
    CHECK(first.put("jobs.csv", ",10,10,20,", ",15,10,25,")
              .put("jobs.csv", ",20,5,25,", ",10,5,15,")
              .faults() ==
          "limits broken (L4, docs/model.md#l4) at t=10, job 3: it starts though it is "
          "not among the first that wait\n");
  }

  TEST_CASE(
      "limits: where they stop the queue, the promise to its head is not judged") {
    JudgedRun run(std::vector<TraceRow>(3, {0, 1, 10}),
                  "[machine]\nprocessors = 4\n[limits]\nstop = true\n"
                  "[limits.users.\"*\"]\nrunning_jobs = 2\n",
                  "", "");
    CHECK(run.run("easy").faults().empty());
    const auto said = run.verify({"--promise", "easy"});
    CHECK(said.code == 2);
    CHECK(said.err.find("easy is not judged with limits.stop = true") !=
          std::string::npos);
  }

  TEST_CASE("estimates: promises go by those of the log, each of which is judged") {
    // Job 2 is promised 11 by them, and 30 by walltimes, by which job 3 ends at 41.
    PlayedScenario played({{0, 3, 10, 30}, {0, 4, 10}, {1, 1, 8, 40}},
                          "[machine]\nprocessors = 4\n"
                          "[workload]\ntrace = \"jobs.swf\"\n");
    const auto policy = played.folder().file(
        "p.lua",
        "return { promises = \"easy\",\n"
        "  estimate = function(job) return 8 + job.size end,\n"
        "  schedule = function(queue, cluster) cluster:backfill(queue) end }\n");
    const auto verify = [&] {
      return berth_says({"verify", played.scenario(), "--schedule",
                         played.out() + "/jobs.csv", "--promise", "easy"});
    };
    CHECK(played.run(policy).code == 0);
    CHECK(played.spans() == "0-10 10-20 1-9");
    CHECK(verify().out.find("easy at t=1, job 2: head of the queue, it could have "
                            "started at 30, now at 41\n") == 0);
    CHECK(played.run(policy, {"--log"}).code == 0);
    const auto said = verify();
    CHECK_MESSAGE(said.code == 0, said.out);
    // Job 2 has its walltime, which is below 12.
    CHECK(said.out.find("estimates  checked          4, broken 0") !=
          std::string::npos);
    const auto with = [&](const std::string& was, const std::string& is) {
      auto text = played.text("log.jsonl");
      const auto at = text.find(was);
      REQUIRE_MESSAGE(at != std::string::npos, text);
      text.replace(at, was.size(), is);
      std::ofstream(played.out() + "/log.jsonl", std::ios::binary) << text;
      const auto found = verify();
      text.replace(at, is.size(), was);
      std::ofstream(played.out() + "/log.jsonl", std::ios::binary) << text;
      return found;
    };
    const std::string line =
        "{\"at\":1,\"record\":\"estimate\",\"job\":3,\"seconds\":9}";
    const auto more = [&](const std::string& time, const std::string& seconds) {
      return fmt::format(
          "{{\"at\":{},\"record\":\"estimate\",\"job\":3,\"seconds\":{}}}", time,
          seconds);
    };
    CHECK(with(line, more("1", "41"))
              .out.find("estimates broken (L6, docs/model.md#l6) at t=1, job 3: its "
                        "estimate is not from 0 to its walltime\n") !=
          std::string::npos);
    CHECK(with(line, more("0.5", "9"))
              .out.find("at t=0.5, job 3: an estimate is told, and it does not enter "
                        "the queue then\n") != std::string::npos);
    const auto unknown = with("\"estimate\",\"job\":3", "\"estimate\",\"job\":7");
    CHECK(unknown.code == 3);
    CHECK(unknown.err.find("job: the workload has none of this number") !=
          std::string::npos);
  }

  TEST_CASE("dependencies: a child before its parent, and a wrong release") {
    const std::string scenario = "[machine]\nprocessors = 4\n";
    PlayedScenario chain({{0, 4, 10}, {0, 2, 5}, {2, 2, 4}, {0, 4, 6}},
                         scenario +
                             "[workload]\ntrace = \"jobs.swf\"\n"
                             "dependencies = \"links.csv\"\n");
    (void)chain.folder().file(
        "links.csv", "job_id,kind,parent,delay\n2,afterok,1,\n3,afterany,2,3\n");
    CHECK(chain.run("fcfs").code == 0);
    CHECK(chain.spans() == "0-10 16-21 24-28 10-16");
    const auto verify = [&](const std::string& was, const std::string& is) {
      auto text = chain.text("jobs.csv");
      const auto at = text.find(was);
      CHECK_MESSAGE(at != std::string::npos, text);
      text.replace(at, was.size(), is);
      const auto changed = chain.folder().file("changed.csv", text);
      const auto said = berth_says({"verify", chain.scenario(), "--schedule", changed});
      return said.out + said.err;
    };
    CHECK(verify("submission_time", "submission_time").find("every rule holds") !=
          std::string::npos);
    CHECK(verify(",24,4,28,", ",22,4,26,")
              .find("order at t=22, job 3: it starts before its submit time 24") !=
          std::string::npos);
    CHECK(verify("3,jobs.swf,,24,", "3,jobs.swf,,20,")
              .find("dependencies broken (L1, docs/model.md#l1) at t=20, job 3: it "
                    "comes in at another time than its release") != std::string::npos);
    CHECK(verify("submission_time", "came").find("has no submission_time of one") !=
          std::string::npos);
  }

  TEST_CASE("dependencies: fates run down a chain, and held jobs stay out") {
    // Job 1 fails; 2 waits for it to finish well, 4 for 2, 3 for its failure.
    const std::string links =
        "job_id,kind,parent,delay\n2,afterok,1,\n"
        "3,afternotok,1,\n4,afterok,2,\n";
    PlayedScenario fates({{0, 2, 5, 3}, {0, 1, 4}, {0, 1, 4}, {0, 1, 4}},
                         "[machine]\nprocessors = 4\noverrun = \"kill\"\n"
                         "[workload]\ntrace = \"jobs.swf\"\n"
                         "dependencies = \"links.csv\"\n");
    (void)fates.folder().file("links.csv", links);
    const auto faults = [&](const std::vector<std::string>& more,
                            const std::string& was = {}, const std::string& is = {}) {
      CHECK(fates.run("fcfs", more).code == 0);
      auto text = fates.text("jobs.csv");
      const auto at = text.find(was);
      CHECK_MESSAGE(at != std::string::npos, text);
      text.replace(at, was.size(), is);
      std::vector<std::string> args{"verify", fates.scenario(), "--schedule",
                                    fates.folder().file("changed.csv", text)};
      args.insert(args.end(), more.begin(), more.end());
      const auto said = berth_says(args);
      return said.out.substr(0, said.out.find(" checked ")) + said.err;
    };
    CHECK(faults({}).find("broken") == std::string::npos);
    CHECK(faults({"--set", "workload.never_satisfied=keep"}).find("broken") ==
          std::string::npos);
    // Job 4 runs, although its parent was rejected.
    CHECK(faults({}, "0,REJECTED,,,,,,,", "1,COMPLETED_SUCCESSFULLY,3,4,7,0,4,1,2")
              .find("it runs, although a link of it can never be satisfied") !=
          std::string::npos);
  }
}

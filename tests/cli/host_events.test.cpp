// Hosts that go down, from files and through the command line
// (docs/model.md#host-events).

#include <doctest/doctest.h>

#include <array>
#include <set>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr const char* kPool =
    "[machine]\nprocessors = 4\nevents = \"events.csv\"\n"
    "[workload]\ntrace = \"jobs.swf\"\n";

// "1 0-150 x2 50": first start and end, attempts, work lost, of each job by number.
std::string lives(PlayedScenario& played, const std::string& policy,
                  const std::vector<std::string>& more = {}) {
  const auto said = played.run(policy, more);
  CHECK_MESSAGE(said.code == 0, said.err);
  auto jobs = columns_of(played.text("jobs.csv"));
  std::map<std::size_t, std::string> by_id;
  for (std::size_t i = 0; i < jobs["job_id"].size(); ++i) {
    by_id[std::stoul(jobs["job_id"][i])] =
        fmt::format("{}-{} x{} {}", jobs["starting_time"][i], jobs["finish_time"][i],
                    jobs["attempts"][i], jobs["lost_work"][i]);
  }
  std::string all;
  for (const auto& [id, life] : by_id) all += (all.empty() ? "" : "; ") + life;
  return all;
}

std::string value_of(const PlayedScenario& played, const std::string& metric) {
  const auto text = played.text("summary.json");
  const auto at = text.find("\"" + metric + "\"");
  if (at == std::string::npos) return "none";
  const auto begin = text.find("\"value\":", at) + 8;
  return text.substr(begin, text.find_first_of(",}\n", begin) - begin);
}

// What a file of events is refused for, from its name on.
std::string fault_of(const std::string& rows, const std::string& machine = kPool) {
  PlayedScenario played({{0, 1, 1}}, machine);
  (void)played.folder().file("events.csv", rows);
  const auto said = played.run("fcfs");
  CHECK(said.code == 3);
  CHECK_FALSE(std::filesystem::exists(played.out()));
  const auto at = said.err.find("events.csv");
  return at == std::string::npos ? said.err
                                 : said.err.substr(at, said.err.find('\n') - at);
}

// Ten jobs of four widths on four processors that fail every two minutes or so.
const std::vector<TraceRow>& rows_to_hit() {
  static const std::vector<TraceRow> kRows{
      {0, 2, 100}, {0, 1, 40},  {10, 4, 20}, {20, 3, 60}, {30, 1, 90},
      {40, 2, 50}, {50, 4, 10}, {60, 1, 80}, {70, 2, 30}, {80, 3, 45}};
  return kRows;
}
constexpr const char* kDrawing =
    "seed = 3\n[machine]\nprocessors = 4\n"
    "[machine.failures]\nmtbf = 120\nrepair = 20\nshape = 0.7\n"
    "[workload]\ntrace = \"jobs.swf\"\n";

}  // namespace

TEST_SUITE("cli/host_events") {
  TEST_CASE("a failure: the job waits again, or fails") {
    PlayedScenario played({{0, 2, 100}, {0, 2, 30}, {0, 4, 10}}, kPool);
    (void)played.folder().file("events.csv",
                               "time,event,processors,until\n80,up,0,\n50,down,0,80\n");
    CHECK(lives(played, "easy", {"--log"}) == "0-150 x2 50; 0-30 x1 0; 150-160 x1 0");
    CHECK(value_of(played, "requeues") == " 1.0");
    CHECK(value_of(played, "lost_processor_seconds") == " 100.0");
    CHECK(value_of(played, "mean_queued_time") == " 50.0");
    CHECK(value_of(played, "excused_promises") == " 1.0");
    CHECK(value_of(played, "longest_excuse") == " 50.0");
    const auto log = played.text("log.jsonl");
    CHECK(log.find("{\"at\":50,\"record\":\"host\",\"host\":0,\"event\":\"down\","
                   "\"until\":80}\n") != std::string::npos);
    CHECK(log.find("{\"at\":50,\"record\":\"hit\",\"job\":1,\"attempt\":1,"
                   "\"outcome\":\"requeued\",\"lost\":50,\"returns\":50}\n") !=
          std::string::npos);
    CHECK(log.find("{\"at\":50,\"record\":\"capacity\",\"processors\":3}\n") !=
          std::string::npos);
    CHECK(lives(played, "easy", {"--set", "machine.on_failure=kill"}) ==
          "0-50 x1 50; 0-30 x1 0; 80-90 x1 0");
    CHECK(played.text("jobs.csv").find("COMPLETED_NODE_FAILED") != std::string::npos);
    CHECK(value_of(played, "failed_by_hosts") == " 1.0");
  }

  TEST_CASE("a job that resumes has the work of its last checkpoint") {
    PlayedScenario played(
        {{0, 2, 100}, {0, 2, 30}, {0, 4, 10}},
        std::string(kPool).insert(10,
                                  "on_failure = \"resume\"\ncheckpoint = 20\n"
                                  "checkpoint_cost = 2\nrestart_cost = 5\n"));
    (void)played.folder().file("events.csv",
                               "time,event,processors,until\n80,up,0,\n50,down,0,80\n");
    CHECK(lives(played, "easy", {"--log"}) == "0-119 x2 6; 0-32 x1 0; 119-129 x1 0");
    CHECK(columns_of(played.text("jobs.csv"))["overhead_time"] ==
          std::vector<std::string>{"2", "13", "0"});
    CHECK(value_of(played, "overhead_processor_seconds") == " 30.0");
    CHECK(played.text("log.jsonl")
              .find("\"outcome\":\"requeued\",\"lost\":6,\"returns\":50,\"saved\":40,"
                    "\"overhead\":4}\n") != std::string::npos);
    const auto policy = played.folder().file(
        "saved.lua",
        "return {\n"
        "  on_hit = function(job) print(\"hit\", job.saved, job.walltime_left) end,\n"
        "  schedule = function(queue, cluster) cluster:start_all(queue) end,\n"
        "}\n");
    const auto said = played.run(policy);
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK((said.out + said.err).find("hit\t40.0\t60.0") != std::string::npos);
  }

  TEST_CASE("a job that a window hits resumes, too") {
    PlayedScenario played({{0, 4, 13, 8}},
                          "[machine]\nprocessors = 4\nwindows = \"windows.csv\"\n"
                          "on_failure = \"resume\"\ncheckpoint = 5\n"
                          "checkpoint_cost = 2\nrestart_cost = 1\n"
                          "[workload]\ntrace = \"jobs.swf\"\n");
    (void)played.folder().file(
        "windows.csv", "name,from,to,processors,at_start\nrepair,10,20,4,hit\n");
    CHECK(lives(played, "easy") == "0-31 x2 3");
  }

  TEST_CASE("keys of checkpoints that mean nothing are refused where they stand") {
    CHECK(fault_of("time,event,processors,until\n",
                   "[machine]\nprocessors = 4\ncheckpoint = 20\n"
                   "[workload]\ntrace = \"jobs.swf\"\n")
              .find("case.toml:3:14: machine.checkpoint: it needs machine.on_failure = "
                    "\"resume\"") != std::string::npos);
    CHECK(
        fault_of("time,event,processors,until\n",
                 "[machine]\nprocessors = 4\nsharing = \"two_tier\"\n"
                 "on_failure = \"resume\"\n[workload]\ntrace = \"jobs.swf\"\n")
            .find(
                "jobs write no checkpoints on a machine with sharing = \"two_tier\"") !=
        std::string::npos);
    CHECK(fault_of("time,event,processors,until\n",
                   "[machine]\nprocessors = 4\ncheckpoint = 0\n"
                   "[workload]\ntrace = \"jobs.swf\"\n")
              .find("case.toml:3:14") != std::string::npos);
  }

  TEST_CASE("explain tells of a job that would fit if the hosts were up") {
    PlayedScenario played({{0, 2, 100}, {0, 2, 30}, {0, 4, 10}}, kPool);
    (void)played.folder().file("events.csv",
                               "time,event,processors,until\n80,up,0,\n50,down,0,80\n");
    CHECK(lives(played, "easy", {"--set", "machine.on_failure=kill"}) ==
          "0-50 x1 50; 0-30 x1 0; 80-90 x1 0");
    const auto said = berth_says({"explain", played.out(), "3"});
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(said.out.find("hosts are down: 4 asked, 3 idle [ReqNodeNotAvail]") !=
          std::string::npos);
  }

  TEST_CASE("a promise broken by a failure, and a late repair") {
    PlayedScenario broken({{0, 3, 20}, {1, 4, 10}, {2, 1, 15}}, kPool);
    (void)broken.folder().file("events.csv",
                               "time,event,processors,until\n10,down,3,60\n40,up,3,\n");
    CHECK(lives(broken, "easy") == "0-20 x1 0; 40-50 x1 0; 2-35 x2 8");
    CHECK(value_of(broken, "excused_promises") == " 1.0");
    CHECK(value_of(broken, "longest_excuse") == " 20.0");

    PlayedScenario late({{0, 2, 10}, {30, 1, 40}, {65, 1, 50}},
                        "[machine]\nprocessors = 2\nevents = \"events.csv\"\n"
                        "[workload]\ntrace = \"jobs.swf\"\n");
    (void)late.folder().file("events.csv",
                             "time,event,processors,until\n0,down,0,60\n200,up,0,\n");
    CHECK(lives(late, "easy") == "200-210 x1 0; 65-105 x1 0; 210-260 x1 0");
  }

  TEST_CASE("conservative and a loss, with every place of a job that returns") {
    PlayedScenario played({{0, 2, 20}, {0, 4, 10}, {1, 2, 10}, {2, 3, 5}}, kPool);
    (void)played.folder().file("events.csv",
                               "time,event,processors,until\n5,down,3,40\n40,up,3,\n");
    CHECK(lives(played, "conservative") ==
          "0-20 x1 0; 40-50 x1 0; 1-30 x2 4; 30-35 x1 0");
    CHECK(lives(played, "conservative", {"--set", "machine.requeue_priority=lose"}) ==
          "0-20 x1 0; 40-50 x1 0; 1-35 x2 4; 20-25 x1 0");
    CHECK(lives(played, "conservative", {"--set", "machine.requeue_delay=30"}) ==
          "0-20 x1 0; 40-50 x1 0; 1-60 x2 4; 20-25 x1 0");
    auto jobs = columns_of(played.text("jobs.csv"));
    for (std::size_t i = 0; i < jobs["job_id"].size(); ++i) {
      if (jobs["job_id"][i] != "3") continue;
      CHECK(jobs["last_start"][i] == "50");
      CHECK(jobs["queued_time"][i] == "15");
    }
  }

  TEST_CASE("a host that goes down takes all that runs on it") {
    PlayedScenario played({{0, 2, 20}, {0, 2, 20}, {1, 4, 5}},
                          "[machine]\nevents = \"events.csv\"\n"
                          "[machine.hosts.node]\ncount = 2\nprocessors = 2\n"
                          "[workload]\ntrace = \"jobs.swf\"\n");
    (void)played.folder().file("events.csv",
                               "time,event,hosts,until\n10,down,1,\n12,up,1,\n");
    CHECK(lives(played, "easy") == "0-20 x1 0; 0-32 x2 10; 32-37 x1 0");
  }

  TEST_CASE("a host that drains takes no job, and its own run on") {
    PlayedScenario played({{0, 2, 20}, {1, 2, 15}, {6, 2, 5}, {7, 4, 10}, {8, 1, 40}},
                          "[machine]\nevents = \"events.csv\"\n"
                          "[machine.hosts.node]\ncount = 2\nprocessors = 2\n"
                          "[workload]\ntrace = \"jobs.swf\"\n");
    (void)played.folder().file("events.csv",
                               "time,event,hosts,until\n5,drain,1,50\n50,up,1,\n");
    for (const auto* policy : {"fcfs", "easy", "conservative"}) {
      CAPTURE(policy);
      CHECK(lives(played, policy) ==
            "0-20 x1 0; 1-16 x1 0; 20-25 x1 0; 50-60 x1 0; "
            "60-100 x1 0");
    }
    CHECK(value_of(played, "utilisation") == " 0.4819277108433735");
    const auto machine = played.text("machine.csv");
    CHECK(machine.find("down,5,50,,,2-3,2") != std::string::npos);
  }

  TEST_CASE("a policy sees which hosts drain, and when they are expected back") {
    PlayedScenario played({{0, 1, 20}, {30, 1, 5}},
                          "[machine]\nevents = \"events.csv\"\n"
                          "[machine.hosts.node]\ncount = 2\nprocessors = 2\n"
                          "[workload]\ntrace = \"jobs.swf\"\n");
    (void)played.folder().file("events.csv",
                               "time,event,hosts,until\n5,drain,0,25\n35,up,0,\n");
    const auto policy = played.folder().file(
        "seeing.lua",
        "return {\n"
        "  on_host = function(host, up) print(\"host\", host, up) end,\n"
        "  schedule = function(queue, cluster)\n"
        "    print(cluster:now(), cluster:capacity(), cluster.hosts:state(0),\n"
        "          cluster.hosts:back_at(0), cluster.hosts:idle(0))\n"
        "    cluster:start_all(queue)\n"
        "  end,\n"
        "}\n");
    const auto said = played.run(policy);
    CHECK_MESSAGE(said.code == 0, said.err);
    const auto all = said.out + said.err;
    for (const auto* line : {"0.0\t4\tup\tnil\t2", "host\t0\tfalse",
                             "5.0\t2\tdrain\t25.0\t0", "20.0\t2\tdrain\t25.0\t0",
                             "30.0\t2\tdrain\t85.0\t0", "35.0\t4\tup\tnil\t2"}) {
      CAPTURE(line);
      CHECK_MESSAGE(all.find(line) != std::string::npos, all);
    }
  }

  TEST_CASE("what a policy sees: capacity, hosts, attempts, and two hooks") {
    PlayedScenario played({{0, 2, 20}, {0, 2, 20}},
                          "[machine]\nevents = \"events.csv\"\n"
                          "[machine.hosts.node]\ncount = 2\nprocessors = 2\n"
                          "[workload]\ntrace = \"jobs.swf\"\n");
    (void)played.folder().file("events.csv",
                               "time,event,hosts,until\n10,down,1,40\n12,up,1,\n");
    const auto policy = played.folder().file(
        "seeing.lua",
        "return {\n"
        "  on_host = function(host, up, cluster)\n"
        "    print(cluster:now(), host, up, cluster:capacity(), cluster:used(),\n"
        "          cluster.hosts:state(host), cluster.hosts:back_at(host))\n"
        "  end,\n"
        "  on_hit = function(job) print(\"hit\", job.id, job.state, job.attempt) end,\n"
        "  schedule = function(queue, cluster)\n"
        "    if cluster:happened(\"host\") then print(\"pass\", cluster:now()) end\n"
        "    cluster:start_all(queue)\n"
        "  end,\n"
        "}\n");
    const auto said = played.run(policy);
    CHECK_MESSAGE(said.code == 0, said.err);
    const auto all = said.out + said.err;
    for (const auto* line :
         {"10.0\t1\tfalse\t2\t2\tdown\t40.0", "hit\t2\twaiting\t1", "pass\t10.0",
          "12.0\t1\ttrue\t4\t2\tup\tnil", "pass\t12.0"}) {
      CAPTURE(line);
      CHECK(all.find(line) != std::string::npos);
    }
  }

  TEST_CASE("a file that is wrong is refused by line and column") {
    const std::string head = "time,event,processors,until\n";
    CHECK(fault_of(head + "5,breaks,0,\n") ==
          "events.csv:2:3: event: 'breaks' is no event of a host: down, drain or up");
    CHECK(fault_of(head + "5,down,0,9\n7,drain,0,9\n") ==
          "events.csv:3:3: processor 0 is not up to drain at 7 s");
    CHECK(fault_of(head + "5,drain,0,9\n5,drain,0,9\n") ==
          "events.csv:3:3: processor 0 is not up to drain at 5 s");
    CHECK(fault_of(head + "5,down,4,\n") ==
          "events.csv:2:8: processors: 4 is not there: the machine has processors from "
          "0 to 3");
    CHECK(fault_of(head + "5,down,3-1,\n") ==
          "events.csv:2:8: processors: '3-1' is no range of processors");
    CHECK(fault_of(head + "5,down,,\n") == "events.csv:2:8: processors: it names none");
    CHECK(fault_of(head + "-5,down,1,\n") ==
          "events.csv:2:1: time: a time is from 0 to 100000000000 s");
    CHECK(fault_of(head + "soon,down,1,\n") ==
          "events.csv:2:1: time: 'soon' is not a time");
    CHECK(fault_of(head + "5,down,1,5\n") ==
          "events.csv:2:10: until: it is not later than the time of the row");
    CHECK(fault_of(head + "5,down,1,9\n7,down,0-1,9\n") ==
          "events.csv:3:3: processor 1 is down already at 7 s");
    CHECK(fault_of(head + "5,up,1,\n") ==
          "events.csv:2:3: processor 1 is up already at 5 s");
    CHECK(fault_of("time,event,hosts,until\n5,down,1,9\n").find("hosts") !=
          std::string::npos);
  }

  TEST_CASE("a run keeps the failures that it drew, and with these it is the same") {
    PlayedScenario played(rows_to_hit(), kDrawing);
    const auto drawn = lives(played, "easy");
    CHECK(value_of(played, "requeues") != " 0.0");
    const auto jobs = played.text("jobs.csv");
    const auto events = played.text("host_events.csv");
    CHECK(events.starts_with("time,event,processors,until\n"));
    (void)played.folder().file("kept.csv", events);
    const auto listed =
        played.folder().file("listed.toml",
                             "[machine]\nprocessors = 4\nevents = \"kept.csv\"\n"
                             "[workload]\ntrace = \"jobs.swf\"\n");
    const auto out = (played.folder().path() / "listed").string();
    const auto said = berth_says({"run", listed, "--policy", "easy", "--out", out});
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(text_of_file(std::filesystem::path(out) / "jobs.csv") == jobs);
    CHECK_FALSE(
        std::filesystem::exists(std::filesystem::path(out) / "host_events.csv"));
  }

  TEST_CASE("drawn failures are the same under every policy, and others by the seed") {
    PlayedScenario played(rows_to_hit(), kDrawing);
    const auto events = [&](const std::string& policy, const std::string& seed) {
      (void)lives(played, policy, {"--seed", seed});
      return played.text("host_events.csv");
    };
    auto easy = events("easy", "1");
    auto fcfs = events("fcfs", "1");
    if (easy.size() > fcfs.size()) std::swap(easy, fcfs);
    CHECK(fcfs.starts_with(easy));
    CHECK_FALSE(events("fcfs", "2").starts_with(easy));
  }

  TEST_CASE("verify and explain know the failures that a run drew") {
    PlayedScenario played(rows_to_hit(), kDrawing);
    (void)lives(played, "easy");
    const auto verify = [&](const std::vector<std::string>& more) {
      std::vector<std::string> args{"verify", played.scenario(), "--schedule",
                                    played.out() + "/jobs.csv"};
      args.insert(args.end(), more.begin(), more.end());
      return berth_says(args);
    };
    const auto right = verify({"--promise", "easy"});
    CHECK_MESSAGE(right.code == 0, right.out);
    CHECK(right.out.find("hosts up") != std::string::npos);
    const auto explained = berth_says({"explain", played.out(), "4"});
    CHECK_MESSAGE(explained.code == 0, explained.err);
    const auto events = played.text("host_events.csv");
    // With other events jobs go on over the loss of what they hold.
    const auto other = played.folder().file(
        "other.csv", "time,event,processors,until\n15,down,0-3,20\n16,up,0-3,\n");
    CHECK(verify({"--set", "machine.events=" + other}).code == 1);
    std::filesystem::remove(std::filesystem::path(played.out()) / "host_events.csv");
    const auto missing = verify({});
    CHECK(missing.code == 2);
    CHECK(missing.err.find("no host_events.csv stands beside the schedule") !=
          std::string::npos);
  }

  TEST_CASE("a sweep over the time between failures compares policies") {
    PlayedScenario played(rows_to_hit(),
                          std::string(kDrawing) +
                              "[run]\npolicies = [\"fcfs\", \"easy\"]\n"
                              "metrics = [\"mean_response\", \"availability\"]\n"
                              "[sweep]\n\"machine.failures.mtbf\" = [100, 1000]\n"
                              "seed = [1, 2, 3]\n");
    const auto out = (played.folder().path() / "swept").string();
    const auto said = berth_says({"sweep", played.scenario(), "--out", out});
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(said.out.find("availability") != std::string::npos);
    CHECK(said.out.find("3 seeds, failures drawn") != std::string::npos);
    CHECK((said.out + said.err).find("a seed changes nothing") == std::string::npos);
  }

  TEST_CASE("hosts of a group fail by keys of their own, or by those of all") {
    PlayedScenario played(
        {{0, 2, 500}, {0, 2, 500}},
        "[machine.hosts.old]\ncount = 2\nprocessors = 2\n"
        "[machine.hosts.new]\ncount = 2\nprocessors = 1\n"
        "[machine.hosts.old.failures]\nmtbf = 50\nrepair = 5\nunit = 2\n"
        "[workload]\ntrace = \"jobs.swf\"\n");
    const auto hosts = [&](const std::vector<std::string>& more) {
      (void)lives(played, "fcfs", more);
      CHECK(played.text("host_events.csv").starts_with("time,event,hosts,until\n"));
      const auto all = columns_of(played.text("host_events.csv"))["hosts"];
      return std::set<std::string>(all.begin(), all.end());
    };
    CHECK(hosts({"--set", "machine.max_attempts=3"}) ==
          std::set<std::string>{"0", "1"});
    CHECK(hosts({"--set", "machine.max_attempts=3", "--set",
                 "machine.failures.mtbf=20"}) ==
          std::set<std::string>{"0", "1", "2", "3"});
  }

  TEST_CASE("keys of failures that are wrong are refused where they stand") {
    const auto fault = [](const std::string& machine) {
      return fault_of("time,event,processors,until\n",
                      machine + "[workload]\ntrace = \"jobs.swf\"\n");
    };
    const auto has = [](const std::string& text, const std::string& part) {
      CAPTURE(text);
      CHECK(text.find(part) != std::string::npos);
    };
    const std::string pool = "[machine]\nprocessors = 4\n";
    has(fault(pool + "events = \"events.csv\"\n[machine.failures]\nmtbf = 9\n"),
        "case.toml:3:10: machine.events: machine.failures draws when hosts go down; "
        "leave one of the two out");
    has(fault(pool + "[machine.failures]\nrepair = 9\n"),
        "case.toml:4:10: machine.failures.repair: it needs machine.failures.mtbf");
    for (const auto* key : {"mtbf", "repair", "shape", "repair_shape", "unit"}) {
      has(fault(pool + "[machine.failures]\n" + key + " = 0\n"), "case.toml:4:");
    }
    has(fault(pool + "[machine.hosts.gpu.failures]\nmtbf = 9\n"),
        "case.toml:4:8: machine.hosts.gpu.failures.mtbf: the machine has no hosts "
        "called "
        "'gpu'");
    has(fault(pool + "sharing = \"two_tier\"\n[machine.failures]\nmtbf = 9\n"),
        "machine.failures.mtbf: hosts do not go down on a machine with sharing = "
        "\"two_tier\"");
    has(fault(pool + "[machine.failures]\nmtbf = 9\n[run]\nexpectations = true\n"),
        "run.expectations, which needs a machine that is always up");
  }

  TEST_CASE("hosts go down on exclusive machines alone") {
    for (const auto* sharing : {"two_tier", "fractional", "slots"}) {
      CAPTURE(sharing);
      const auto fault =
          fault_of("time,event,processors,until\n5,down,1,9\n",
                   fmt::format("[machine]\nprocessors = 4\nevents = \"events.csv\"\n"
                               "sharing = \"{}\"\n[workload]\ntrace = \"jobs.swf\"\n",
                               sharing));
      CHECK(fault.find("machine.events") != std::string::npos);
      CHECK(fault.find(sharing) != std::string::npos);
    }
  }
}

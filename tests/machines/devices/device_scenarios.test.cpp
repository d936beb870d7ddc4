// Machines with devices through scenario files of the command line.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr const char* kOneHost =
    "[machine]\nsharing = \"devices\"\n"
    "[machine.hosts.a]\ncount = 1\ncpu = 16\nmemory = 64\n"
    "devices = { type = \"T4\", count = 4 }\n"
    "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n";

constexpr const char* kNeeds =
    "job_id,cpu,gpus,share\n1,1,1,600\n2,1,1,600\n3,1,1,600\n4,1,1,600\n5,1,1,\n"
    "6,1,1,300\n7,1,1,300\n8,1,,300\n";

const std::vector<TraceRow>& eight_jobs() {
  static const std::vector<TraceRow> kJobs{{0, 1, 12}, {0, 1, 8}, {0, 1, 20},
                                           {0, 1, 30}, {1, 1, 5}, {2, 1, 50},
                                           {2, 1, 50}, {3, 1, 5}};
  return kJobs;
}

// The cells of a column of the last run, by job.
std::string by_job(const PlayedScenario& played, const std::string& column) {
  auto jobs = columns_of(played.text("jobs.csv"));
  std::map<int, std::string> cells;
  for (std::size_t i = 0; i < jobs["job_id"].size(); ++i) {
    cells[std::stoi(jobs["job_id"][i])] = jobs[column][i];
  }
  std::string text;
  for (const auto& [id, cell] : cells) text += cell + ", ";
  return text;
}

// What is said of a scenario with this machine and these needs of one job.
std::string refused(const std::string& machine, const std::string& needs) {
  PlayedScenario played({{0, 1, 10}}, machine, needs);
  const auto said = played.run("fcfs");
  CHECK(said.code == 3);
  return said.err;
}

}  // namespace

TEST_SUITE("machines/devices/device_scenarios") {
  TEST_CASE("a whole device waits for its parts, under the plans of each policy") {
    PlayedScenario played(eight_jobs(), kOneHost, kNeeds);
    const auto devices = [&](const std::string& policy) {
      const auto said = played.run(policy);
      CHECK_MESSAGE(said.code == 0, said.err);
      auto jobs = columns_of(played.text("jobs.csv"));
      std::map<std::string, std::string> of;
      for (std::size_t i = 0; i < jobs["job_id"].size(); ++i) {
        of[jobs["job_id"][i]] = jobs["devices"][i];
      }
      CHECK(jobs["gpu_type"].front() == "T4");
      return of["5"] + " " + of["6"] + " " + of["7"] + " " + of["8"];
    };
    CHECK(devices("fcfs") == "0:1 0:0*300 0:2*300 0:3*300");
    CHECK(devices("easy") == "0:1 0:0*300 0:2*300 0:1*300");
    CHECK(devices("conservative") == "0:1 0:0*300 0:2*300 0:1*300");
    CHECK(played.spans() == "0-12 0-8 0-20 0-30 8-13 2-52 2-52 3-8");
  }

  TEST_CASE("with the parts of all devices pooled the same jobs start too early") {
    PlayedScenario pool(eight_jobs(),
                        "[machine.hosts.a]\ncount = 1\nprocessors = 16\n"
                        "resources = { gpu = 4000 }\n"
                        "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n",
                        "job_id,gpu\n1,600\n2,600\n3,600\n4,600\n5,1000\n6,300\n"
                        "7,300\n8,300\n");
    for (const auto* policy : {"fcfs", "first_fit", "easy", "conservative"}) {
      CAPTURE(policy);
      CHECK(pool.run(policy).code == 0);
      CHECK(pool.spans(5) == "1-6 2-52 2-52 6-11");
    }
  }

  TEST_CASE("a schedule is verified by its column of devices") {
    PlayedScenario played(eight_jobs(), kOneHost, kNeeds);
    CHECK(played.run("conservative").code == 0);
    const auto said = berth_says(
        {"verify", played.scenario(), "--schedule", played.out() + "/jobs.csv"});
    CHECK_MESSAGE(said.code == 0, said.err);
  }

  TEST_CASE("what is wrong with needs and hosts is told by its place") {
    const auto needs = [](const std::string& row) {
      return refused(kOneHost, "job_id,cpu,gpus,share,types\n" + row + "\n");
    };
    CHECK(needs("1,1,2,500,")
              .find("needs.csv:2:7: job 1: a share of 500 parts is of one device, and "
                    "gpus is 2") != std::string::npos);
    CHECK(needs("1,1,1,1001,").find("a share of 1001 parts, and a device has 1000") !=
          std::string::npos);
    CHECK(needs("1,1,1,0,").find("a share of less than one part") != std::string::npos);
    CHECK(needs("1,1,1.5,,").find("1.5 is not a whole number") != std::string::npos);
    CHECK(needs("1,1,1,,T4||A100").find("is no list of types such as V100|T4") !=
          std::string::npos);
    CHECK(
        refused("[machine]\nsharing = \"devices\"\n[workload]\ntrace = \"jobs.swf\"\n",
                "")
            .find("needs hosts: write [machine.hosts.NAME] or hosts_file") !=
        std::string::npos);
    CHECK(
        refused("[machine]\nsharing = \"devices\"\n[machine.hosts.a]\ncount = 1\n"
                "processors = 4\n[workload]\ntrace = \"jobs.swf\"\n",
                "")
            .find("machine.hosts.a.processors: hosts under sharing = \"devices\" have "
                  "none; leave it out") != std::string::npos);
    const auto pooled = [](const std::string& line) {
      return refused("[machine.hosts.a]\ncount = 1\nprocessors = 4\n" + line +
                         "\n[workload]\ntrace = \"jobs.swf\"\n",
                     "");
    };
    const std::string sharing =
        ": cores and devices of hosts are for machine.sharing = \"devices\", and it is "
        "\"exclusive\"";
    CHECK(pooled("cpu = 2").find("machine.hosts.a.cpu" + sharing) != std::string::npos);
    CHECK(pooled("devices = { type = \"T4\", count = 2 }")
              .find("machine.hosts.a.devices" + sharing) != std::string::npos);
  }

  TEST_CASE("a job that no host can hold is rejected, and the kind is named") {
    PlayedScenario played({{0, 1, 10}, {0, 1, 10}, {0, 1, 10}}, kOneHost,
                          "job_id,cpu,gpus,types\n1,1,5,\n2,1,1,V100\n3,17,1,\n");
    const auto said = played.run("fcfs");
    CHECK(said.code == 0);
    CHECK(
        said.err.find("3 jobs do not fit the empty machine, so they are rejected, for "
                      "want of: cpu 1, gpu 1, type 1") != std::string::npos);
  }

  TEST_CASE("four devices hold 70 per cent of what a pool of their parts holds 85 of") {
    const std::string needs =
        "job_id,gpus,share\n1,1,600\n2,1,600\n3,1,\n4,1,600\n5,1,600\n";
    PlayedScenario devices(
        {{1, 1, 9}, {2, 1, 9}, {3, 1, 9}, {4, 1, 9}, {5, 1, 9}},
        "[machine]\nsharing = \"devices\"\n[machine.hosts.a]\ncount = 1\n"
        "cpu = 8\ndevices = { type = \"T4\", count = 4 }\n"
        "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n",
        needs);
    CHECK(devices.run("gpu_best_fit:when_full=reject").code == 0);
    CHECK(by_job(devices, "devices") == "0:0*600, 0:1*600, 0:2, 0:3*600, , ");
    CHECK(by_job(devices, "starting_time") == "1, 2, 3, 4, , ");
    // From 5 to 6 the fifth has been turned away, and of 4000 parts 1200 are idle, 400
    // of each of three devices, which no task can use.
    auto timeline = columns_of(devices.text("timeline.csv"));
    REQUIRE(timeline["from"].at(4) == "5");
    CHECK(timeline["gpu_arrived_mean"].at(4) == "85");
    CHECK(timeline["gpu_allocated_mean"].at(4) == "70");
    CHECK(timeline["gpu_allocated_max"].at(4) == "70");
    CHECK(timeline["gpu_fragmentation_mean"].at(4) == "30");
    CHECK(timeline["devices_in_use_mean"].at(4) == "100");
    CHECK(timeline["gpu_allocated.T4_mean"].at(4) == "70");
    CHECK(timeline["gpu_allocated_mean"].front() == "15");
    PlayedScenario pool({{1, 1, 9}, {2, 1, 9}, {3, 1, 9}, {4, 1, 9}, {5, 1, 9}},
                        "[machine.hosts.a]\ncount = 1\nprocessors = 8\n"
                        "resources = { gpu = 4000 }\n"
                        "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n",
                        "job_id,gpu\n1,600\n2,600\n3,1000\n4,600\n5,600\n");
    CHECK(pool.run("fcfs").code == 0);
    CHECK(pool.spans() == "1-10 2-11 3-12 4-13 5-14");
  }

  TEST_CASE("explain names the reason in words") {
    const std::string machine =
        "[machine]\nsharing = \"devices\"\n"
        "[machine.hosts.a]\ncount = 1\ncpu = 8\ndevices = { type = \"T4\", count = 2 "
        "}\n"
        "[machine.hosts.b]\ncount = 1\ncpu = 8\n"
        "devices = { type = \"V100\", count = 1 }\n"
        "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n";
    PlayedScenario played({{0, 1, 10}, {0, 1, 10}, {0, 1, 10}, {1, 1, 5}, {1, 1, 5}},
                          machine,
                          "job_id,cpu,gpus,share,types\n1,1,1,600,T4\n2,1,1,700,T4\n"
                          "3,1,1,500,V100\n4,1,1,450,\n5,1,1,,T4\n");
    const auto why = [&](const std::string& job) {
      const auto said =
          berth_says({"explain", played.scenario(), "--policy", "first_fit", job});
      CHECK_MESSAGE(said.code == 0, said.err);
      return said.out;
    };
    CHECK(played.run("first_fit").code == 0);
    CHECK(played.spans() == "0-10 0-10 0-10 1-6 10-15");
    const auto five = why("5");
    CAPTURE(five);
    CHECK(five.find("no room: gpu asked 1000, idle 750") != std::string::npos);
    CHECK(five.find("no device: gpu asked 1000, idle 0") != std::string::npos);
  }

  TEST_CASE("a folder to start from runs, and its cases hold, as it was written") {
    const test::ScratchFolder scratch;
    const auto folder = scratch.path() / "cluster";
    const auto made = berth_says({"init", "gpu", folder.string()});
    CHECK_MESSAGE(made.code == 0, made.err);
    CHECK(made.out.starts_with((folder / "gpu.toml").string() + "\n"));
    CHECK((made.err).find("berth run " + (folder / "gpu.toml").string()) !=
          std::string::npos);
    const auto run = berth_says({"run", (folder / "gpu.toml").string()});
    CHECK_MESSAGE(run.code == 0, run.err);
    for (const auto* policy : {"fcfs", "easy", "gpu_best_fit", "fgd", "mine"}) {
      CAPTURE(policy);
      CHECK((run.out).find(std::string(policy) + " ") != std::string::npos);
    }
    const auto checked = berth_says({"check", (folder / "mine.lua").string()});
    CHECK_MESSAGE(checked.code == 0, checked.err);
    CHECK((checked.err + checked.out).find("2 of 2 cases come out as wanted") !=
          std::string::npos);
    const auto again = berth_says({"init", "gpu", folder.string()});
    CHECK(again.code == 2);
    CHECK((again.err).find("gpu.toml: already exists") != std::string::npos);
  }
}

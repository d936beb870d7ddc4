// What is wrong with scenarios, hosts and needs of machines with devices, and what is
// odd and still works; through the command line.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr const char* kWorkload =
    "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n";
constexpr const char* kPlainNeeds = "job_id,gpus\n1,1\n";

// A host of 8 cores with these devices.
std::string one_host(const std::string& devices, const std::string& more = {}) {
  return "[machine]\nsharing = \"devices\"\n" + more +
         "[machine.hosts.a]\ncount = 1\ncpu = 8\ndevices = " + devices + "\n" +
         kWorkload;
}
constexpr const char* kFour = "{ type = \"T4\", count = 4 }";

// hosts.csv of this text.
std::string from_hosts_file(const std::string& more = {}) {
  return "[machine]\nsharing = \"devices\"\nhosts_file = \"hosts.csv\"\n" + more +
         kWorkload;
}

class OddInput {
 public:
  OddInput(const std::string& scenario, const std::string& needs,
           const std::string& hosts = {})
      : played_({{0, 1, 10}}, scenario, needs) {
    if (!hosts.empty()) (void)played_.folder().file("hosts.csv", hosts);
    said_ = played_.run("fcfs");
  }
  // It is refused with these words.
  void refused(const std::string& what) const {
    CHECK(said_.code == 3);
    CAPTURE(said_.err);
    CHECK_MESSAGE(said_.err.find(what) != std::string::npos, what);
    CHECK_FALSE(std::filesystem::exists(played_.out()));  // nothing is written
  }
  // It runs and warns with these words.
  void warned(const std::string& what) const {
    CHECK(said_.code == 0);
    CAPTURE(said_.err);
    CHECK_MESSAGE(said_.err.find(what) != std::string::npos, what);
  }
  // A policy with these lines ends the run, and says this.
  void fails(const std::string& lines, const std::string& what) {
    const auto policy = played_.folder().file(
        "own.lua",
        "return { schedule = function(queue, cluster)\nlocal job = queue:head()\n" +
            lines + "\nend }\n");
    const auto said = played_.run(policy);
    CHECK(said.code == 4);
    CAPTURE(said.err);
    CHECK_MESSAGE(said.err.find("own.lua:3: " + what) != std::string::npos, what);
  }
  [[nodiscard]] std::string devices() const {
    CHECK_MESSAGE(said_.code == 0, said_.err);
    return columns_of(played_.text("jobs.csv"))["devices"].at(0);
  }

 private:
  PlayedScenario played_;
  Said said_;
};

}  // namespace

TEST_SUITE("machines/devices/device_bad_input") {
  TEST_CASE("devices of a group are within their ranges") {
    OddInput(one_host("{ type = \"T4\", count = 0 }"), kPlainNeeds)
        .refused("case.toml:6:34: machine.hosts.a.devices.count: 0 is below 1");
    OddInput(one_host("{ type = \"T4\", count = 1, parts = 0 }"), kPlainNeeds)
        .refused("machine.hosts.a.devices.parts: 0 is below 1");
    OddInput(one_host("{ type = \"T4\", count = 1, parts = 1000001 }"), kPlainNeeds)
        .refused("machine.hosts.a.devices.parts: 1000001 is above 1000000");
    OddInput(one_host("{ type = \"T4\", count = 1, slices = [] }"), kPlainNeeds)
        .refused("machine.hosts.a.devices.slices: there is no size in the list");
    OddInput(one_host("{ type = \"T4\", count = 1, slices = [500, 250] }"), kPlainNeeds)
        .refused("machine.hosts.a.devices.slices: 250 in 500,250 does not rise");
    OddInput(one_host("{ count = 1 }"), kPlainNeeds)
        .refused(
            "machine.hosts.a.devices: of which type are they? add type = \"NAME\"");
    OddInput(one_host("{ type = \"T4\" }"), kPlainNeeds)
        .refused("machine.hosts.a.devices: how many has each host? add count");
  }

  TEST_CASE("the settings of fragmentation are within their ranges") {
    OddInput(one_host(kFour, "fragmentation_cover = 0.0\n"), kPlainNeeds)
        .refused("machine.fragmentation_cover: 0 is not above 0");
    OddInput(one_host(kFour, "fragmentation_cover = 100.5\n"), kPlainNeeds)
        .refused("machine.fragmentation_cover: 100.5 is above 100");
    OddInput(one_host(kFour), "job_id,cpu\n1,1\n")
        .warned("no task with a GPU need: fragmentation is all idle parts");
  }

  TEST_CASE("a file of hosts that cannot be read is refused by its place") {
    OddInput(from_hosts_file(), kPlainNeeds, "cpu,devices,type\n")
        .refused("hosts.csv:1:1: there is no host; write a line for each");
    OddInput(from_hosts_file("hosts_columns = { devices = \"gpus\" }\n"), kPlainNeeds,
             "cpu,gpu,type\n8,1,T4\n")
        .refused(
            "hosts.csv:1:1: column gpus is missing; the first line must name cpu, "
            "gpus; it "
            "has 'gpu'");
    OddInput(
        "[machine]\nsharing = \"devices\"\nhosts_file = \"hosts.csv\"\n"
        "[machine.hosts.a]\ncount = 1\ncpu = 8\n" +
            std::string(kWorkload),
        kPlainNeeds, "cpu,devices,type\n8,1,T4\n")
        .refused(
            "machine.hosts_file: [machine.hosts] gives hosts, too; leave one of the "
            "two out");
  }

  TEST_CASE("marks of order, quotes and types without devices are no mistakes") {
    CHECK(
        OddInput(from_hosts_file(), kPlainNeeds,
                 "\xEF\xBB\xBF\"name\",cpu,devices,type\r\n\"a, the first\",8,0,T4\r\n"
                 "\"b \"\"x\"\"\",8,2,T4\r\n")
            .devices() == "1:0");
  }

  TEST_CASE("devices and shares that no job can have are refused by job and place") {
    const auto refused = [&](const std::string& row, const std::string& what) {
      OddInput(one_host(kFour), "job_id,gpus,share,types\n" + row + "\n").refused(what);
    };
    refused(
        "1,2,500,",
        "needs.csv:2:5: job 1: a share of 500 parts is of one device, and gpus is 2");
    refused("1,1,1001,",
            "needs.csv:2:5: job 1: a share of 1001 parts, and a device has 1000");
    refused("1,1,0,", "needs.csv:2:5: job 1: a share of less than one part");
    refused("1,1,0.5,", "needs.csv:2:5: share: 0.5 is not a whole number");
    refused("1,-1,,", "needs.csv:2:3: gpus: -1 is below 0");
    refused("1,1.5,,", "needs.csv:2:3: gpus: 1.5 is not a whole number");
    refused("1,0,100,", "needs.csv:2:5: job 1: a share of no device; gpus is 0");
    refused("1,1,,T4 V100",
            "needs.csv:2:6: types: 'T4 V100' is no list of types such as V100|T4");
    refused("1,1,,A||B", "needs.csv:2:6: types: 'A||B' is no list of types such as");
    OddInput(one_host("{ type = \"T4\", count = 1, parts = 1 }"),
             "job_id,gpus,share\n1,1,500\n")
        .refused(
            "job 1: a share of 500 parts, and a device has 1, which no job can share");
  }

  TEST_CASE("types that no host has are told with the nearest, a line each") {
    OddInput(one_host("{ type = \"V100\", count = 4 }"), "job_id,gpus,types\n1,1,V10\n")
        .warned(
            "1 job names the type V10, which no host has (did you mean 'V100'?); "
            "there are V100");
    std::string names = "T0";
    for (int i = 1; i < 1000; ++i) names += fmt::format("|T{}", i);
    OddInput(one_host(kFour), "job_id,gpus,types\n1,1," + names + "\n")
        .warned("jobs name 989 more types that no host has");
  }

  TEST_CASE("wrong calls of a policy end the run by script, call, job and host") {
    OddInput shares(one_host(kFour), "job_id,gpus,share\n1,1,500\n");
    shares.fails("cluster.hosts:choose(job, { weight = function() return 1, 9 end })",
                 "choose: job 1: there is no device 9 on host 0");
    shares.fails("cluster.hosts:choose(job, { weight = function() return 0 / 0 end })",
                 "choose: job 1: the weight must be a finite number, got");
    shares.fails(
        "cluster.hosts:choose(job, { weight = function() cluster:start(job) "
        "end })",
        "start: not allowed in an order's key or a function passed in");
    OddInput whole(one_host(kFour), kPlainNeeds);
    whole.fails(
        "cluster.hosts:place(job, 0, 2)",
        "place: job 1: device 2 of host 0 is named, and the job needs no share: "
        "a device is named for a share alone");
    OddInput without(
        "[machine.hosts.a]\ncount = 1\nprocessors = 4\n[workload]\ntrace = "
        "\"jobs.swf\"\n",
        {});
    without.fails("cluster.hosts:devices(0)", "this machine has no devices");
    without.fails("cluster.hosts:fragmentation()", "this machine has no devices");
    OddInput pool("[machine]\nprocessors = 4\n[workload]\ntrace = \"jobs.swf\"\n", {});
    pool.fails("cluster.hosts:type(0)", "this machine has no hosts");
  }

  TEST_CASE(
      "a fill of less than the trace takes tasks out, and one of ten draws more") {
    // Four devices, and a trace that asks for three of them.
    const auto jobs = [](const std::string& fill) {
      PlayedScenario played(
          {},
          "[machine]\nsharing = \"devices\"\n[machine.hosts.a]\ncount = "
          "1\ncpu = 80\ndevices = { type = \"T4\", count = 4 }\n"
          "[workload]\ntrace = \"tasks.csv\"\narrivals = \"fill\"\n"
          "departures = false\nfill = " +
              fill + "\n");
      (void)played.folder().file("tasks.csv", "cpu,gpus\n1,1\n1,1\n1,1\n");
      const auto said = played.run("gpu_best_fit");
      CHECK_MESSAGE(said.code == 0, said.err);
      return columns_of(played.text("jobs.csv"))["job_id"].size();
    };
    CHECK(jobs("0.5") == 2);
    CHECK(jobs("10") == 40);
  }

  TEST_CASE("a job of a million chunks is counted") {
    CHECK(OddInput(one_host(kFour), "job_id,chunks,gpus\n1,4,1\n").devices() ==
          "0:0 0:1 0:2 0:3");
    OddInput(one_host(kFour), "job_id,chunks,gpus\n1,1000000,1\n")
        .warned(
            "1 job does not fit the empty machine, so it is rejected, for want of: "
            "gpu 1");
    OddInput(one_host(kFour), "job_id,chunks,gpus\n1,1000001,1\n")
        .refused("needs.csv:2:3: chunks: 1000001 is above 1000000");
  }
}

// What is wrong with scenarios, hosts and needs of machines with devices, and what is
// odd and still works; through the command line.

#include <doctest/doctest.h>
#include <fmt/format.h>

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
  }
  // It runs and warns with these words.
  void warned(const std::string& what) const {
    CHECK(said_.code == 0);
    CAPTURE(said_.err);
    CHECK_MESSAGE(said_.err.find(what) != std::string::npos, what);
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

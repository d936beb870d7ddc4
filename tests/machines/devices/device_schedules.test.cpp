// `berth verify` of schedules of other simulators, by their column `devices`.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Two hosts with two T4 each, and one with a V100.
constexpr const char* kThreeHosts =
    "[machine]\nsharing = \"devices\"\n"
    "[machine.hosts.a]\ncount = 2\ncpu = 9\ndevices = { type = \"T4\", count = 2 }\n"
    "[machine.hosts.b]\ncount = 1\ncpu = 9\ndevices = { type = \"V100\", count = 1 }\n"
    "[workload]\ntrace = \"jobs.swf\"\nneeds = \"needs.csv\"\n";

class ForeignSchedule {
 public:
  ForeignSchedule()
      : played_(
            {{0, 1, 10}, {0, 1, 10}, {0, 1, 10}, {0, 1, 10}, {0, 1, 10}, {0, 1, 10}},
            kThreeHosts,
            "job_id,cpu,gpus,share,types\n1,1,1,600,\n2,7,1,,T4\n3,3,2,,\n4,1,1,300,\n"
            "5,3,,,\n6,1,1,,A100\n") {}

  // With these devices of a job instead.
  Said says(int job = 0, const std::string& devices = {},
            const std::string& span = "0,10") {
    std::string text = "job_id,starting_time,finish_time,devices\n";
    for (auto [id, own] : devices_) {
      text += fmt::format("{},{},{}\n", id, id == job ? span : "0,10",
                          id == job ? devices : own);
    }
    return verify(text);
  }
  Said report(const std::string& text) {
    return berth_says({"report", "--jobs", played_.folder().file("other.csv", text),
                       "-o", (played_.folder().path() / "page.html").string(),
                       "--force"});
  }
  Said verify(const std::string& text) {
    return berth_says({"verify", played_.scenario(), "--schedule",
                       played_.folder().file("other.csv", text)});
  }

 private:
  PlayedScenario played_;
  std::map<int, std::string> devices_{
      {1, "0:0*600"}, {2, "0:1"}, {3, "1:0-1"}, {4, "0:0*300"}, {5, "1"}};
};

bool is_told(const Said& said, const std::string& what) {
  CAPTURE(said.out);
  CAPTURE(said.err);
  CHECK(said.code != 0);
  const bool is_there = (said.out + said.err).find(what) != std::string::npos;
  CHECK_MESSAGE(is_there, what);
  return is_there;
}

}  // namespace

TEST_SUITE("machines/devices/device_schedules") {
  TEST_CASE("a right schedule needs no column but the devices and the times") {
    ForeignSchedule schedule;
    const auto said = schedule.says();
    CHECK_MESSAGE(said.code == 0, (said.out + said.err));
    // Job 6, of a type that no host has, may be absent.
    CHECK(said.out.find("every rule holds") != std::string::npos);
    CHECK(said.out.find("parts of a device checked          5, broken 0") !=
          std::string::npos);
    CHECK(schedule.says(3, "1:1+0").code == 0);  // in any order
  }

  TEST_CASE("each law is broken by a mistake of its own") {
    ForeignSchedule schedule;
    is_told(schedule.says(4, "0:1*300"),
            "300 more parts of device 1 of host 0 in use than it has");
    is_told(schedule.says(2, "0:0"), "device 0 of host 0 is not its own alone");
    is_told(schedule.says(1, "0:0*500"),
            "a share of 600 parts takes 600 on host 0, and it has 500");
    is_told(schedule.says(1, "0:0"),
            "a share of 600 parts takes 600 on host 0, and it has 0");
    is_told(schedule.says(2, "2:0"), "it sits on a host without devices of its types");
    is_told(schedule.says(5, "0"), "cpu: 3000 more in use on host 0 than there is");
    is_told(schedule.says(3, "1:0"), "a chunk has 1 devices and asked for 2");
    is_told(schedule.says(2, "0:1 1:0"), "it has 2 chunks and asked for 1");
    is_told(schedule.says(5, "1", "0,9"), "it runs for 9 instead of 10");
  }

  TEST_CASE("hosts and devices of a row have to say the same") {
    ForeignSchedule schedule;
    const auto with_hosts = [&](const std::string& hosts) {
      return schedule.verify(
          "job_id,starting_time,finish_time,allocated_resources,devices\n"
          "1,0,10,0,0:0*600\n2,0,10,0,0:1\n3,0,10," +
          hosts + ",1:0-1\n4,0,10,0,0:0*300\n5,0,10,1,1\n");
    };
    const auto said = with_hosts("1");
    CHECK_MESSAGE(said.code == 0, (said.out + said.err));
    is_told(with_hosts("0"), "its hosts are 0 and its devices are on 1");
    is_told(with_hosts("0-1"), "its hosts are 0-1 and its devices are on 1");
    is_told(with_hosts("7"), "it names no place of this machine");
  }

  TEST_CASE("a report shows a schedule in which jobs share hosts") {
    ForeignSchedule schedule;
    const std::string rows = "1,0,10,0,0:0*600\n2,0,10,0,0:1\n3,5,10,1,1:0-1\n";
    const auto shared = schedule.report(
        "job_id,starting_time,finish_time,allocated_resources,devices\n" + rows);
    CHECK_MESSAGE(shared.code == 0, (shared.out + shared.err));
    // Without the devices two jobs have one processor.
    is_told(schedule.report(
                "job_id,starting_time,finish_time,allocated_resources,other\n" + rows),
            "job 2 starts on processor 0 at 0 s, which job 1 (line 2) has until 10 s");
  }

  TEST_CASE("devices that do not exist, or twice, and text that is none are told") {
    ForeignSchedule schedule;
    is_told(schedule.says(2, "0:7"),
            "device 7 of host 0 does not exist; it has 2, numbered from 0");
    is_told(schedule.says(3, "1:0+0"), "a chunk has device 0 of host 1 twice");
    is_told(schedule.says(2, "9:0"), "it sits on a host that does not exist");
    is_told(schedule.says(2, "gpu 3"),
            "other.csv:3:8: devices: this is no list of chunks such as 12:0-1+3 "
            "14:5*460 7");
    is_told(schedule.says(2, "0:0-9999999 1:0-9999999"), "this is no list of chunks");
    is_told(schedule.says(2, ""), "it names no place of this machine");
  }

  TEST_CASE("what a schedule has to tell is named") {
    ForeignSchedule schedule;
    is_told(schedule.verify("job_id,starting_time,finish_time\n1,0,10\n"),
            "on a machine with sharing = \"devices\" it needs the column devices");
    is_told(schedule.verify("job_id,starting_time,finish_time,devices\n1,0,10,0:0*600\n"
                            "2,0,10,0:1\n3,0,10,1:0-1\n4,0,10,0:0*300\n"),
            "it is not in the schedule");
    is_told(schedule.verify("job_id,starting_time,finish_time,devices\n1,0,10,0:0*600\n"
                            "2,0,10,0:1\n3,0,10,1:0-1\n4,0,10,0:0*300\n5,,,\n"),
            "it never starts, and in the end no job runs");
  }
}

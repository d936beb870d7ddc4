// Windows of a machine, from files and through the command line
// (docs/model.md#windows).

#include <doctest/doctest.h>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr const char* kPoolWithWindows =
    "[machine]\nprocessors = 4\nwindows = \"windows.csv\"\n"
    "[workload]\ntrace = \"jobs.swf\"\n";
constexpr const char* kHeadOfWindows =
    "name,from,to,processors,announced,users,at_start\n";

std::string spans_beside(PlayedScenario& played, const std::string& policy,
                         const std::vector<std::string>& more = {}) {
  const auto said = played.run(policy, more);
  CHECK_MESSAGE(said.code == 0, said.err);
  return played.spans();
}

// A pool of 4 processors with these rows of windows.
struct PlayedBeside : PlayedScenario {
  PlayedBeside(const std::vector<TraceRow>& rows, const std::string& windows)
      : PlayedScenario(rows, kPoolWithWindows) {
    (void)folder().file("windows.csv", kHeadOfWindows + windows);
  }
};

// What a file of windows is refused for, from its name on.
std::string fault_of_windows(const std::string& rows,
                             const std::string& machine = kPoolWithWindows) {
  PlayedScenario played({{0, 1, 1}}, machine);
  (void)played.folder().file("windows.csv", rows);
  const auto said = played.run("fcfs");
  CHECK(said.code == 3);
  CHECK_FALSE(std::filesystem::exists(played.out()));
  const auto at = said.err.find("windows.csv:");
  return at == std::string::npos ? said.err
                                 : said.err.substr(at, said.err.find('\n') - at);
}

}  // namespace

TEST_SUITE("cli/windows") {
  TEST_CASE("maintenance under three policies") {
    PlayedBeside played({{0, 2, 5, 12}, {0, 4, 10}, {0, 2, 18}, {1, 2, 10}, {1, 2, 8}},
                        "maintenance,20,30,4,,,\n");
    CHECK(spans_beside(played, "fcfs") == "0-5 5-15 30-48 30-40 40-48");
    CHECK(spans_beside(played, "conservative") == "0-5 30-40 0-18 40-50 5-13");
    CHECK(spans_beside(played, "easy", {"--log"}) == "0-5 30-40 0-18 5-15 40-48");
    const auto log = played.text("log.jsonl");
    CHECK(log.find("{\"at\":20,\"record\":\"window\",\"name\":\"maintenance\","
                   "\"event\":\"begins\",\"from\":20,\"to\":30}\n") !=
          std::string::npos);
    CHECK(log.find("\"event\":\"ends\"") != std::string::npos);
    CHECK(log.find("\"event\":\"announced\"") == std::string::npos);
  }

  TEST_CASE("a window of a user") {
    PlayedBeside played({{0, 2, 30}, {0, 1, 40}, {10, 3, 10, 0, 7}, {12, 1, 5, 0, 7}},
                        "course,10,20,3,,7,\n");
    CHECK(spans_beside(played, "easy") == "20-50 0-40 10-20 20-25");
    CHECK(spans_beside(played, "fcfs") == "20-50 20-60 50-60 60-65");
  }

  TEST_CASE("a job that overruns into a window: at_start") {
    const std::vector<TraceRow> rows{{0, 2, 15, 8}, {9, 4, 5}, {9, 1, 1}};
    PlayedBeside waits(rows, "m,10,20,4,,,wait\n");
    CHECK(spans_beside(waits, "easy") == "0-15 20-25 9-10");
    PlayedBeside hits(rows, "m,10,20,4,,,hit\n");
    CHECK(spans_beside(hits, "easy") == "0-35 35-40 9-10");
    const auto jobs = columns_of(hits.text("jobs.csv"));
    for (std::size_t i = 0; i < jobs.at("job_id").size(); ++i) {
      const bool is_hit = jobs.at("job_id")[i] == "1";
      CHECK(jobs.at("attempts")[i] == (is_hit ? "2" : "1"));
      CHECK(jobs.at("lost_work")[i] == (is_hit ? "10" : "0"));
    }
  }

  TEST_CASE("explain tells which window a job waits for") {
    PlayedBeside played({{0, 2, 5, 30, 1}, {0, 2, 5, 30, 2}},
                        "course,10,20,3,,1,\nmaintenance,20,30,4,,,\n");
    CHECK(spans_beside(played, "fcfs", {"--log"}) == "30-35 30-35");
    const auto said = berth_says({"explain", played.out(), "1"});
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(said.out.find("kept by a window") != std::string::npos);
    CHECK(said.out.find("ReqNodeNotAvail") != std::string::npos);
    const auto other = berth_says({"explain", played.out(), "2"});
    CHECK_MESSAGE(other.code == 0, other.err);
    CHECK(other.out.find("kept for other users") == std::string::npos);
  }

  TEST_CASE("a file of windows that is wrong is refused by line and column") {
    const std::string head = kHeadOfWindows;
    CHECK(fault_of_windows(head + "m,5,5,1,,,\n") ==
          "windows.csv:2:5: to: it is not later than from");
    CHECK(fault_of_windows(head + "m,-5,5,1,,,\n") ==
          "windows.csv:2:3: from: a time is from 0 to 100000000000 s");
    CHECK(fault_of_windows(head + "m,soon,5,1,,,\n") ==
          "windows.csv:2:3: from: 'soon' is not a time");
    CHECK(fault_of_windows(head + "m,5,9,1,6,,\n") ==
          "windows.csv:2:9: announced: it is announced after it has begun");
    CHECK(fault_of_windows(head + "m,5,9,1,,a,\n") ==
          "windows.csv:2:10: users: 'a' is no number of a user");
    CHECK(fault_of_windows(head + "m,5,9,1,,,stop\n") ==
          "windows.csv:2:11: at_start: 'stop' is neither wait nor hit");
    CHECK(fault_of_windows(head + ",5,9,1,,,\n") ==
          "windows.csv:2:1: name: a window needs a name");
    CHECK(fault_of_windows(head + "m,5,9,1,,,\nm,15,19,1,,,\n") ==
          "windows.csv:3:1: name: 'm' is a window already");
    for (const auto* processors : {"0", "5"}) {
      CAPTURE(processors);
      CHECK(fault_of_windows(head + "m,5,9," + processors + ",,,\n")
                .starts_with("windows.csv:2:7: processors: "));
    }
    CHECK(fault_of_windows(head + "a,5,9,1,,7,\nb,6,8,1,,3 7,\n") ==
          "windows.csv:3:3: it shares a user with window 'a', which overlaps it");
    CHECK(fault_of_windows(head + "a,5,9,3,,,\nb,6,8,2,,,\n") ==
          "windows.csv:3:3: the windows at that time have 5 processors together, the "
          "machine has 4");
    CHECK(fault_of_windows("name,from,to,hosts\nm,5,9,0\n").find("hosts") !=
          std::string::npos);
  }

  TEST_CASE("windows of hosts, and what is wrong with them") {
    const std::string machine =
        "[machine]\nwindows = \"windows.csv\"\n[machine.hosts.node]\ncount = 2\n"
        "processors = 2\n[workload]\ntrace = \"jobs.swf\"\n";
    PlayedScenario played({{0, 2, 18}, {0, 2, 25}, {1, 1, 10}}, machine);
    const std::string head = "name,from,to,hosts,users\n";
    (void)played.folder().file("windows.csv", head + "m,20,30,1,\n");
    CHECK(spans_beside(played, "fcfs") == "0-18 18-43 30-40");
    CHECK(spans_beside(played, "conservative") == "0-18 18-43 1-11");
    CHECK(spans_beside(played, "easy", {"--log"}) == "0-18 18-43 1-11");
    const auto verified = berth_says(
        {"verify", played.scenario(), "--schedule", played.out() + "/jobs.csv"});
    CHECK_MESSAGE(verified.code == 0, verified.err);
    CHECK(fault_of_windows(head + "m,5,9,2,\n", machine) ==
          "windows.csv:2:7: hosts: 2 is not there: the machine has hosts from 0 to 1");
    CHECK(fault_of_windows(head + "m,5,9,,\n", machine) ==
          "windows.csv:2:7: hosts: it names none");
    CHECK(fault_of_windows(head + "a,5,9,0-1,7\nb,6,8,1,3\n", machine) ==
          "windows.csv:3:3: it shares a host with window 'a', which overlaps it");
    CHECK(fault_of_windows(std::string(kHeadOfWindows) + "m,5,9,1,,,\n", machine)
              .find("hosts in place of processors") != std::string::npos);
  }

  TEST_CASE("a machine that cannot have windows is refused by name") {
    for (const auto* machine :
         {"processors = 4\nsharing = \"two_tier\"\n", "processors = 4\nmemory = 4\n"}) {
      CAPTURE(machine);
      const auto fault =
          fault_of_windows(std::string(kHeadOfWindows) + "m,5,9,1,,,\n",
                           fmt::format("[machine]\nwindows = \"windows.csv\"\n{}"
                                       "[workload]\ntrace = \"jobs.swf\"\n",
                                       machine));
      CHECK(fault.find("machine.windows") != std::string::npos);
    }
  }
}

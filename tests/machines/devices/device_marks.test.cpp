#include "engine/machines/devices/device_marks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "tests/support/played.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

constexpr const char* kFourDevices =
    "[machine]\nsharing = \"devices\"\n"
    "[machine.hosts.a]\ncount = 1\ncpu = 16\ndevices = { type = \"T4\", count = 4 }\n"
    "[workload]\ntrace = \"tasks.csv\"\ndepartures = false\n"
    "[run]\npolicies = [{ name = \"gpu_best_fit\", when_full = \"reject\" }]\n"
    "[metrics]\nmarks = [15, 70, 84, 90]\n";

constexpr const char* kFiveTasks =
    "cpu,gpus,share\n1,1,600\n1,1,600\n1,1,\n1,1,600\n1,1,600\n";

}  // namespace

TEST_SUITE("machines/devices/device_marks") {
  TEST_CASE("a mark has the arrivals that round to it, else those within 1") {
    constexpr std::array<std::int32_t, 3> kMarks{15, 30, 50};
    DeviceMarks marks(kMarks, 1000);
    marks.arrive(145);  // 14.5 rounds to 14
    marks.settle(100, 7);
    marks.arrive(155);  // 15.5 rounds to 16
    marks.settle(200, 7);
    marks.arrive(295);  // 29.5 rounds to 30
    CHECK(marks.is_due());
    marks.settle(290, 10);
    marks.arrive(300);
    marks.arrive(310);
    marks.settle(300, 20.004);
    CHECK_FALSE(marks.is_due());
    CHECK(marks.allocation(0) == doctest::Approx(15));    // of 10 and 20
    CHECK(marks.allocation(1) == doctest::Approx(29.5));  // of 29 and 30
    CHECK(marks.fragmentation(1) == doctest::Approx(1.5));
    CHECK_FALSE(marks.allocation(2).has_value());
  }

  TEST_CASE("the demand counts tasks that are rejected, and no job leaves") {
    PlayedScenario played({}, kFourDevices);
    (void)played.folder().file("tasks.csv", kFiveTasks);
    const auto said = berth_says({"run", played.scenario(), "--audit", "full", "--out",
                                  (played.folder().path() / "out").string()});
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(said.err.find("still in the system") == std::string::npos);  // as is wanted
    CHECK(said.out.find("jobs not finished when nothing could happen any more: 4") !=
          std::string::npos);
    CHECK(said.err.find("metrics.marks: no job arrived when 90 %") !=
          std::string::npos);
    const auto run = text_of_file(played.folder().path() / "out" / "summary.json");
    const auto value_of = [&run](const std::string& name) {
      const auto at = run.find("\"" + name + "\"");
      REQUIRE(at != std::string::npos);
      return run.substr(run.find_first_of("0123456789n", run.find(':', at)), 5);
    };
    CHECK(value_of("gpu_allocation_at_15").starts_with("15"));
    CHECK(value_of("gpu_allocation_at_70").starts_with("70"));
    CHECK(value_of("gpu_allocation_at_84").starts_with("70"));  // at 85
    CHECK(value_of("gpu_allocation_at_90").starts_with("null"));
    CHECK(value_of("gpu_allocation").starts_with("70"));  // at the end
  }

  TEST_CASE("where no job leaves, nothing can be planned") {
    PlayedScenario played({}, kFourDevices);
    (void)played.folder().file("tasks.csv", kFiveTasks);
    const auto easy = played.run("easy");
    CHECK(easy.code == 4);
    CHECK(easy.err.find("reserve: no job leaves (workload.departures = false)") !=
          std::string::npos);
    const auto conservative = played.run("conservative");
    CHECK(conservative.err.find("book: no job leaves") != std::string::npos);
  }

  TEST_CASE("keys of fill that do not go together are told") {
    const auto refused = [](const std::string& keys) {
      std::string scenario = kFourDevices;
      const std::string last = "departures = false\n";
      scenario.replace(scenario.find(last), last.size(), last + keys);
      PlayedScenario played({}, scenario);
      (void)played.folder().file("tasks.csv", kFiveTasks);
      return played.run("gpu_best_fit").err;
    };
    const auto says = [&](const std::string& keys, const std::string& what) {
      const auto said = refused(keys);
      CAPTURE(said);
      CHECK(said.find(what) != std::string::npos);
    };
    says("fill = 1.3\n", "workload.fill: add arrivals = \"fill\"");
    says("arrivals = \"fill\"\n", "fill up to what? add fill = 1.3");
    says("arrivals = \"fill\"\nfill = 0\n", "workload.fill: 0 is not above 0");
    says("arrivals = \"fill\"\nfill = 1\nload = 0.5\n", "job k arrives at second k");
    says("arrivals = \"fill\"\nfill = 0.8\n",
         "metrics.marks: 84 % is beyond workload.fill = 0.8; leave it out, or fill "
         "more");
    says(
        "arrivals = \"fill\"\nfill = 1\ncolumns = { gpus = \"none\", share = \"cpu - "
        "cpu\" }\n",
        "column none is missing");
    says(
        "arrivals = \"fill\"\nfill = 1\ncolumns = { gpus = \"cpu - cpu\", share = "
        "\"cpu - cpu\" }\n",
        "tasks.csv asks for nothing that fills the machine");
  }

  TEST_CASE("under fill arrivals may come closer, and jobs leave") {
    // Of tasks of 10 s that come every half second, in any order, all find a place.
    PlayedScenario played(
        {},
        "[machine]\nsharing = \"devices\"\n[machine.hosts.a]\ncount = 1\ncpu = 16\n"
        "devices = { type = \"T4\", count = 4 }\n[workload]\ntrace = \"tasks.csv\"\n"
        "arrivals = \"fill\"\nfill = 0.5\ninterarrival_factor = 0.5\n");
    (void)played.folder().file("tasks.csv", "length,cpu,gpus\n10,1,1\n10,1,1\n");
    const auto said = played.run("fcfs");
    CHECK_MESSAGE(said.code == 0, said.err);
    CHECK(played.spans() == "1-11 1.5-11.5");
  }
}

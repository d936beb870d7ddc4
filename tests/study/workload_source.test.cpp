#include "study/inputs/workload_source.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/workload/transform.hpp"
#include "study/inputs/prepared_point.hpp"
#include "study/scenario/settings_door.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;
using namespace berth::study;

namespace {

// Ten jobs of one processor and 10 s, one each 10 s from 100 on.
std::string ten_jobs(std::string_view header) {
  std::string text(header);
  for (int i = 1; i <= 10; ++i) {
    text += std::to_string(i) + " " + std::to_string(90 + 10 * i) +
            " -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n";
  }
  return text;
}

Scenario on(const std::string& trace) {
  Scenario scenario;
  scenario.workload.trace = trace;
  return scenario;
}

std::vector<std::int64_t> ids(const Workload& workload) {
  std::vector<std::int64_t> all;
  for (const auto& job : workload.jobs) all.push_back(job.id);
  return all;
}

std::string complaint(const Scenario& scenario, const ReadingOptions& options = {}) {
  try {
    static_cast<void>(load_workload(scenario, options, test::unlimited()));
    return {};
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
}

}  // namespace

TEST_SUITE("study/workload_source") {
  TEST_CASE("the machine has the trace's size unless the scenario says another") {
    const test::ScratchFolder scratch;
    auto scenario = on(scratch.file("t.swf", ten_jobs("; MaxProcs: 4\n")));
    CHECK(load_workload(scenario, {}, test::unlimited()).processors == 4);
    scenario.processors = 2;
    CHECK(load_workload(scenario, {}, test::unlimited()).processors == 2);
  }

  TEST_CASE("the window comes before first, first before repeat") {
    const test::ScratchFolder scratch;
    auto scenario = on(scratch.file("t.swf", ten_jobs("; MaxProcs: 4\n")));
    scenario.workload.from = seconds(110);
    scenario.workload.to = seconds(150);
    scenario.workload.first = 2;
    scenario.workload.repeat = 2;
    // Jobs 2 and 3 at 110 and 120; the copy one mean gap later, numbers moved by 2.
    const auto loaded = load_workload(scenario, {}, test::unlimited());
    CHECK(ids(loaded.workload) == std::vector<std::int64_t>{2, 3, 4, 5});
    CHECK(loaded.workload.jobs[2].submit == seconds(130));
  }

  TEST_CASE("jobs that run longer are left out before the first are taken") {
    const test::ScratchFolder scratch;
    auto scenario = on(scratch.file("t.swf",
                                    "; MaxProcs: 4\n"
                                    "1 0 -1 50 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                                    "2 1 -1 7 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                                    "3 2 -1 9 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"));
    scenario.workload.longest = seconds(10);
    scenario.workload.first = 1;
    CHECK(ids(load_workload(scenario, {}, test::unlimited()).workload) ==
          std::vector<std::int64_t>{2});
    scenario.workload.longest = seconds(6);
    CHECK_THROWS_WITH_AS((void)load_workload(scenario, {}, test::unlimited()),
                         doctest::Contains("workload.longest: no job is left"), Error);
  }

  TEST_CASE("a window may be given by dates where the trace has a start time") {
    const test::ScratchFolder scratch;
    // Submits at 100, 110, ..., 190; time 0 is 1996-10-01 12:00 UTC.
    auto scenario = on(
        scratch.file("t.swf", ten_jobs("; MaxProcs: 4\n; UnixStartTime: 844171200\n")));
    override_setting(scenario, "workload.from=1996-10-01 12:02");
    override_setting(scenario, "workload.to=150");
    CHECK(ids(load_workload(scenario, {}, test::unlimited()).workload) ==
          std::vector<std::int64_t>{3, 4, 5});
    override_setting(scenario, "workload.to=1996-10-01T12:02:05");
    CHECK(ids(load_workload(scenario, {}, test::unlimited()).workload) ==
          std::vector<std::int64_t>{3});
    override_setting(scenario, "workload.to=1996-10-01");  // before the trace begins
    CHECK(complaint(scenario).find("no job is submitted in this window") !=
          std::string::npos);
    auto other = on(scratch.file("n.swf", ten_jobs("; MaxProcs: 4\n")));
    override_setting(other, "workload.from=1996-10-01");
    CHECK(
        complaint(other).find("workload.from: n.swf has no start time "
                              "(UnixStartTime), so a date says nothing about it; give "
                              "seconds") != std::string::npos);
  }

  TEST_CASE("load stretches what is left, estimates replace the walltimes") {
    const test::ScratchFolder scratch;
    auto scenario = on(scratch.file("t.swf", ten_jobs("; MaxProcs: 4\n")));
    scenario.workload.load = 0.5;
    scenario.workload.estimates = Estimates::kExact;
    auto loaded = load_workload(scenario, {}, test::unlimited());
    CHECK(offered_load(loaded.workload, 4, test::unlimited()) == doctest::Approx(0.5));
    CHECK(loaded.workload.jobs[0].walltime == seconds(10));
    CHECK(workload_warnings(loaded, Naming::kAsTyped, test::unlimited()) ==
          std::vector<std::string>{"estimates are exact for 10 jobs"});
  }

  TEST_CASE("the checksum is that of the bytes as they are stored") {
    const test::ScratchFolder scratch;
    const auto loaded =
        load_workload(on(scratch.file("t.swf",
                                      "; MaxProcs: 4\n"
                                      "1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 1 1 1 -1 -1\n")),
                      {}, test::unlimited());
    REQUIRE(loaded.sha256.has_value());
    CHECK(loaded.sha256->size() == 64);
    Scenario model;
    model.workload.model = "lublin";
    model.workload.jobs = 3;
    model.processors = 4;
    CHECK_FALSE(load_workload(model, {}, test::unlimited()).sha256.has_value());
  }

  TEST_CASE("a workload that cannot be had says what to do") {
    const test::ScratchFolder scratch;
    const auto no_size = scratch.file("n.swf", ten_jobs(""));
    const auto empty = scratch.file("e.swf", "; MaxProcs: 4\n");
    CHECK(complaint(on(no_size))
              .find("no MaxProcs/MaxNodes header: say how large the "
                    "machine is (--processors N") != std::string::npos);
    CHECK(complaint(on(empty)).find("there is no job in it to run") !=
          std::string::npos);
    CHECK(complaint(Scenario{}).find("no jobs: give trace") == 0);
    Scenario model;
    model.workload.model = "lublin";
    CHECK(complaint(model).find("machine.processors: a model needs the size") == 0);
    auto window = on(scratch.file("t.swf", ten_jobs("; MaxProcs: 4\n")));
    window.workload.from = seconds(1000);
    CHECK(complaint(window).find("no job is submitted in this window") !=
          std::string::npos);
  }

  TEST_CASE("what a trace asks for and no machine has is said once, not in results") {
    const test::ScratchFolder scratch;
    const auto text = [](const char* memory, const char* partition) {
      return fmt::format(
          "; MaxProcs: 4\n"
          "1 0 -1 10 3 -1 -1 3 10 {} 1 1 1 1 1 1 -1 -1\n"
          "2 0 -1 10 4 -1 -1 4 10 -1 1 1 1 1 1 {} -1 -1\n",
          memory, partition);
    };
    const auto messages = [&](const std::string& trace) {
      const auto made =
          prepare_workload(on(scratch.file("t.swf", trace)), {}, test::unlimited());
      CHECK(made->result_warnings.empty());
      return made->messages;
    };
    CHECK(messages(text("-1", "1")).empty());
    CHECK(
        messages(text("2048", "1")) ==
        std::vector<std::string>{"not modelled, so ignored: requested memory (1 job)"});
    CHECK(
        messages(text("2048", "7")) ==
        std::vector<std::string>{"not modelled, so ignored: requested memory (1 job), "
                                 "partitions (2 of them)"});
  }
}

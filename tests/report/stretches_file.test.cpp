#include "report/stretches_file.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "report/bars.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;

namespace {

constexpr auto kHead = "job_id,from,to,kind,tier,yield,resources\n";

report::JobsOfFile two_jobs() {
  test::MemorySource source(
      "job_id,submission_time,requested_number_of_resources,starting_time,finish_time,"
      "allocated_resources\n1,0,2,0,20,0-1\n2,5,2,10,30,2-3\n");
  return report::read_jobs(source, "jobs.csv", {PlaceForm::kSet, 4}, test::unlimited());
}

report::StretchesOfFile read(const std::string& rows) {
  test::MemorySource source(kHead + rows);
  return report::read_stretches(source, "s.csv", two_jobs(), {PlaceForm::kSet, 4},
                                test::unlimited());
}

std::string refusal(const std::string& rows) {
  try {
    static_cast<void>(read(rows));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
  return "no error";
}

report::RunResult run_of(const std::string& rows) {
  report::RunResult run;
  run.jobs = two_jobs();
  run.stretches = read(rows);
  run.processors = 4;
  return run;
}

}  // namespace

TEST_SUITE("report/stretches_file") {
  TEST_CASE("neighbours that differ in speed alone are one stretch") {
    const auto made = read(
        "1,0,5,running,foreground,1,0-1\n2,10,12,frozen,background,0,2-3\n"
        "1,5,20,running,foreground,0.9,0-1\n2,12,30,running,background,0.5,2-3\n");
    REQUIRE(made.stretches.size() == 3);
    CHECK(made.has_tiers);
    CHECK(made.stretches[0].from == 0);
    CHECK(made.stretches[0].to == seconds(20));
    CHECK(made.stretches[0].half == report::Half::kForeground);
    CHECK(made.stretches[1].is_frozen);
    CHECK(made.stretches[2].half == report::Half::kBackground);
  }

  TEST_CASE("a job that was not suspended before it goes on has lost its attempt") {
    const auto made = read(
        "1,0,5,running,,1,0-1\n1,8,20,running,,1,0-1\n2,10,12,running,,1,2-3\n"
        "2,12,15,suspended,,,\n2,15,30,running,,1,2-3\n");
    REQUIRE(made.stretches.size() == 4);
    CHECK(made.stretches[0].is_hit);
    for (std::size_t i = 1; i < 4; ++i) CHECK_FALSE(made.stretches[i].is_hit);
  }

  TEST_CASE("suspended time is no stretch, and parts a job") {
    const auto made =
        read("1,0,5,running,,1,0-1\n1,5,9,suspended,,,\n1,9,20,running,,1,0-1\n");
    REQUIRE(made.stretches.size() == 2);
    CHECK_FALSE(made.has_tiers);
    CHECK(made.stretches[0].to == seconds(5));
    CHECK(made.stretches[1].from == seconds(9));
  }

  TEST_CASE("what is wrong is said with line and column") {
    CHECK(refusal("9,0,5,running,,1,0\n") ==
          "s.csv:2:1: job_id: job 9 is not in jobs.csv");
    CHECK(refusal("1,5,4,running,,1,0\n") ==
          "s.csv:2:5: to: the stretch ends before it begins");
    CHECK(refusal("1,0,5,running,,1,0\n1,4,6,running,,1,0\n") ==
          "s.csv:3:3: from: the stretch begins before the job's last one ends");
    CHECK(refusal("1,0,5,asleep,,1,0\n") ==
          "s.csv:2:7: kind: 'asleep' is none of running, frozen, suspended");
    CHECK(refusal("1,0,5,running,middle,1,0\n") ==
          "s.csv:2:15: tier: 'middle' is neither foreground nor background");
    CHECK(refusal("1,0,5,running,,1,7\n") ==
          "s.csv:2:18: resources: processor 7 is off the machine of 4");
    CHECK(refusal("1,0,5\n") == "s.csv:2:1: 3 fields where 7 are needed");
  }

  TEST_CASE("a timeline gets the processors in use of each tier") {
    auto run = run_of(
        "1,0,10,running,foreground,1,0-1\n1,10,20,running,background,1,0-1\n"
        "2,10,30,running,foreground,1,2-3\n");
    run.timeline.emplace();
    run.timeline->from = {0, 16};
    run.timeline->to = {16, 32};
    report::add_tiers(run, test::unlimited());
    REQUIRE(run.timeline->names ==
            std::vector<std::string>{"foreground_mean", "background_mean"});
    CHECK(run.timeline->values[0] == std::vector{2.0, 28.0 / 16});
    CHECK(run.timeline->values[1] == std::vector{12.0 / 16, 8.0 / 16});
  }

  TEST_CASE("bars are stretches, or jobs where there are none") {
    auto run = run_of("1,0,10,running,foreground,1,0-1\n");
    CHECK(report::rectangles_of(run) == 1);
    int bars = 0;
    report::each_bar(run, test::unlimited(), [&](const report::Bar& bar) {
      ++bars;
      CHECK(bar.to == seconds(10));
    });
    CHECK(bars == 1);
    run.stretches.reset();
    bars = 0;
    report::each_bar(run, test::unlimited(), [&](const report::Bar&) { ++bars; });
    CHECK(bars == 2);
    CHECK(report::rectangles_of(run) == 2);
  }
}

#include "report/jobs_file.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;

namespace {

constexpr auto kHead =
    "job_id,submission_time,requested_number_of_resources,starting_time,finish_time,"
    "allocated_resources,final_state\n";

report::JobsOfFile read(const std::string& text) {
  test::MemorySource source(text);
  return report::read_jobs(source, "jobs.csv", {PlaceForm::kSet, 8}, test::unlimited());
}

// What is said of these rows.
std::string refusal(const std::string& text) {
  try {
    static_cast<void>(read(text));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
  return "no error";
}

std::string refusal_of_row(const std::string& row) { return refusal(kHead + row); }

}  // namespace

TEST_SUITE("report/jobs_file") {
  TEST_CASE("jobs stand by submit and id, with their intervals in ascending order") {
    const auto made = read(std::string(kHead) + "7,5,3,6.5,9,7 0-1,\n3,5,1,5,8,2,\n");
    REQUIRE(made.jobs.size() == 2);
    CHECK(made.jobs[0].id == 3);
    CHECK(made.jobs[1].start == seconds(6) + kSecond / 2);
    CHECK(made.jobs[1].length == seconds(2) + kSecond / 2);
    CHECK(made.intervals[made.jobs[1].first_interval] == Interval{0, 1});
    CHECK(made.intervals[made.jobs[1].first_interval + 1] == Interval{7, 7});
    CHECK(made.processors == 8);
    CHECK(made.has_places);
  }

  TEST_CASE("what became of a job is told by its times and its state") {
    const auto made =
        read(std::string(kHead) +
             "1,0,1,0,5,0,COMPLETED_SUCCESSFULLY\n2,0,1,0,5,1,COMPLETED_WALLTIME_"
             "REACHED\n3,0,9,,,,REJECTED\n4,0,1,,,,NOT_FINISHED\n5,0,1,2,,3,NOT_"
             "FINISHED\n");
    const auto state = [&](std::size_t i) { return made.jobs[i].state; };
    CHECK(state(0) == report::State::kFinished);
    CHECK(state(1) == report::State::kKilled);
    CHECK(state(2) == report::State::kRejected);
    CHECK(state(3) == report::State::kWaiting);
    CHECK(state(4) == report::State::kRunning);
  }

  TEST_CASE("a missing column is named") {
    CHECK(refusal("job_id,submission_time\n1,2\n") ==
          "jobs.csv:1:1: column starting_time (or start, start_time, from) is missing; "
          "the "
          "first line names job_id, submission_time (--columns starting_time=NAME says "
          "what the column is called)");
    CHECK(
        refusal("") ==
        "jobs.csv:1:1: column job_id (or job, id) is missing; the first line is empty "
        "(--columns job_id=NAME says what the column is called)");
  }

  TEST_CASE("F39: what a schedule does not say is not known") {
    const auto made = read("job,start,end\n1,0,400\n2,10,90\n3,,\n");
    REQUIRE(made.jobs.size() == 3);
    CHECK_FALSE(made.has_submits);
    CHECK(made.jobs[0].size == 0);
    CHECK(made.jobs[0].walltime < 0);
    CHECK_FALSE(made.jobs[0].has_submit);
    CHECK(made.jobs[1].state == report::State::kWaiting);
    CHECK(made.jobs[1].submit == 0);
    CHECK(report::most_in_use(made, test::unlimited()) == 0);
  }

  TEST_CASE("F39: the most in use follows from the sizes, ends before starts") {
    const auto made = read(
        "job_id,submission_time,requested_number_of_resources,starting_time,"
        "finish_time\n1,0,60,0,400\n2,10,40,10,90\n3,20,70,400,1000\n"
        "4,30,30,400,460\n5,0,90,50,50\n");
    CHECK(report::most_in_use(made, test::unlimited()) == 100);
  }

  TEST_CASE("--columns says what a file calls its columns") {
    test::MemorySource source("nr,begin,finish\n7,1,2\n");
    const study::ScheduleColumns columns(
        "job_id=nr,starting_time=begin,finish_time=finish");
    const auto made =
        report::read_jobs(source, "jobs.csv", {}, test::unlimited(), {columns});
    REQUIRE(made.jobs.size() == 1);
    CHECK(made.jobs[0].id == 7);
  }

  TEST_CASE("what is wrong with a row is said with line and column") {
    CHECK(refusal_of_row("1,0,1,0,5,0\n") ==
          "jobs.csv:2:1: 6 fields where 7 are needed");
    CHECK(refusal_of_row("1,x,1,0,5,0,\n") ==
          "jobs.csv:2:3: submission_time: 'x' is not a time");
    CHECK(refusal_of_row("1,9,1,0,5,0,\n") ==
          "jobs.csv:2:7: starting_time: the job starts before its submit");
    CHECK(refusal_of_row("1,0,1,6,5,0,\n") ==
          "jobs.csv:2:9: finish_time: the job ends before its start");
    CHECK(refusal_of_row("1,0,1,,5,0,\n") ==
          "jobs.csv:2:7: starting_time: a job that ends has a start");
    CHECK(refusal_of_row("1,0,1,0,5,0-3 3,\n") ==
          "jobs.csv:2:11: allocated_resources: processor 3 is named twice");
    CHECK(refusal_of_row("1,0,1,0,5,7-8,\n") ==
          "jobs.csv:2:11: allocated_resources: processor 8 is off the machine of 8");
    CHECK(refusal_of_row("1,0,1,0,5,3-1,\n") ==
          "jobs.csv:2:11: allocated_resources: '3-1' is no range of processors");
    CHECK(refusal_of_row("1,0,1,0,5,0,\n1,0,1,0,5,1,\n") ==
          "jobs.csv:3: job 1 is there twice (first at line 2)");
  }

  TEST_CASE(
      "two jobs on one processor at a time are refused, one behind the other not") {
    const auto said = [](const std::string& rows) -> std::string {
      try {
        report::refuse_overlaps(read(kHead + rows), "jobs.csv", test::unlimited());
      } catch (const Error& error) {
        return error.what();
      }
      return "";
    };
    CHECK(said("1,0,2,0,5,0-1,\n2,0,2,5,9,1-2,\n3,0,1,5,5,1,\n") == "");
    CHECK(
        said("1,0,2,0,5,0-1,\n2,0,2,4.5,9,1-2,\n") ==
        "jobs.csv:3: allocated_resources: job 2 starts on processor 1 at 4.5 s, which "
        "job 1 (line 2) has until 5 s");
  }
}

#include "study/inputs/schedule_reader.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::study;

namespace {

// Jobs 7, 3 and 9 in this order.
std::vector<Job> three_jobs() {
  std::vector<Job> jobs(3);
  jobs[0].id = 7;
  jobs[1].id = 3;
  jobs[1].submit = seconds(1);
  jobs[2].id = 9;
  jobs[2].submit = seconds(2);
  return jobs;
}

std::vector<audit::Scheduled> read(std::string_view text) {
  test::MemorySource source{std::string(text)};
  const auto jobs = three_jobs();
  return read_schedule(source, "s.csv", jobs, test::unlimited()).rows;
}

std::string complaint(std::string_view text) {
  try {
    static_cast<void>(read(text));
    return {};
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
}

}  // namespace

TEST_SUITE("study/schedule_reader") {
  TEST_CASE(
      "columns are found by name, whatever their order and whatever else is there") {
    const auto schedule = read(
        "finish_time,note,job_id,starting_time\r\n"
        "12.5,\"a, \"\"b\"\"\",3,2\r\n");
    REQUIRE(schedule.size() == 1);
    CHECK(schedule[0].job == JobId{1});
    CHECK(schedule[0].start == seconds(2));
    CHECK(schedule[0].end == 12'500'000);
    CHECK_FALSE(schedule[0].processors.has_value());
  }

  TEST_CASE("short names of the three columns do as well") {
    const auto schedule = read("job,submit,start,end\n9,2,3,4\n");
    REQUIRE(schedule.size() == 1);
    CHECK(schedule[0].job == JobId{2});
    CHECK(schedule[0].start == seconds(3));
    CHECK(schedule[0].end == seconds(4));
  }

  TEST_CASE("states and processors are read where they are given") {
    const auto schedule = read(
        "job_id,final_state,starting_time,finish_time,allocated_resources\n"
        "7,COMPLETED_WALLTIME_REACHED,0,5,0-3 8\n"
        "3,REJECTED,,,\n"
        "9,NOT_FINISHED,4,,1\n");
    REQUIRE(schedule.size() == 3);
    CHECK(schedule[0].state == audit::Stated::kKilled);
    CHECK(schedule[0].processors->text() == "0-3 8");
    CHECK(schedule[1].state == audit::Stated::kRejected);
    CHECK_FALSE(schedule[1].start.has_value());
    CHECK(schedule[2].start == seconds(4));
    CHECK_FALSE(schedule[2].end.has_value());
  }

  TEST_CASE("each mistake has its place") {
    const std::string head = "job_id,starting_time,finish_time,allocated_resources\n";
    CHECK(complaint("") ==
          "s.csv:1:1: column job_id (or job, id) is missing; the first line is empty "
          "(--columns job_id=NAME says what the column is called)");
    CHECK(complaint("job_id,starting_time\n1,2\n") ==
          "s.csv:1:1: column finish_time (or end, end_time, to) is missing; the first "
          "line names job_id, starting_time (--columns finish_time=NAME says what the "
          "column is called)");
    CHECK(complaint(head + "7,0,5\n") == "s.csv:2:1: 3 fields where 4 are needed");
    CHECK(complaint(head + "seven,0,5,\n") ==
          "s.csv:2:1: job_id: 'seven' is not a whole number");
    CHECK(complaint(head + "7,0,5,\n\n8,0,5,\n") ==
          "s.csv:4:1: job_id: job 8 is not in the trace");
    CHECK(complaint(head + "7,0,5,\n7,0,5,\n") ==
          "s.csv:3:1: job_id: job 7 is there twice (first at line 2)");
    CHECK(complaint(head + "7,nan,5,\n") ==
          "s.csv:2:3: starting_time: 'nan' is not a time");
    CHECK(complaint(head + "7,0,1e99,\n") ==
          "s.csv:2:5: finish_time: '1e99' is not a time");
    CHECK(complaint(head + "7,,5,\n") ==
          "s.csv:2:3: starting_time: a job that ends has a start");
    CHECK(complaint(head + "7,0,5,3-1\n") ==
          "s.csv:2:7: allocated_resources: '3-1' is no range of processors");
    CHECK(complaint(head + "7,0,5,0-3 2\n") ==
          "s.csv:2:7: allocated_resources: processor 2 is named twice");
  }
}

#include "study/common/schedule_columns.hpp"

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

using namespace berth;
using namespace berth::study;

namespace {

// Which field of these a reader takes for the column; -1: none.
int field(const ScheduleColumns& columns, ScheduleColumn::Index column,
          const char* names) {
  Budget budget;
  TableReader table("x.csv", lines_of(names, budget), columns.listed({}));
  if (!table.has(column)) return -1;
  return std::stoi(std::string(table.next() ? table.text(column) : "-2"));
}

std::string refusal(const char* given) {
  try {
    const ScheduleColumns columns(given);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUsage);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("study/schedule_columns") {
  TEST_CASE("a column is found by each of its names, its own first") {
    const ScheduleColumns columns;
    const auto* names = "id,end,start,starting_time\n0,1,2,3\n";
    CHECK(field(columns, ScheduleColumn::kJob, names) == 0);
    CHECK(field(columns, ScheduleColumn::kFinish, names) == 1);
    CHECK(field(columns, ScheduleColumn::kStart, names) == 3);
    CHECK(field(columns, ScheduleColumn::kSize, names) == -1);
  }

  TEST_CASE("a name that is given replaces the others of its column") {
    const ScheduleColumns columns("starting_time=begin");
    CHECK(field(columns, ScheduleColumn::kStart, "start,begin\n0,1\n") == 1);
    CHECK(field(columns, ScheduleColumn::kStart, "start\n0\n") == -1);
    CHECK(field(columns, ScheduleColumn::kJob, "job\n0\n") == 0);
  }

  TEST_CASE("a pair that is none, an unknown column and a second name are refused") {
    CHECK(refusal("job_id") ==
          "--columns: 'job_id' is not COLUMN=NAME, as in job_id=id");
    CHECK(refusal("job_id=") ==
          "--columns: 'job_id=' is not COLUMN=NAME, as in job_id=id");
    CHECK(refusal("jobid=a") ==
          "--columns: there is no column 'jobid' (did you mean 'job_id'?)");
    CHECK(refusal("job_id=a,job_id=b") == "--columns: job_id is there twice");
  }

  TEST_CASE("the help lists every column with all its names") {
    const auto text = schedule_columns_text();
    CHECK(
        text.starts_with("  job_id (job, id)\n  starting_time (start, start_time, "
                         "from)\n"));
    CHECK(text.find("  success\n  user (user_id)\n") != std::string::npos);
  }

  TEST_CASE("the documentation of schedules has the list of the program") {
    const auto text = test::text_of_file(test::source_root() + "/docs/report.md");
    CHECK(text.find(schedule_columns_text()) != std::string::npos);
  }
}

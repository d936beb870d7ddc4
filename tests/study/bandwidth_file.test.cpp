#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "study/inputs/job_file.hpp"
#include "tests/support/builders.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

const std::vector<Job>& three_jobs() {
  static const std::vector kJobs{a_job(1, 0, 1, 10), a_job(2, 0, 2, 10),
                                 a_job(7, 0, 3, 10)};
  return kJobs;
}

// What is wrong with it, or what it says.
std::string complaint(const std::string& text) {
  MemorySource source{text, 7};
  JobColumns columns(three_jobs());
  try {
    study::add(columns, study::read_job_file(source, "b.csv", three_jobs(),
                                             study::bandwidth_form()));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
  const auto& read = *columns.column("bandwidth");
  return fmt::format("{} {} {}", read.of(JobId{0})[0], read.of(JobId{1})[0],
                     read.of(JobId{2})[0]);
}

}  // namespace

TEST_SUITE("study/bandwidth_file") {
  TEST_CASE("values are read by the job's own number") {
    CHECK(complaint("job_id,bandwidth\n7,0\n1,12.5\n2,1000000000\n") ==
          "12.5 1000000000 0");
  }
  TEST_CASE("each fault is named at its place") {
    const std::string head = "job_id,bandwidth\n";
    CHECK(complaint("job,bandwidth\n") ==
          "b.csv:1:1: the first line must name job_id and bandwidth");
    CHECK(complaint(head + "1,5\n9,5\n") == "b.csv:3:1: the workload has no job 9");
    CHECK(complaint(head + "1,5\n1,6\n") == "b.csv:3:1: job 1 is already on line 2");
    CHECK(complaint(head + "1,-5\n") ==
          "b.csv:2:3: -5 is not between 0 and 1000000000 Mb/s");
    CHECK(complaint(head + "1,nan\n") ==
          "b.csv:2:3: nan is not between 0 and 1000000000 Mb/s");
    CHECK(complaint(head + "1,\n") == "b.csv:2:3: '' is not a number");
    CHECK(complaint(head + "1,0.0004\n").find("rounds to 0 kbit/s") !=
          std::string::npos);
    CHECK(complaint(head + "1,5\n2,5\n") == "b.csv:1:1: there is no line for job 7");
    CHECK(complaint(head + "1,5,6\n") == "b.csv:2:1: 3 fields where 2 are needed");
  }
}

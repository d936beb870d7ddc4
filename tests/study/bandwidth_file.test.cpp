#include "study/inputs/bandwidth_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>

#include "engine/base/error.hpp"
#include "tests/study/scratch_folder.hpp"
#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

const std::vector<Job>& three_jobs() {
  static const std::vector kJobs{a_job(1, 0, 1, 10), a_job(2, 0, 2, 10),
                                 a_job(7, 0, 3, 10)};
  return kJobs;
}

// What is wrong with it, without the folder.
std::string complaint(const std::string& text) {
  const ScratchFolder folder;
  const auto path = (folder.path() / "b.csv").string();
  std::ofstream(path) << text;
  JobColumns columns(three_jobs());
  try {
    study::read_bandwidths(path, three_jobs(), columns);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    const std::string what = error.what();
    return what.substr(what.find("b.csv"));
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

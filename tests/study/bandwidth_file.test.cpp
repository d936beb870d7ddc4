#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/machines/network/slots_settings.hpp"
#include "study/inputs/job_file.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"
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
  Workload workload;
  for (const auto& job : three_jobs()) workload.jobs.push_back(job);
  workload.not_jobs.push_back(8);
  JobColumns columns(three_jobs());
  try {
    const auto values =
        study::read_job_file(source, "b.csv", workload, bandwidth_form(), unlimited());
    study::add(columns, values);
    keep_places(workload, unlimited());
    study::check_has_lines(values, workload.of_trace);
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
  TEST_CASE("a line of a job that the reader left out is passed over") {
    CHECK(complaint("job_id,bandwidth\n8,5\n7,0\n2,1\n1,12.5\n") == "12.5 1 0");
  }
  TEST_CASE("a file of a spreadsheet is read") {
    CHECK(complaint(
              "\xef\xbb\xbf\"job_id\",\"bandwidth\"\r\n\"7\",0\r\n1,\"12.5\"\r\n\r\n"
              "2,1\r\n") == "12.5 1 0");
    CHECK(complaint("j\xd0\xbe"
                    "b_id,bandwidth\n") ==
          "b.csv:1:1: column job_id is missing; the first line must name job_id, "
          "bandwidth; it has "
          "'j\xd0\xbe"
          "b_id', with the character U+043E");
    CHECK(complaint("job_id,bandwidth\n1,\"12\n") ==
          "b.csv:2:3: the quote that begins here is not closed");
    CHECK(complaint(std::string("\xff\xfe"
                                "j\0o\0",
                                6)) ==
          "b.csv:1: the text is UTF-16, of two bytes a letter; save it as UTF-8");
  }
  TEST_CASE("each fault is named at its place") {
    const std::string head = "job_id,bandwidth\n";
    CHECK(complaint("job,bandwidth\n") ==
          "b.csv:1:1: column job_id is missing; the first line must name job_id, "
          "bandwidth");
    CHECK(complaint(head + "1,5\n9,5\n") == "b.csv:3:1: the workload has no job 9");
    CHECK(complaint(head + "1,5\n1,6\n") == "b.csv:3:1: job 1 is already on line 2");
    CHECK(complaint(head + "1,-5\n") ==
          "b.csv:2:3: bandwidth: -5 is not between 0 and 1000000000 Mb/s");
    CHECK(complaint(head + "1,nan\n") == "b.csv:2:3: bandwidth: 'nan' is not a number");
    CHECK(complaint(head + "1,\n") == "b.csv:2:3: bandwidth: '' is not a number");
    CHECK(complaint(head + "1,0.0004\n").find("rounds to 0 kbit/s") !=
          std::string::npos);
    CHECK(complaint(head + "1,5\n2,5\n") == "b.csv:1:1: there is no line for job 7");
    CHECK(complaint(head + "1,5,6\n") == "b.csv:2:1: 3 fields where 2 are needed");
  }
}

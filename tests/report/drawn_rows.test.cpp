#include "report/drawn_rows.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Names and rows of each of them, and below a line for each job, by number: its rows.
std::string rows_of(const std::string& rows) {
  const auto text_of_file =
      "job_id,submission_time,starting_time,finish_time,devices\n" + rows;
  MemorySource source(text_of_file);
  auto jobs = report::read_jobs(source, "jobs.csv", {}, unlimited());
  const auto drawn = report::draw_parts(jobs, unlimited());
  if (!drawn) return "none";
  auto text = fmt::format("{} x {}", fmt::join(drawn->names, " "), drawn->each);
  for (const auto& job : jobs.jobs) {
    text += fmt::format("\n{}:", job.id);
    for (std::uint32_t i = 0; i < job.intervals; ++i) {
      const auto& part = jobs.intervals[job.first_interval + i];
      text += fmt::format(" {}-{}", part.first, part.last);
    }
  }
  return text;
}

}  // namespace

TEST_SUITE("report/drawn_rows") {
  TEST_CASE("a part is a row where no job shares it") {
    CHECK(rows_of("1,0,0,5,0:0-1\n2,0,0,5,3:1\n3,0,5,9,0:1\n4,0,0,9,3\n") ==
          "0:0 0:1 3:1 x 1\n1: 0-1\n2: 2-2\n3: 1-1\n4:");
  }

  TEST_CASE("shares of one part stand side by side, each as high as it is large") {
    // 600 and 400 of 1000 are three and two rows of five; job 3 has the whole device.
    CHECK(rows_of("1,0,0,5,0:0*600\n2,0,0,9,0:0*400\n3,0,0,9,0:1\n4,0,6,9,0:0*200\n") ==
          "0:0 0:1 x 5\n1: 0-2\n2: 3-4\n3: 5-9\n4: 0-0");
  }

  TEST_CASE("a share for which no gap is large enough stands in several") {
    // Of 300, 400 and 300 the first and the last have left when 600 come.
    CHECK(rows_of(
              "1,0,0,5,0:0*300\n2,0,0,9,0:0*400\n3,0,0,5,0:0*300\n4,0,5,9,0:0*600\n") ==
          "0:0 x 10\n1: 0-2\n2: 3-6\n3: 7-9\n4: 0-2 7-9");
  }

  TEST_CASE("many sizes are drawn in twentieths, and nothing is left without a row") {
    CHECK(rows_of("1,0,0,5,0:0*997\n2,0,0,5,0:0*3\n") == "0:0 x 20\n1: 0-18\n2: 19-19");
  }

  // Hosts 0 and 1 have two processors, host 2 has four and two GPUs, host 3 the same.
  TEST_CASE("units of hosts go with processors, and kinds of many are no rows") {
    const std::vector<RowsOfHosts> hosts{
        {"thin", 2, 2}, {"fat", 2, 4, {{"gpu", 2}, {"memory_bank", 64}}}};
    MemorySource source(
        "job_id,submission_time,starting_time,finish_time,allocated_resources,need_gpu,"
        "need_memory_bank\n"
        "1,0,0,5,0-3,0,8\n"     // of the thin hosts
        "2,0,0,9,4-5,1,8\n"     // one of host 2
        "3,0,0,5,6-9,2,8\n"     // one of each fat host
        "4,0,5,9,8-11,2,8\n");  // both of host 3
    auto jobs = report::read_jobs(source, "jobs.csv", {PlaceForm::kSet, 12, hosts},
                                  unlimited());
    CHECK(jobs.kinds == std::vector<std::string>{"gpu"});
    const auto drawn = report::draw_parts(jobs, unlimited());
    REQUIRE(drawn);
    CHECK(drawn->names == std::vector<std::string>{"2:0", "3:0"});
    CHECK(drawn->each == 2);
    const auto rows = [&](std::size_t job) {
      const auto& of = jobs.jobs[job];
      std::string text;
      for (std::uint32_t i = 0; i < of.intervals; ++i) {
        const auto& part = jobs.intervals[of.first_interval + i];
        text += fmt::format("{}-{} ", part.first, part.last);
      }
      return text;
    };
    CHECK(rows(0).empty());
    CHECK(rows(1) == "0-0 ");
    CHECK(rows(2) == "1-2 ");
    CHECK(rows(3) == "2-3 ");
  }

  TEST_CASE("without parts, or with text that tells none, nothing changes") {
    CHECK(rows_of("1,0,0,5,\n") == "none");
    CHECK(rows_of("1,0,0,5,gpu one\n") == "none");
    CHECK(rows_of("1,0,0,5,7\n") == "none");
  }
}

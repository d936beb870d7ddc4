// What the job table holds of a log with odd fields: reading it gives the same jobs.

#include "study/logs/log_writer.hpp"

#include <doctest/doctest.h>

#include <string>

#include "engine/workload/formats/format.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

JobLog log_from(const std::string& text, std::string_view format = "") {
  MemorySource source(text);
  return read_log(source, format, {"x.txt"}, unlimited());
}

std::string job_table(const JobLog& log) {
  StringSink sink;
  study::write_job_table(log, sink, unlimited());
  return sink.text();
}

// The rows below the header.
std::string rows_of(const std::string& table) {
  return table.substr(table.find('\n') + 1);
}

// The rows of the table of a log, which has to read as the same jobs.
std::string kept_rows(const std::string& text) {
  const auto table = job_table(log_from(text));
  CHECK(job_table(log_from(table, "csv")) == table);
  return rows_of(table);
}

std::string refused(const std::string& text) {
  return error_of([&] { (void)log_from(text); });
}

constexpr auto kHead =
    "JobID|State|Submit|Start|End|TimelimitRaw|AllocCPUS|AllocTRES\n";
constexpr auto kRan =
    "|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:05|2026-01-01T00:01:05|";

}  // namespace

TEST_SUITE("study/log_writer") {
  TEST_CASE("a walltime of 0 is none, as in Slurm and PBS") {
    CHECK(kept_rows(std::string(kHead) + "3" + kRan + "0|4|\n") ==
          "3,0,4,60,,,,,,,,1,5,,3\n");
    CHECK(kept_rows("04/05/2017 13:01:53;E;41.srv;ctime=1491390000 start=1491390006 "
                    "end=1491390113 exec_host=n1/0 Resource_List.walltime=00:00:00 "
                    "Exit_status=0\n") == "41,0,1,107,,,,,,,,1,6,1,41\n");
  }

  TEST_CASE("a kind of resource may be called as a column, and have large amounts") {
    const auto log = std::string(kHead) + "3" + kRan +
                     "2|4|cpu=4,license/size=3,license/resource.a=2,"
                     "license/tokens=4000000000\n";
    CHECK(kept_rows(log) == "3,0,4,60,120,,,,,,,1,5,,3,2,3,4000000000\n");
    CHECK(job_table(log_from(log))
              .find(",source_id,resource.resource.a,resource.size,tokens\n") !=
          std::string::npos);
    CHECK(refused(std::string(kHead) + "3" + kRan + "2|4|license/=3\n") ==
          "x.txt:2:1: a kind of resource has no name");
  }

  TEST_CASE("the first submit may lie before 1970, within a second") {
    CHECK(kept_rows(std::string(kHead) +
                    "3|COMPLETED|1969-12-31T23:59:58.500000|1969-12-31T23:59:59|"
                    "1970-01-01T00:00:09|2|1|\n") == "3,0.5,1,10,120,,,,,,,1,0.5,,3\n");
  }

  TEST_CASE("what the table could not hold is refused with its line") {
    const auto has_times = [](const std::string& rows) {
      return std::string("JobID|State|Submit|Start|Elapsed|AllocCPUS\n") + rows;
    };
    CHECK(refused(has_times("3|COMPLETED|0001-01-01T00:00:00|90000000000|5|1\n")) ==
          "x.txt:2:1: wait: 152135596800 s are more than 10^11");
    CHECK(refused(has_times("3|COMPLETED|0001-01-01T00:00:00|0001-01-01T00:00:00|5|1\n"
                            "4|COMPLETED|90000000000|90000000000|5|1\n")) ==
          "x.txt:3:1: submit: 152135596800 s are more than 10^11");
    // 2^53 bytes on three processors are rounded up to KiB for each.
    CHECK(refused(std::string(kHead) + "3" + kRan + "2|3|cpu=3,mem=8P\n") ==
          "x.txt:2:1: memory: more than 2^53 bytes");
    CHECK(refused(std::string(kHead) + "9007199254740992" + kRan + "2|3|\n4_1" + kRan +
                  "2|3|\n") ==
          "x.txt:3:1: an id that is no number gets one behind the largest, which is "
          "2^53");
    CHECK(refused("job_id,submit,size,length,status\n1,0,1,5,70000\n") ==
          "x.txt:2:1: status: 70000 is more than 32767");
    CHECK(refused(R"({"nb_res": 4, "jobs": [{"id": "a\r\nb", "subtime": 0, "res": 1,
      "profile": "d"}], "profiles": {"d": {"type": "delay", "delay": 5}}})") ==
          "x.txt:1:24: id: there is an end of line in 'a\\x0d\\x0ab'");
  }

  TEST_CASE("what Batsim's extra data hold may have any letters") {
    const auto log = log_from(R"({"nb_res": 4, "jobs": [{"id": 1, "subtime": 0,
      "res": 2, "profile": "d", "extra_data": {"user": "a\nstatus=7", "nodes": 2}}],
      "profiles": {"d": {"type": "delay", "delay": 5}}})");
    CHECK(rows_of(job_table(log)) == "1,0,2,5,,,1,,,,,,,2,1\n");
    REQUIRE(log.names[0].size() == 1);
    CHECK(log.names[0][0].name == "a\nstatus=7");
  }
}

// Every broken trace of data/bad-swf, read from its file.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/workload/warnings.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

std::optional<std::filesystem::path> bad(const std::string& file) {
  return shared_data("bad-swf/" + file);
}

std::vector<std::int64_t> ids(const Workload& workload) {
  std::vector<std::int64_t> ids;
  for (const Job& job : workload.jobs) ids.push_back(job.id);
  return ids;
}

}  // namespace

TEST_SUITE("workload/bad_swf") {
  TEST_CASE("an unreadable trace is an error with its position") {
    struct Case {
      std::string file;
      std::string error;  // behind the name of the file
    };
    for (const Case& each :
         {Case{"s01-truncated-last-line.swf",
               ":13: 8 fields where 18 are needed (the file ends inside this line)"},
          {"s02-word-in-field.swf", ":10:8: run time: 'fifty' is not a number"},
          {"s03-negative-submit.swf", ":10:3: submit time: -10 is negative"},
          {"s07-duplicate-job-number.swf",
           ":11:1: job number 2 was already used at line 10"},
          {"s10-nul-bytes.swf", ":10:9: byte 0x00 in a number (run time)"},
          {"s11-number-too-large.swf", ":10:8: run time: 1e400 is out of range"},
          {"s13-seventeen-columns.swf", ":10: 17 fields where 18 are needed"}}) {
      const auto path = bad(each.file);
      if (!path) return;
      CAPTURE(each.file);
      CHECK(error_of([&] { (void)parse_file(*path); }) == each.file + each.error);
    }
  }

  TEST_CASE("a truncated gzip file is not reported as an SWF error") {
    const auto path = bad("s14-truncated.swf.gz");
    if (!path) return;
    const std::string error = error_of([&] { (void)parse_file(*path); });
    CHECK(error.rfind(
              "s14-truncated.swf.gz: the gzip data ends early (after about line ", 0) ==
          0);
  }

  TEST_CASE("a repaired trace is read, with one warning line") {
    struct Case {
      std::string file;
      std::vector<std::int64_t> ids;
      std::vector<std::string> warnings;
    };
    const std::vector<std::int64_t> all{1, 2, 3, 4, 5};
    for (const Case& each :
         {Case{"s04-submit-unsorted.swf",
               all,
               {"2 of 5 jobs are earlier than the line before (first at line 10); jobs "
                "were "
                "put in order of submit time"}},
          {"s05-wider-than-machine.swf", all, {}},
          {"s06-zero-processors.swf",
           {1, 4, 5},
           {"2 jobs left out: no processor count (first at line 10)"}},
          {"s08-crlf.swf", all, {}},
          {"s09-utf8-bom.swf", all, {}},
          {"s12-no-header.swf",
           all,
           {"no MaxProcs/MaxNodes header: the machine size must come from the "
            "scenario"}}}) {
      const auto path = bad(each.file);
      if (!path) return;
      CAPTURE(each.file);
      const Workload workload = parse_file(*path);
      CHECK(ids(workload) == each.ids);
      CHECK(warnings(workload) == each.warnings);
      CHECK(workload.jobs_read == 5);
      CHECK(workload.processors.value_or(-1) == (each.file[2] == '2' ? -1 : 64));
    }
  }

  TEST_CASE("a job wider than the machine is named with its place") {
    const auto path = bad("s05-wider-than-machine.swf");
    if (!path) return;
    const auto wide = too_wide(parse_file(*path), 64, unlimited());
    REQUIRE(wide);
    CHECK(wide->count == 1);
    CHECK(
        wide->first_text ==
        "s05-wider-than-machine.swf:10: job 2 needs 128 processors, the machine has 64 "
        "(1 job will be rejected)");
  }

  TEST_CASE("strict reading makes a left-out job an error") {
    const auto path = bad("s06-zero-processors.swf");
    if (!path) return;
    const SwfOptions strict{.name = "", .strict = true};
    CHECK(error_of([&] { (void)parse_file(*path, strict); }) ==
          "s06-zero-processors.swf:10:20: requested processors: no processor count (an "
          "error "
          "because reading is strict)");
  }
}

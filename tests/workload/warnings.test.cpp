#include "engine/workload/warnings.hpp"

#include <doctest/doctest.h>

#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

Workload with(std::map<std::string, Finding> left_out,
              std::map<std::string, Finding> repairs) {
  Workload workload;
  workload.left_out = std::move(left_out);
  workload.repairs = std::move(repairs);
  workload.jobs_read = 9;
  return workload;
}

}  // namespace

TEST_SUITE("workload/warnings") {
  TEST_CASE("a workload without findings has no warning") {
    CHECK(warnings(Workload{}).empty());
  }

  TEST_CASE("there is one line for each class, left-out jobs first") {
    const Workload workload = with(
        {{"no_run_time", {2, 12}}, {"no_processor_count", {1, 10}}},
        {{"unsorted", {3, 11}}, {"no_walltime", {9, 4}}, {"no_machine_size", {1, 0}}});
    CHECK(
        warnings(workload) ==
        std::vector<std::string>{
            "1 job left out: no processor count (first at line 10)",
            "2 jobs left out: no run time (first at line 12)",
            "no MaxProcs/MaxNodes header: the machine size must come from the scenario",
            "estimates are exact for 9 jobs: they have no requested time (first at "
            "line "
            "4)",
            "3 of 9 jobs are earlier than the line before (first at line 11); jobs "
            "were "
            "put in order of submit time"});
  }

  TEST_CASE("every class of the reader has its own wording") {
    const std::string text =
        "2 9 -1 5 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 1 -1\n"
        "1 8 -1 5 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 2\n"
        "3 8 -1 5 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 2\n"
        "4 8 -1 -1 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 2\n";
    const Workload workload = parse(text);
    CHECK(workload.left_out.size() == 2);
    CHECK(workload.repairs.size() == 5);
    for (const std::string& line : warnings(workload)) {
      CAPTURE(line);
      CHECK(line.find('_') == line.npos);
      CHECK(line.find('{') == line.npos);
    }
  }

  TEST_CASE("an unknown class is shown by its name") {
    CHECK(warnings(with({}, {{"odd_thing", {4, 7}}})) ==
          std::vector<std::string>{"odd_thing: 4 (first at line 7)"});
  }

  TEST_CASE("jobs wider than the machine are counted, the first of them is named") {
    Workload workload = parse(
        "; MaxProcs: 4\n"
        "1 0 0 5 8 -1 -1 8 9 -1 1 1 1 1 1 1 -1 -1\n"
        "2 1 0 5 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n"
        "3 2 0 5 5 -1 -1 5 9 -1 1 1 1 1 1 1 -1 -1\n");
    const auto wide = too_wide(workload, 4, unlimited());
    REQUIRE(wide);
    CHECK(wide->count == 2);
    CHECK(wide->first_line == 2);
    CHECK(wide->lines == std::vector<std::int64_t>{2, 4});
    CHECK(wide->first_text ==
          "x.swf:2: job 1 needs 8 processors, the machine has 4 (2 jobs will be "
          "rejected)");
    CHECK_FALSE(too_wide(workload, 8, unlimited()));
    workload.lines.clear();
    workload.source = "lublin";
    CHECK(
        too_wide(workload, 7, unlimited())->first_text ==
        "lublin: job 1 needs 8 processors, the machine has 7 (1 job will be rejected)");
  }
}

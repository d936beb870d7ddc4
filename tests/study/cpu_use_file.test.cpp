#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "engine/base/spread.hpp"
#include "engine/machines/two_tier/two_tier_settings.hpp"
#include "study/inputs/job_file.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

// Jobs 1 (1 processor) and 2 (2 processors).
const std::vector<Job>& two_jobs() {
  static const std::vector kJobs{a_job(1, 0, 1, 9), a_job(2, 0, 2, 9)};
  return kJobs;
}

// What the text says about these jobs.
JobColumns read(const std::string& text) {
  MemorySource source{text, 7};
  Workload workload;
  for (const auto& job : two_jobs()) workload.jobs.push_back(job);
  JobColumns columns(two_jobs());
  add(columns, read_job_file(source, "use.csv", workload, cpu_use_form(), unlimited()));
  return columns;
}

// Of the job of this index.
std::vector<double> values(const JobColumns& columns, const char* name,
                           std::uint32_t job) {
  const auto* column = columns.column(name);
  if (column == nullptr) return {};
  const auto all = column->of(JobId{job});
  return {all.begin(), all.end()};
}

std::string refusal(const std::string& text) {
  try {
    (void)read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("study/cpu_use_file") {
  TEST_CASE("each line is a process; columns come in any order") {
    const auto read_back = read("use,job_id,declared\n0.5,2,0.6\n1,1,1\n0.25,2,0.3\n");
    CHECK(values(read_back, "cpu_use", 0) == std::vector{1.0});
    CHECK(values(read_back, "cpu_use", 1) == std::vector{0.5, 0.25});
    CHECK(values(read_back, "cpu_declared", 1) == std::vector{0.6, 0.3});
  }

  TEST_CASE("jobs that are not named have no values") {
    const auto read_back = read("job_id,use\n1,0.5\n");
    CHECK(values(read_back, "cpu_use", 0) == std::vector{0.5});
    CHECK(values(read_back, "cpu_use", 1).empty());
    CHECK(read_back.column("cpu_declared") == nullptr);
  }

  TEST_CASE("what is wrong is named with line and column") {
    CHECK(
        refusal("job,use\n") ==
        "use.csv:1:1: column job_id is missing; the first line must name job_id, use");
    CHECK(refusal("job_id,use\n1,0\n") ==
          "use.csv:2:3: use: 0 is not above 0 and at most 1");
    CHECK(refusal("job_id,use\n1,1.5\n") ==
          "use.csv:2:3: use: 1.5 is not above 0 and at most 1");
    CHECK(refusal("job_id,use\n1,x\n") == "use.csv:2:3: use: 'x' is not a number");
    CHECK(refusal("job_id,use\n9,1\n") == "use.csv:2:1: the workload has no job 9");
    CHECK(refusal("job_id,use\n1\n") == "use.csv:2:1: 1 fields where 2 are needed");
    CHECK(refusal("job_id,use\n1,1\n2,1\n") ==
          "use.csv:3:1: job 2 has 2 processes and 1 lines here");
  }

  TEST_CASE("a spread is a number or two with dots between") {
    CHECK(spread_from_text("0.02")->most == 0.02);
    CHECK(spread_from_text("0.005..0.04")->least == 0.005);
    CHECK(spread_from_text("0.005..0.04")->most == 0.04);
    for (const auto* wrong : {"", "..", "1..", "..1", "2..1", "a..b", "inf", "1...2"}) {
      CAPTURE(wrong);
      CHECK_FALSE(spread_from_text(wrong));
    }
    CHECK(text_of(Spread{0.5, 0.5}) == "0.5");
    CHECK(text_of(Spread{0.005, 0.04}) == "0.005..0.04");
  }
}

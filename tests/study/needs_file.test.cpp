// A file of what jobs need: what it adds, and every broken one.

#include <doctest/doctest.h>

#include "engine/base/error.hpp"
#include "engine/workload/workload.hpp"
#include "study/inputs/job_file.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::study;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

Workload two_jobs_of_a_trace() {
  Workload workload;
  workload.jobs.push_back(a_job(1, 0, 8, 10));
  workload.jobs.push_back(a_job(2, 0, 6, 10));
  return workload;
}

Resources a_machine_with_gpus() {
  Resources resources;
  resources.hosts = {{"host", 2, 4, 8 * 1024 * 1024, {{"gpu", 2}}}};
  resources.wide = {{"licence", 3}};
  return resources;
}

std::string fault_of(const std::string& text) {
  const auto workload = two_jobs_of_a_trace();
  MemorySource source(text);
  try {
    (void)read_job_file(source, "needs.csv", workload,
                        needs_form(a_machine_with_gpus()), unlimited());
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInput);
    return error.what();
  }
}

}  // namespace

TEST_SUITE("study/needs_file") {
  TEST_CASE(
      "chunks, memory in KiB and counts become columns; empty cells say nothing") {
    const auto workload = two_jobs_of_a_trace();
    MemorySource source("job_id,processors,memory,gpu,licence\n1,4,1.5,1,\n2,,,,2\n");
    std::vector<Job> jobs(workload.jobs.begin(), workload.jobs.end());
    JobColumns columns(jobs);
    add(columns, read_job_file(source, "needs.csv", workload,
                               needs_form(a_machine_with_gpus()), unlimited()));
    const auto of = [&](const char* name, std::uint32_t job) {
      const auto values = columns.column(name)->of(JobId{job});
      return values.empty() ? -1.0 : values.front();
    };
    CHECK(of("needs.chunks", 0) == 2);
    CHECK(of("needs.chunks", 1) == -1);
    CHECK(of("needs.memory", 0) == 1.5 * 1024 * 1024);
    CHECK(of("needs.gpu", 0) == 1);
    CHECK(of("needs.licence", 0) == -1);
    CHECK(of("needs.licence", 1) == 2);
  }

  TEST_CASE("what is wrong is told with its place") {
    CHECK(fault_of("job,memory\n") == "needs.csv:1:1: the machine has no kind 'job'");
    CHECK(fault_of("job_id,gpus\n")
              .find("needs.csv:1:8: the machine has no kind "
                    "'gpus' (did you mean 'gpu'?)") == 0);
    CHECK(fault_of("job_id,gpu,gpu\n") ==
          "needs.csv:1:12: the column gpu stands here twice");
    CHECK(fault_of("job_id,gpu\nx,1\n") ==
          "needs.csv:2:1: job_id: 'x' is not a whole number");
    CHECK(fault_of("job_id,memory\n1,-0.5\n") ==
          "needs.csv:2:3: memory: -0.5 is below 0");
    CHECK(fault_of("job_id,memory\n1,1e300\n") ==
          "needs.csv:2:3: memory: this is too much memory");
    CHECK(fault_of("job_id,gpu\n1,1e300\n") ==
          "needs.csv:2:3: gpu: this is more than any machine has");
    CHECK(fault_of("memory\n1\n") ==
          "needs.csv:1:1: column job_id is missing; the first line must name job_id");
    CHECK(fault_of("job_id,gpu\n3,1\n") == "needs.csv:2:1: the workload has no job 3");
    CHECK(fault_of("job_id,gpu\n1,1\n1,2\n") ==
          "needs.csv:3:1: job 1 is already on line 2");
    CHECK(fault_of("job_id,gpu\n1,-1\n") == "needs.csv:2:3: gpu: -1 is below 0");
    CHECK(fault_of("job_id,gpu\n1,0.5\n") ==
          "needs.csv:2:3: gpu: 0.5 is not a whole number");
    CHECK(fault_of("job_id,memory\n1,inf\n") ==
          "needs.csv:2:3: memory: 'inf' is not a number");
    CHECK(fault_of("job_id,memory\n1,nan\n") ==
          "needs.csv:2:3: memory: 'nan' is not a number");
    CHECK(
        fault_of("job_id,chunks,processors\n1,3,4\n").find("job 1 has 8 processors") !=
        std::string::npos);
    CHECK(fault_of("job_id,chunks\n2,4\n").find("job 2 has 6 processors") !=
          std::string::npos);
    CHECK(fault_of("job_id,gpu\n1\n") == "needs.csv:2:1: 1 fields where 2 are needed");
    CHECK(fault_of("job_id,chunks\n1,0\n") == "needs.csv:2:3: chunks: 0 is below 1");
  }
}

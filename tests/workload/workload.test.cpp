#include "engine/workload/workload.hpp"

#include <doctest/doctest.h>

using namespace berth;

namespace {

Workload three_jobs() {
  Workload workload;
  for (const std::int64_t id : {3, 1, 2}) {
    Job job;
    job.id = id;
    job.submit = id == 1 ? 0 : 5;
    job.length = seconds(id);
    job.walltime = seconds(2);
    job.walltime_given = id != 2;
    workload.jobs.push_back(job);
    workload.recorded.push_back({.status = static_cast<std::int32_t>(id)});
    workload.lines.push_back(id * 10);
  }
  return workload;
}

}  // namespace

TEST_SUITE("workload/workload") {
  TEST_CASE(
      "jobs are put in order of submit time, then of number, with their records") {
    Workload workload = three_jobs();
    put_in_order(workload);
    CHECK(workload.lines == std::vector<std::int64_t>{10, 20, 30});
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(workload.jobs[i].id == static_cast<std::int64_t>(i) + 1);
      CHECK(workload.recorded[i].status == static_cast<std::int32_t>(i) + 1);
    }
  }

  TEST_CASE("selected jobs come in the order asked for; empty lists stay empty") {
    Workload workload = three_jobs();
    workload.recorded.clear();
    select_jobs(workload, {2, 0});
    REQUIRE(workload.jobs.size() == 2);
    CHECK(workload.jobs[0].id == 2);
    CHECK(workload.jobs[1].id == 3);
    CHECK(workload.lines == std::vector<std::int64_t>{20, 30});
    CHECK(workload.recorded.empty());
  }

  TEST_CASE("walltimes that were not given and those outlived are counted") {
    CHECK(three_jobs().without_walltime() == 1);
    CHECK(three_jobs().outliving_walltime() == 1);
  }
}

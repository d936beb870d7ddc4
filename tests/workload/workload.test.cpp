#include "engine/workload/workload.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"
#include "tests/support/unlimited.hpp"

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
    put_in_order(workload, test::unlimited());
    CHECK(workload.lines == TraceLines{10, 20, 30});
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(workload.jobs[i].id == static_cast<std::int64_t>(i) + 1);
      CHECK(workload.recorded[i].status == static_cast<std::int32_t>(i) + 1);
    }
  }

  TEST_CASE("many jobs are sorted, each with its record and line") {
    auto random = random_stream(1, "order");
    Workload workload;
    for (std::int64_t id = 0; id < 500; ++id) {
      Job job;
      job.id = id;
      job.submit = static_cast<Time>(random() % 100);
      job.length = 1000 + id;
      workload.jobs.push_back(job);
      workload.recorded.push_back({.status = static_cast<std::int32_t>(id)});
      workload.lines.push_back(7 * id);
    }
    put_in_order(workload, test::unlimited());
    CHECK(std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_first));
    for (std::size_t i = 0; i < 500; ++i) {
      const auto id = workload.jobs[i].id;
      REQUIRE(workload.jobs[i].length == 1000 + id);
      REQUIRE(workload.recorded[i].status == static_cast<std::int32_t>(id));
      REQUIRE(workload.lines[i] == 7 * id);
    }
  }

  TEST_CASE("selected jobs come in the order asked for; empty lists stay empty") {
    Workload workload = three_jobs();
    workload.recorded.clear();
    select_jobs(workload, {2, 0}, test::unlimited());
    REQUIRE(workload.jobs.size() == 2);
    CHECK(workload.jobs[0].id == 2);
    CHECK(workload.jobs[1].id == 3);
    CHECK(workload.lines == TraceLines{20, 30});
    CHECK(workload.recorded.empty());
  }

  TEST_CASE("walltimes that were not given and those outlived are counted") {
    CHECK(three_jobs().without_walltime() == 1);
    CHECK(three_jobs().outliving_walltime() == 1);
  }

  TEST_CASE("a census counts what there is to say of the jobs as a whole") {
    Workload workload = three_jobs();
    workload.jobs[0].size = 7;
    workload.jobs[1].user = 4;
    workload.jobs[1].partition = 2;
    workload.jobs[2].partition = 0;
    workload.jobs[2].set_memory(512);
    const auto census = census_of(workload, test::unlimited());
    CHECK(census.widest == 7);
    CHECK(census.without_walltime == 1);
    CHECK(census.without_user == 2);
    CHECK(census.with_memory == 1);
    CHECK(census.partitions == 2);
    CHECK(census_of({}, test::unlimited()).widest == 0);
  }
}

TEST_SUITE("workload/trace_lines") {
  TEST_CASE("every job has its line, in any order of lines") {
    auto random = random_stream(1, "lines");
    std::vector<std::int64_t> given;
    TraceLines lines;
    for (int i = 0; i < 2'000; ++i) {
      const bool jumps = given.empty() || random() % 4 == 0;
      given.push_back(jumps ? static_cast<std::int64_t>(random() % 500)
                            : given.back() + 1);
      lines.push_back(given.back());
    }
    REQUIRE(lines.size() == given.size());
    for (std::size_t i = 0; i < given.size(); ++i) REQUIRE(lines[i] == given[i]);
  }

  TEST_CASE("the first lines are kept, and more may follow") {
    TraceLines lines{7, 8, 9, 3, 4};
    lines.keep_first(9);
    CHECK(lines == TraceLines{7, 8, 9, 3, 4});
    lines.keep_first(4);
    CHECK(lines == TraceLines{7, 8, 9, 3});
    lines.keep_first(2);
    CHECK(lines == TraceLines{7, 8});
    lines.push_back(9);
    CHECK(lines == TraceLines{7, 8, 9});
    lines.clear();
    CHECK(lines.empty());
  }

  TEST_CASE("an index beyond the jobs has no line") {
    CHECK_THROWS_AS((void)TraceLines()[0], Error);
    CHECK_THROWS_AS((void)(TraceLines{4, 5})[2], Error);
  }
}

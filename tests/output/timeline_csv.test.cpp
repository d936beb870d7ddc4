#include "engine/output/timeline_csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/output/run_of_four.hpp"

namespace berth {

namespace {

const std::string kHeader =
    "from,to,queue_mean,queue_max,idle_mean,idle_max,used_mean,used_max\n";

std::string timeline(const std::vector<Job>& jobs, std::int32_t processors) {
  StringSink sink;
  TimelineCsv csv(sink);
  test::watch(csv, jobs, test::a_machine(processors), test::fcfs);
  return sink.text();
}

}  // namespace

TEST_SUITE("output/timeline_csv") {
  TEST_CASE("bins are one second wide and the last ends with the run") {
    // Job 2 waits from 1 to 2; one processor of three is left over.
    std::vector<Job> jobs{test::a_job(1, 0, 2, 2), test::a_job(2, 1, 3, 1)};
    jobs[1].length = kSecond / 2;
    CHECK(timeline(jobs, 3) == kHeader +
                                   "0,1,0,0,1,1,2,2\n"
                                   "1,2,1,1,1,1,2,2\n"
                                   "2,2.5,0,0,0,0,3,3\n");
  }

  TEST_CASE("a bin has the mean and the maximum of what changes in it") {
    std::vector<Job> jobs{test::a_job(1, 0, 1, 1), test::a_job(2, 0, 1, 1)};
    jobs[0].length = kSecond / 4;
    CHECK(timeline(jobs, 4) == kHeader + "0,1,0,0,2.75,3,1.25,2\n");
  }

  TEST_CASE("suspended jobs stand in the queue") {
    StringSink sink;
    TimelineCsv csv(sink);
    test::watch_suspended(csv);
    CHECK(sink.text().find("\n9,10,0,0,0,0,4,4\n10,11,1,1,4,4,0,0\n") !=
          std::string::npos);
    CHECK(sink.text().find("\n29,30,1,1,4,4,0,0\n30,31,0,0,0,0,4,4\n") !=
          std::string::npos);
  }

  TEST_CASE("a run that lasts no time has no rows") {
    CHECK(timeline({test::a_job(1, 5, 1, 0)}, 1) == kHeader);
    CHECK(timeline({}, 1) == kHeader);
  }

  TEST_CASE("a long run has at most 4,096 bins") {
    const auto text =
        timeline({test::a_job(1, 0, 1, 1), test::a_job(2, 9'000, 1, 100)}, 1);
    // 9,100 s in bins of 4 s.
    CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 2275);
    CHECK(text.rfind(kHeader + "0,4,0,0,0.75,1,0.25,1\n", 0) == 0);
    CHECK(text.find("\n9096,9100,0,0,0,0,1,1\n") != std::string::npos);
  }
}

}  // namespace berth

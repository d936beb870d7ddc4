#include "engine/jobs/job.hpp"

#include <doctest/doctest.h>

using namespace berth;

namespace {

Job submitted(std::int64_t id, Time submit) {
  Job job;
  job.id = id;
  job.submit = submit;
  return job;
}

}  // namespace

TEST_SUITE("jobs/job") {
  TEST_CASE("the earlier submit comes first; at one instant the lower id does") {
    CHECK(comes_first(submitted(9, 10), submitted(1, 20)));
    CHECK_FALSE(comes_first(submitted(1, 20), submitted(9, 10)));
    CHECK(comes_first(submitted(1, 10), submitted(2, 10)));
    CHECK_FALSE(comes_first(submitted(2, 10), submitted(1, 10)));
    CHECK_FALSE(comes_first(submitted(1, 10), submitted(1, 10)));
  }

  TEST_CASE("the planned time is the walltime, but never below the least") {
    Job job;
    job.walltime = seconds(60);
    CHECK(job.planned(kSecond) == seconds(60));
    job.walltime = 0;
    CHECK(job.planned(kSecond) == kSecond);
    CHECK(job.planned(0) == 0);
  }

  TEST_CASE("a job needs as many processors as its size") {
    Job job;
    job.size = 12;
    CHECK(job.demand().processors() == 12);
  }

  TEST_CASE("what a trace does not say is unknown") {
    const Job job;
    CHECK(job.user == kUnknown);
    CHECK(job.group == kUnknown);
    CHECK(job.executable == kUnknown);
    CHECK(job.queue_class == kUnknown);
    CHECK(job.partition == kUnknown);
    CHECK(job.memory_kib == kUnknown);
  }
}

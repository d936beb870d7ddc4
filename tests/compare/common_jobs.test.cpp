#include "engine/compare/common_jobs.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/outcomes_of.hpp"

using namespace berth;
using test::OutcomesOf;

namespace {

JobOutcome job(std::uint32_t number, Duration wait, Duration length) {
  JobOutcome made;
  made.job = JobId{number};
  made.length = length;
  made.wait = wait;
  made.response = wait + length;
  return made;
}

}  // namespace

TEST_SUITE("compare/common_jobs") {
  TEST_CASE("means are over the jobs in both lists") {
    const OutcomesOf base({job(1, seconds(10), seconds(100)),
                           job(2, seconds(30), seconds(100)),
                           job(4, seconds(999), seconds(1))});
    const OutcomesOf other({job(0, seconds(999), seconds(1)),
                            job(1, seconds(0), seconds(100)),
                            job(2, seconds(10), seconds(100))});
    const auto common = common_jobs(base, other, {});
    CHECK(common.n == 2);
    CHECK(common.means.at("mean_wait").base == 20.0);
    CHECK(common.means.at("mean_wait").other == 5.0);
    CHECK(common.means.at("mean_slowdown").base == doctest::Approx(1.2));
  }

  TEST_CASE("a metric that is defined for none of them has no mean") {
    const OutcomesOf jobs({job(1, seconds(10), 0)});
    const auto common = common_jobs(jobs, jobs, {});
    CHECK(common.n == 1);
    CHECK(common.means.count("mean_slowdown") == 0);
    CHECK(common.means.at("mean_wait").other == 10.0);
  }

  TEST_CASE("without common jobs there is nothing") {
    const OutcomesOf one({job(1, 0, 1)});
    const OutcomesOf two({job(2, 0, 1)});
    CHECK(common_jobs(one, two, {}).n == 0);
    CHECK(common_jobs(one, two, {}).means.empty());
  }
}

#include "engine/workload/mix.hpp"

#include <doctest/doctest.h>

#include <array>

#include "engine/base/error.hpp"
#include "engine/workload/transform.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

Workload trace_of(const std::string& name, const std::vector<Job>& jobs,
                  std::int32_t user) {
  Workload made;
  made.name = name;
  made.source = name;
  for (auto job : jobs) {
    job.user = user++;
    made.jobs.push_back(job);
  }
  made.jobs_read = static_cast<std::int64_t>(jobs.size());
  return made;
}

}  // namespace

TEST_SUITE("workload/mix") {
  TEST_CASE("each trace begins at 0, has its load, and ends with the shortest") {
    // 10 processors: 100 s of one at 0, 50, 100 is a load of 0.3; to 0.15: gaps
    // doubled.
    const auto one = trace_of(
        "one", {a_job(1, 50, 1, 100), a_job(2, 100, 1, 100), a_job(3, 150, 1, 100)}, 1);
    const auto two = trace_of(
        "two", {a_job(1, 1000, 2, 100), a_job(5, 1100, 2, 100), a_job(9, 1400, 2, 100)},
        1);
    const std::array loads{0.15, 0.15};
    const auto mixed = mix({one, two}, loads, 10, unlimited());
    // The second: 600 processor s over 400 s of 10 is 0.15, as it is: it ends at 400,
    // the first at 200.
    REQUIRE(mixed.jobs.size() == 5);
    const std::array<std::int64_t, 5> ids{1, 4, 2, 8, 3};
    const std::array<std::int64_t, 5> submits{0, 0, 100, 100, 200};
    const std::array<std::int32_t, 5> users{1, 4, 2, 5, 3};
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(mixed.jobs[i].id == ids[i]);
      CHECK(mixed.jobs[i].submit == seconds(submits[i]));
      CHECK(mixed.jobs[i].user == users[i]);
    }
    CHECK(mixed.name == "one + two");
    CHECK(mixed.jobs_read == 6);
  }

  TEST_CASE("jobs that name no user stay without; a user 0 is not taken for another") {
    auto two = trace_of("two", {a_job(1, 0, 1, 100), a_job(2, 100, 1, 100)}, 0);
    two.jobs[1].user = kUnknown;
    const auto one = trace_of("one", {a_job(1, 0, 1, 100), a_job(2, 100, 1, 100)}, 7);
    const std::array loads{0.2, 0.2};
    const auto mixed = mix({one, two}, loads, 10, unlimited());
    REQUIRE(mixed.jobs.size() == 4);
    CHECK(mixed.jobs[1].user == 9);
    CHECK(mixed.jobs[3].user == kUnknown);
  }

  TEST_CASE("numbers that do not fit behind those of another trace are refused") {
    const auto one =
        trace_of("one", {a_job(1, 0, 1, 100), a_job(2, 100, 1, 100)}, 2'147'483'600);
    const auto two = trace_of("two", {a_job(1, 0, 1, 100), a_job(2, 100, 1, 100)}, 100);
    const std::array loads{0.2, 0.2};
    CHECK_THROWS_AS((void)mix({one, two}, loads, 10, unlimited()), Error);
  }
}

#include "engine/reserve/plan.hpp"

#include <doctest/doctest.h>

using namespace berth;  // NOLINT(google-build-using-namespace)

namespace {

RunningSet running(std::initializer_list<Release> jobs, Duration margin = 0) {
  RunningSet set({seconds(60), 2, margin});
  for (const auto& job : jobs) set.insert(job.job, job.size, job.planned_end);
  return set;
}

Release until(std::int64_t second, std::uint32_t job, std::int32_t size) {
  return {seconds(second), seconds(second), JobId{job}, size};
}

struct Answer {
  Time start;
  std::int64_t spare;
  friend bool operator==(const Answer&, const Answer&) = default;
};

std::optional<Answer> shadow(std::int64_t size, std::int64_t idle,
                             const RunningSet& set, Time now,
                             ShadowTies ties = ShadowTies::kInclusive) {
  const auto found = shadow_of(size, idle, set, now, ties);
  if (!found) return std::nullopt;
  return Answer{found->start, found->spare};
}

// Job 1 frees 2 processors at 10, jobs 2 and 3 free 3 and 1 at 20, job 4 frees 2 at 30.
RunningSet four_jobs() {
  return running({until(10, 1, 2), until(20, 2, 3), until(20, 3, 1), until(30, 4, 2)});
}

}  // namespace

TEST_SUITE("reserve/plan") {
  TEST_CASE("a job that fits now has its shadow now") {
    CHECK(shadow(3, 5, four_jobs(), seconds(4)) == Answer{seconds(4), 2});
    CHECK(shadow(5, 5, four_jobs(), seconds(4)) == Answer{seconds(4), 0});
  }

  TEST_CASE("the shadow is the first release that makes room") {
    CHECK(shadow(3, 1, four_jobs(), 0) == Answer{seconds(10), 0});
    CHECK(shadow(4, 1, four_jobs(), 0)->start == seconds(20));
    CHECK(shadow(8, 1, four_jobs(), 0) == Answer{seconds(30), 1});
    CHECK(shadow(9, 1, four_jobs(), 0) == Answer{seconds(30), 0});
  }

  TEST_CASE("no release makes room for a job that is wider than all of them") {
    CHECK(shadow(10, 1, four_jobs(), 0) == std::nullopt);
    CHECK(shadow(1, 0, running({}), 0) == std::nullopt);
  }

  TEST_CASE("inclusive: every release of the shadow instant counts for the spare") {
    CHECK(shadow(4, 0, four_jobs(), 0) == Answer{seconds(20), 2});
  }

  TEST_CASE("literal: only the releases that were needed count") {
    const auto set = four_jobs();
    CHECK(shadow(4, 0, set, 0, ShadowTies::kLiteral) == Answer{seconds(20), 1});
    CHECK(shadow(6, 0, set, 0, ShadowTies::kLiteral) == Answer{seconds(20), 0});
  }

  TEST_CASE("a job that overran counts at its expected end") {
    const auto set = four_jobs();
    // At 12 job 1 is expected at 10 + 60, behind all others.
    CHECK(shadow(2, 0, set, seconds(12)) == Answer{seconds(20), 2});
    CHECK(shadow(6, 0, set, seconds(12)) == Answer{seconds(30), 0});
    CHECK(shadow(8, 0, set, seconds(12)) == Answer{seconds(70), 0});
    // At 70 it is expected at 10 + 120; jobs 2 and 3 at 80, job 4 at 90.
    CHECK(shadow(4, 0, set, seconds(70)) == Answer{seconds(80), 0});
    CHECK(shadow(8, 0, set, seconds(70)) == Answer{seconds(130), 0});
  }

  TEST_CASE("a late job released together with others counts with them") {
    const auto set = running({until(10, 1, 2), until(70, 2, 3)});
    CHECK(shadow(1, 0, set, seconds(19)) == Answer{seconds(70), 4});
    CHECK(shadow(1, 0, set, seconds(19), ShadowTies::kLiteral) ==
          Answer{seconds(70), 1});
  }

  TEST_CASE("at its planned end a job is late, or due now, by the mode of passes") {
    const auto late = running({until(10, 1, 2)});
    const auto due = running({until(10, 1, 2)}, seconds(1));
    CHECK(shadow(2, 0, late, seconds(10)) == Answer{seconds(70), 0});
    CHECK(shadow(2, 0, due, seconds(10)) == Answer{seconds(11), 0});
    CHECK(shadow(2, 0, due, seconds(11)) == Answer{seconds(70), 0});
  }

  TEST_CASE(
      "a job that ends by the shadow time is admitted in time, a tick later not") {
    const Plan plan{JobId{9}, seconds(10), 2};
    CHECK(plan.admits(5, seconds(10)) == Admission::kInTime);
    CHECK(plan.admits(5, seconds(10) + 1) == std::nullopt);
  }

  TEST_CASE("a job that ends later needs the spare") {
    const Plan plan{JobId{9}, seconds(10), 2};
    CHECK(plan.admits(2, seconds(99)) == Admission::kSpare);
    CHECK(plan.admits(3, seconds(99)) == std::nullopt);
  }

  TEST_CASE("only a job that ends later is charged, and an overdrawn plan is broken") {
    Plan plan{JobId{9}, seconds(10), 2};
    plan.charge(7, seconds(10));
    CHECK(plan.spare == 2);
    plan.charge(2, seconds(11));
    CHECK(plan.spare == 0);
    CHECK_FALSE(plan.broken());
    CHECK(plan.admits(1, seconds(11)) == std::nullopt);
    plan.charge(1, seconds(11));
    CHECK(plan.spare == -1);
    CHECK(plan.broken());
    CHECK(plan.admits(1, seconds(9)) == Admission::kInTime);
  }
}

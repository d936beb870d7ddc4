#include "engine/workload/estimates.hpp"

#include <doctest/doctest.h>

#include <array>

#include "engine/workload/lublin.hpp"
#include "tests/support/unlimited.hpp"

using namespace berth;

TEST_SUITE("workload/estimates") {
  TEST_CASE("the usual limit is the next round time") {
    struct Case {
      Duration time;
      Duration limit;
    };
    constexpr Duration kHour = seconds(3600);
    for (const Case& each : {Case{0, seconds(60)},
                             {seconds(60), seconds(60)},
                             {seconds(60) + 1, seconds(300)},
                             {seconds(1801), kHour},
                             {7 * kHour, 8 * kHour},
                             {18 * kHour, 18 * kHour},
                             {18 * kHour + 1, 24 * kHour},
                             {24 * kHour, 24 * kHour},
                             {49 * kHour, 72 * kHour}}) {
      CHECK(usual_limit(each.time) == each.limit);
    }
  }

  TEST_CASE("exact estimates are the lengths and count as not given") {
    Workload workload = lublin_workload({.jobs = 100}, 1, test::unlimited());
    estimate_by_factor(workload, 1, test::unlimited());
    CHECK(workload.without_walltime() == 0);
    estimate_exactly(workload, test::unlimited());
    CHECK(workload.without_walltime() == 100);
    for (const Job& job : workload.jobs) CHECK(job.walltime == job.length);
  }

  TEST_CASE("factors from one to five are drawn equally often") {
    constexpr std::size_t kJobs = 10'000;
    constexpr Duration kDay = seconds(86'400);
    Workload workload;
    workload.jobs.resize(kJobs);
    for (Job& job : workload.jobs)
      job.length = kDay;  // every multiple is a usual limit
    estimate_by_factor(workload, 3, test::unlimited());
    std::array<int, 6> drawn{};
    for (const Job& job : workload.jobs) {
      CHECK(job.walltime % kDay == 0);
      ++drawn.at(static_cast<std::size_t>(job.walltime / kDay));
    }
    // Five standard deviations of a binomial count of 2,000.
    for (std::size_t k = 1; k <= 5; ++k) CHECK(std::abs(drawn.at(k) - 2000) < 200);
    CHECK(drawn[0] == 0);
  }

  TEST_CASE("a seed gives the same walltimes again, another seed others") {
    Workload first = lublin_workload({.jobs = 200}, 1, test::unlimited());
    Workload again = first;
    Workload other = first;
    estimate_by_factor(first, 7, test::unlimited());
    estimate_by_factor(again, 7, test::unlimited());
    estimate_by_factor(other, 8, test::unlimited());
    int different = 0;
    for (std::size_t i = 0; i < first.jobs.size(); ++i) {
      CHECK(first.jobs[i].walltime == again.jobs[i].walltime);
      CHECK(first.jobs[i].walltime >= first.jobs[i].length);
      different += first.jobs[i].walltime != other.jobs[i].walltime;
    }
    CHECK(different > 50);
  }
}

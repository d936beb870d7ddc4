#include <doctest/doctest.h>

#include <vector>

#include "engine/compare/batch_means.hpp"
#include "tests/support/outcomes_of.hpp"

using namespace berth;
using test::OutcomesOf;

namespace {

JobOutcome job(std::uint32_t number, Duration wait) {
  JobOutcome made;
  made.job = JobId{number};
  made.length = seconds(100);
  made.wait = wait;
  made.response = wait + made.length;
  return made;
}

// In the order of their ends, numbered from the last to the first.
std::vector<JobOutcome> jobs(const std::vector<int>& waits) {
  std::vector<JobOutcome> all;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    all.push_back(job(static_cast<std::uint32_t>(waits.size() - i), seconds(waits[i])));
  }
  return all;
}

std::vector<JobOutcome> by_job(std::vector<JobOutcome> all) {
  return {all.rbegin(), all.rend()};
}

const BatchOptions kTwo{2, 0.95};

}  // namespace

TEST_SUITE("compare/batched_metrics") {
  TEST_CASE("batches follow the order of the ends, the first one is dropped") {
    // 99, 99 | 1, 3 | 5, 7 | 50 fills no batch: means 2 and 6.
    const auto made =
        batched_metrics(OutcomesOf(jobs({99, 99, 1, 3, 5, 7, 50})), {}, kTwo);
    const auto& wait = made.at("mean_wait");
    CHECK(wait.estimate.mean == 4.0);
    CHECK(wait.estimate.n == 2);
    // t(1, 0.975) = 12.7062, variance 8: 12.7062 * sqrt(8 / 2).
    CHECK(wait.estimate.half_width == doctest::Approx(25.4124).epsilon(1e-5));
    CHECK(wait.too_wide());
  }

  TEST_CASE("differences are over the jobs in both, in the order of the base") {
    const auto base = jobs({99, 99, 1, 3, 5, 7});
    auto other = by_job(jobs({0, 0, 2, 4, 8, 10}));
    const auto differences = [&] {
      return batched_differences(OutcomesOf(base), OutcomesOf(other), {}, kTwo);
    };
    CHECK(differences().at("mean_wait").estimate.mean == 2.0);  // 1 and 3
    // Without the last job: batches of one, -99 dropped, then -99 and 1.
    other.erase(other.begin());
    CHECK(differences().at("mean_wait").estimate.mean == -49.0);
  }

  TEST_CASE("fewer jobs than batches have no interval") {
    CHECK(batched_metrics(OutcomesOf(jobs({1, 2})), {}, kTwo).empty());
  }
}

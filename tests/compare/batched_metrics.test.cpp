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

// Waits in the order of submits; they end from the last to the first.
std::vector<JobOutcome> jobs(const std::vector<int>& waits) {
  std::vector<JobOutcome> all;
  for (std::size_t i = waits.size(); i-- > 0;) {
    all.push_back(job(static_cast<std::uint32_t>(i), seconds(waits[i])));
  }
  return all;
}

const BatchOptions kTwo{2, 0.95};

}  // namespace

TEST_SUITE("compare/batched_metrics") {
  TEST_CASE("batches follow the order of the submits, the first one is dropped") {
    // 99, 99 | 1, 3 | 5, 7 | 50 fills no batch: means 2 and 6.
    const auto made =
        batched_metrics(OutcomesOf(jobs({99, 99, 1, 3, 5, 7, 50})), {}, kTwo);
    CHECK(made.at("mean_wait") == std::vector<double>{2, 6});
    const auto wait = batched(made.at("mean_wait"), kTwo.confidence);
    CHECK(wait.estimate.mean == 4.0);
    CHECK(wait.estimate.n == 2);
    // t(1, 0.975) = 12.7062, variance 8: 12.7062 * sqrt(8 / 2).
    CHECK(wait.estimate.half_width == doctest::Approx(25.4124).epsilon(1e-5));
    CHECK(wait.too_wide());
  }

  TEST_CASE("a batch has the same jobs under every policy, whatever finishes") {
    auto some = jobs({99, 99, 1, 3, 5, 7});
    some[2].state = JobState::kFailed;  // of the wait 3
    const OutcomesOf outcomes(some);
    const auto made =
        batched_metrics(OutcomeView(outcomes).finished(), {}, kTwo).at("mean_wait");
    CHECK(made == std::vector<double>{1, 6});
    some[3].state = JobState::kFailed;  // a batch without a job has no mean
    const OutcomesOf fewer(some);
    CHECK(batched_metrics(OutcomeView(fewer).finished(), {}, kTwo).empty());
  }

  TEST_CASE("fewer jobs than batches have no interval") {
    CHECK(batched_metrics(OutcomesOf(jobs({1, 2})), {}, kTwo).empty());
  }
}

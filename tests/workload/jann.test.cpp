#include "engine/workload/jann.hpp"

#include <doctest/doctest.h>

#include <array>

#include "tests/support/unlimited.hpp"
#include "tests/workload/moments.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

TEST_SUITE("workload/jann") {
  TEST_CASE("a hyper-Erlang law of order 4 has the mean of its stages") {
    // 4 (0.612378 / 6.4678e-3 + 0.387622 / 1.1902e-4) = 13,405 s, jobs of size 1.
    const auto& law = jann_ranges().front().run_time;
    CHECK(law.mean() == doctest::Approx(13'405).epsilon(1e-4));
    auto engine = random_stream(1, "test");
    Sample drawn;
    for (int i = 0; i < 100'000; ++i) drawn.add(law.draw(engine));
    CHECK(drawn.mean() == doctest::Approx(13'405).epsilon(0.02));
    CHECK(drawn.variation() == doctest::Approx(1.43).epsilon(0.02));
  }

  TEST_CASE("means and variations of all ranges are those of the refit") {
    const std::array<std::array<double, 2>, 10> means{{{874.2, 13'405},
                                                       {3'728, 13'452},
                                                       {2'747, 7'344},
                                                       {3'520, 5'179},
                                                       {2'868, 8'373},
                                                       {5'995, 9'179},
                                                       {8'458, 12'637},
                                                       {32'850, 12'405},
                                                       {69'413, 1'340},
                                                       {141'860, 8'967}}};
    REQUIRE(jann_ranges().size() == means.size());
    for (std::size_t i = 0; i < means.size(); ++i) {
      CAPTURE(i);
      CHECK(jann_ranges()[i].gap.mean() == doctest::Approx(means[i][0]).epsilon(2e-3));
      CHECK(jann_ranges()[i].run_time.mean() ==
            doctest::Approx(means[i][1]).epsilon(2e-3));
    }
  }

  TEST_CASE("100,000 jobs have the sizes of the log, as the paper's workload has") {
    const auto workload = jann_workload(320, 100'000, 1, unlimited());
    Sample sizes;
    Sample lengths;
    double serial = 0;
    for (const auto& job : workload.jobs) {
      sizes.add(job.size);
      lengths.add(to_seconds(job.length));
      if (job.size == 1) ++serial;
      REQUIRE(job.size <= 320);
    }
    CHECK(sizes.mean() == doctest::Approx(10.5).epsilon(0.05));
    CHECK(serial / 100'000 == doctest::Approx(0.417).epsilon(0.02));
    CHECK(lengths.mean() == doctest::Approx(10'737).epsilon(0.03));
    CHECK(lengths.variation() == doctest::Approx(1.65).epsilon(0.05));
    CHECK(std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_first));
  }

  TEST_CASE("same seed, same jobs; sizes are cut to a smaller machine") {
    const auto jobs = jann_workload(320, 200, 5, unlimited()).jobs;
    const auto again = jann_workload(320, 200, 5, unlimited()).jobs;
    const auto other = jann_workload(320, 200, 6, unlimited()).jobs;
    CHECK(jobs.back().submit == again.back().submit);
    CHECK(jobs.back().submit != other.back().submit);
    for (const auto& job : jann_workload(8, 2000, 5, unlimited()).jobs)
      REQUIRE(job.size <= 8);
    CHECK(jann_workload(320, 0, 5, unlimited()).jobs.empty());
  }
}

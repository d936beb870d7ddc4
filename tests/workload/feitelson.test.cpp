#include "engine/workload/feitelson.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>

#include "engine/workload/transform.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/moments.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

TEST_SUITE("workload/feitelson") {
  TEST_CASE("sizes are calibrated to the paper: mean 23.4, under 18 % of one process") {
    const auto shares = feitelson_sizes(320, unlimited());
    double mean = 0;
    double powers = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const auto n = i + 1;
      mean += shares[i] * static_cast<double>(n);
      if ((n & (n - 1)) == 0) powers += shares[i];
    }
    CHECK(std::accumulate(shares.begin(), shares.end(), 0.0) == doctest::Approx(1));
    CHECK(shares.front() == doctest::Approx(0.180).epsilon(0.005));
    CHECK(mean == doctest::Approx(23.3).epsilon(0.005));
    CHECK(powers == doctest::Approx(0.608).epsilon(0.005));
  }

  TEST_CASE("200,000 jobs have a mean run time of 2,606.6 s, longer for larger jobs") {
    const auto workload = feitelson_workload(320, 200'000, 2, unlimited());
    Sample sizes;
    Sample lengths;
    for (const auto& job : workload.jobs) {
      sizes.add(job.size);
      lengths.add(to_seconds(job.length));
    }
    CHECK(sizes.mean() == doctest::Approx(23.3).epsilon(0.03));
    CHECK(lengths.mean() == doctest::Approx(2606.6).epsilon(0.03));
    CHECK(lengths.variation() > 1.3);
    CHECK(correlation(sizes, lengths) > 0.02);
    CHECK(offered_load(workload, 320, unlimited()).value() ==
          doctest::Approx(0.7).epsilon(0.1));
  }

  TEST_CASE("with most_repeats = 1 no job is run again, and the load is the same") {
    const auto once = feitelson_workload(320, 20'000, 3, unlimited(), 1);
    std::map<std::pair<std::int32_t, Duration>, Time> ends;  // by size and run time
    std::int64_t again = 0;
    for (const auto& job : once.jobs) {
      const auto before = ends.find({job.size, job.length});
      again += before != ends.end() && before->second == job.submit ? 1 : 0;
      ends[{job.size, job.length}] = job.submit + job.length;
    }
    CHECK(again < 10);
    CHECK(offered_load(once, 320, unlimited()).value() ==
          doctest::Approx(0.7).epsilon(0.1));
  }

  TEST_CASE("jobs are run again, each run when the one before would end") {
    const auto jobs = feitelson_workload(320, 20'000, 3, unlimited()).jobs;
    CHECK(std::is_sorted(jobs.begin(), jobs.end(), comes_first));
    std::map<std::pair<std::int32_t, Duration>, Time> ends;  // by size and run time
    std::int64_t again = 0;
    for (const auto& job : jobs) {
      const auto before = ends.find({job.size, job.length});
      const bool follows =
          before != ends.end() && std::abs(before->second - job.submit) <= 1;
      again += follows ? 1 : 0;
      ends[{job.size, job.length}] = job.submit + job.length;
    }
    // A mean of 1.95 runs a job: almost half of all runs follow another; a few come
    // after the last of these jobs or meet another job of their size and run time.
    CHECK(again > 8'500);
    CHECK(again < 10'000);
  }

  TEST_CASE("same seed, same jobs; none is wider than the machine") {
    const auto jobs = feitelson_workload(64, 500, 5, unlimited()).jobs;
    const auto again = feitelson_workload(64, 500, 5, unlimited()).jobs;
    CHECK(jobs.back().submit == again.back().submit);
    CHECK(jobs.back().length == again.back().length);
    for (const auto& job : jobs) REQUIRE(job.size <= 64);
    CHECK(feitelson_workload(1, 3, 5, unlimited()).jobs.size() == 3);
  }
}

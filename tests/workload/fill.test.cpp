#include "engine/workload/fill.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/builders.hpp"

using namespace berth;        // NOLINT(google-build-using-namespace)
using namespace berth::test;  // NOLINT(google-build-using-namespace)

namespace {

// Ten jobs that ask for 1 to 10 of 100; job 10 in parts of 2.
struct TenJobs {
  Workload workload;
  FillDemand demand{100};
  std::vector<std::string> names;

  TenJobs() {
    for (int i = 1; i <= 10; ++i) {
      workload.jobs.push_back(a_job(i, 0, i, 10));
      demand.jobs.push_back({i, i == 10 ? 2 : i});
    }
    Budget budget;
    keep_places(workload, budget);
  }
  void fill(double fill, std::uint64_t seed, FillOrder order = FillOrder::kTraceFirst) {
    Budget budget;
    const std::vector<std::string_view> views(names.begin(), names.end());
    fill_machine(workload, views, demand, {fill, order, seed}, budget);
  }
  [[nodiscard]] std::int64_t asked() const {
    std::int64_t sum = 0;
    for (const auto& job : workload.jobs) sum += job.size;
    return sum;
  }
  // The places of the arrivals in the trace.
  [[nodiscard]] const std::vector<std::uint32_t>& drawn() const {
    return workload.of_trace;
  }
};

}  // namespace

TEST_SUITE("workload/fill") {
  TEST_CASE("job k arrives at second k, and the demand is reached") {
    TenJobs ten;
    ten.fill(1.3, 1);
    const auto& jobs = ten.workload.jobs;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      CHECK(jobs[i].id == std::int64_t(i) + 1);
      CHECK(jobs[i].submit == seconds(std::int64_t(i) + 1));
    }
    // Short of the goal by less than the largest job, or over it by less than what job
    // 10 asks for beyond a part.
    CHECK(ten.asked() > 120);
    CHECK(ten.asked() <= 138);
  }

  TEST_CASE("the trace comes first, each job once, further ones behind it") {
    TenJobs ten;
    ten.fill(1.3, 1);
    auto first = ten.drawn();
    REQUIRE(first.size() > 10);
    first.resize(10);
    std::sort(first.begin(), first.end());
    CHECK(std::adjacent_find(first.begin(), first.end()) == first.end());
    TenJobs other;
    other.fill(1.3, 1, FillOrder::kShuffled);
    CHECK(other.drawn() != ten.drawn());
    auto all = ten.drawn();
    auto others = other.drawn();
    std::sort(all.begin(), all.end());
    std::sort(others.begin(), others.end());
    CHECK(all == others);
  }

  TEST_CASE("jobs are taken out where the trace asks for more") {
    TenJobs ten;
    ten.fill(0.3, 1);
    CHECK(ten.asked() <= 30);
    CHECK(ten.asked() > 20);
    CHECK(ten.workload.jobs.size() < 10);
  }

  TEST_CASE("draws hang on the seed and on names, not on the order of the rows") {
    TenJobs one;
    one.fill(2, 7);
    TenJobs two;
    two.fill(2, 7);
    CHECK(one.drawn() == two.drawn());
    TenJobs other;
    other.fill(2, 8);
    CHECK(one.drawn() != other.drawn());
    TenJobs named;
    for (int i = 0; i < 10; ++i) named.names.push_back(std::string(1, char('j' - i)));
    named.fill(0.55, 7);
    TenJobs plain;
    plain.fill(0.55, 7);
    REQUIRE(named.drawn().size() == 10);
    for (std::size_t i = 0; i < 10; ++i) {
      CHECK(named.drawn()[i] + plain.drawn()[i] == 9);
    }
  }
}

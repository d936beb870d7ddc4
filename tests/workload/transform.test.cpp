#include "engine/workload/transform.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "engine/workload/lublin.hpp"
#include "tests/support/unlimited.hpp"
#include "tests/workload/sources.hpp"

using namespace berth;
using namespace berth::test;

namespace {

// Jobs 1, 2, ... of one processor and ten seconds, submitted at these seconds.
Workload at(const std::vector<std::int64_t>& submits) {
  Workload workload;
  workload.source = "x.swf";
  for (const std::int64_t submit : submits) {
    Job job;
    job.id = static_cast<std::int64_t>(workload.jobs.size()) + 1;
    job.submit = seconds(submit);
    job.length = job.walltime = seconds(10);
    workload.jobs.push_back(job);
    workload.recorded.push_back({.status = static_cast<std::int32_t>(job.id)});
    workload.lines.push_back(job.id);
  }
  return workload;
}

std::vector<double> submits(const Workload& workload) {
  std::vector<double> submits;
  for (const Job& job : workload.jobs) submits.push_back(to_seconds(job.submit));
  return submits;
}

std::vector<std::int64_t> ids(const Workload& workload) {
  std::vector<std::int64_t> ids;
  for (const Job& job : workload.jobs) ids.push_back(job.id);
  return ids;
}

using Times = std::vector<double>;
using Ids = std::vector<std::int64_t>;

}  // namespace

TEST_SUITE("workload/transform") {
  TEST_CASE("the first jobs are kept, with their records") {
    Workload workload = at({5, 6, 7});
    keep_first(workload, 2);
    CHECK(submits(workload) == Times{5, 6});
    CHECK(workload.recorded.size() == 2);
    CHECK(workload.lines.size() == 2);
    keep_first(workload, 9);
    CHECK(workload.jobs.size() == 2);
    keep_first(workload, 0);
    CHECK(workload.jobs.empty());
  }

  TEST_CASE(
      "a window begins with its first instant, ends before its last, shifts nothing") {
    Workload workload = at({0, 10, 20, 30});
    keep_window(workload, seconds(10), seconds(30), unlimited());
    CHECK(submits(workload) == Times{10, 20});
    CHECK(ids(workload) == Ids{2, 3});
    CHECK(workload.recorded[1].status == 3);
  }

  TEST_CASE("jobs as long as the longest stay, with their records") {
    Workload workload = at({0, 10, 20});
    workload.jobs[0].length = seconds(61);
    workload.jobs[1].length = seconds(60);
    workload.jobs[2].length = seconds(5);
    keep_up_to(workload, seconds(60), unlimited());
    CHECK(ids(workload) == Ids{2, 3});
    CHECK(workload.recorded[1].status == 3);
    keep_up_to(workload, 0, unlimited());
    CHECK(workload.jobs.empty());
  }

  TEST_CASE("windows side by side share no job and lose none") {
    const Workload workload = at({0, 10, 10, 20, 30});
    Workload left = workload;
    Workload right = workload;
    keep_window(left, 0, seconds(10), unlimited());
    keep_window(right, seconds(10), kNever, unlimited());
    CHECK(left.jobs.size() + right.jobs.size() == 5);
  }

  TEST_CASE("a copy comes one mean gap after the copy before, with new numbers") {
    Workload workload = at({100, 110, 140});  // mean gap 20
    repeat(workload, 3, unlimited());
    CHECK(submits(workload) == Times{100, 110, 140, 160, 170, 200, 220, 230, 260});
    CHECK(ids(workload) == Ids{1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(workload.recorded[8].status == 3);
    CHECK(workload.lines == TraceLines{1, 2, 3, 1, 2, 3, 1, 2, 3});
  }

  TEST_CASE("numbers stay unique where the trace has holes and another order") {
    Workload workload = at({0, 0, 7});
    workload.jobs[0].id = 20;
    workload.jobs[1].id = 41;
    workload.jobs[2].id = 3;
    repeat(workload, 4, unlimited());
    const Ids all = ids(workload);
    CHECK(std::set<std::int64_t>(all.begin(), all.end()).size() == 12);
    CHECK(all[3] == 20 + 39);  // 41 - 3 + 1
    CHECK(std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_first));
  }

  TEST_CASE("jobs of one instant are repeated second by second") {
    Workload workload = at({50, 50});
    repeat(workload, 2, unlimited());
    CHECK(submits(workload) == Times{50, 50, 51, 51});
    Workload none;
    repeat(none, 5, unlimited());
    CHECK(none.jobs.empty());
  }

  TEST_CASE("copies beyond the range of times or numbers are refused") {
    Workload workload = at({0, 10'000'000'000});
    CHECK(error_of([&] { repeat(workload, 6, unlimited()); }) ==
          "x.swf: 6 copies end to end are out of range; repeat it less often");
    CHECK(workload.jobs.size() == 2);
    Workload numbered = at({0});
    numbered.jobs[0].id = kLargestId;
    CHECK(!error_of([&] { repeat(numbered, 2, unlimited()); }).empty());
  }

  TEST_CASE("offered load is work over capacity in the span of submits") {
    Workload workload = at({0, 50, 100});  // 30 processor seconds in 100 s
    CHECK(offered_load(workload, 1, unlimited()).value() == doctest::Approx(0.3));
    CHECK(offered_load(workload, 4, unlimited()).value() == doctest::Approx(0.075));
    workload.jobs[2].size = 5;
    CHECK(offered_load(workload, 4, unlimited()).value() == doctest::Approx(0.05));
    CHECK(offered_load(workload, 5, unlimited()).value() == doctest::Approx(0.14));
    CHECK_FALSE(offered_load(at({7}), 4, unlimited()));
    CHECK_FALSE(offered_load(Workload{}, 4, unlimited()));
  }

  TEST_CASE("half the gaps are twice the load, and the first job stays where it is") {
    Workload workload = at({100, 110, 140});
    scale_load(workload, 0.5, unlimited());
    CHECK(submits(workload) == Times{100, 105, 120});
    scale_load(workload, 3, unlimited());
    CHECK(submits(workload) == Times{100, 115, 160});
    CHECK(workload.jobs[1].length == seconds(10));
  }

  TEST_CASE("rounding does not add up") {
    Workload workload = at({});
    for (int i = 0; i <= 3000; ++i) {
      Job job;
      job.id = i;
      job.submit = i;  // one tick apart
      workload.jobs.push_back(job);
    }
    scale_load(workload, 1.0 / 3, unlimited());
    CHECK(workload.jobs[3000].submit == 1000);
    CHECK(workload.jobs[1].submit == 0);
    CHECK(workload.jobs[2].submit == 1);
  }

  TEST_CASE("jobs that fall on one instant are in order of number") {
    Workload workload = at({0, 1, 2});
    workload.jobs[1].id = 9;
    workload.jobs[2].id = 5;
    scale_load(workload, 1e-9, unlimited());
    CHECK(ids(workload) == Ids{1, 5, 9});
    CHECK(workload.recorded[1].status == 3);
  }

  TEST_CASE("a load that is asked for is reached") {
    for (const double load : {0.3, 0.9, 1.7}) {
      Workload workload =
          lublin_workload({.processors = 64, .jobs = 2000}, 5, unlimited());
      reach_load(workload, 64, load, unlimited());
      CHECK(offered_load(workload, 64, unlimited()).value() ==
            doctest::Approx(load).epsilon(1e-6));
    }
  }

  TEST_CASE("a load that cannot be reached is refused") {
    Workload one = at({3});
    CHECK(!error_of([&] { reach_load(one, 4, 0.5, unlimited()); }).empty());
    Workload wide = at({0, 10});
    for (Job& job : wide.jobs) job.size = 8;
    CHECK(!error_of([&] { reach_load(wide, 4, 0.5, unlimited()); }).empty());
    Workload far = at({0, 1000});
    CHECK(error_of([&] {
            reach_load(far, 1, 1e-12, unlimited());
          }).rfind("x.swf: submit times", 0) == 0);
  }

  TEST_CASE(
      "shaking moves submits later by whole seconds, one draw for a user's batch") {
    Workload workload = at({0, 0, 0, 100, 100});
    for (std::size_t i = 0; i < 5; ++i) {
      workload.jobs[i].user = i == 2 ? 8 : 7;
    }
    auto shaken = workload;
    shake(shaken, 60, 3, unlimited());
    std::map<std::int64_t, Time> later;
    for (const Job& job : shaken.jobs) {
      const auto before = workload.jobs[static_cast<std::size_t>(job.id - 1)].submit;
      later[job.id] = job.submit - before;
      CHECK(later[job.id] >= 0);
      CHECK(later[job.id] <= seconds(60));
      CHECK(later[job.id] % kSecond == 0);
    }
    CHECK(later[1] == later[2]);
    CHECK(later[4] == later[5]);
    CHECK(std::is_sorted(shaken.jobs.begin(), shaken.jobs.end(), comes_first));
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(shaken.recorded[i].status == shaken.jobs[i].id);
      CHECK(shaken.lines[i] == shaken.jobs[i].id);
    }
    auto again = workload;
    shake(again, 60, 3, unlimited());
    CHECK(submits(again) == submits(shaken));
    shake(again, 0, 3, unlimited());
    CHECK(submits(again) == submits(shaken));
    std::set<Times> draws;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      auto other = workload;
      shake(other, 60, seed, unlimited());
      draws.insert(submits(other));
    }
    CHECK(draws.size() > 1);
  }

  TEST_CASE("users are resampled whole, and a second copy is another user weeks away") {
    constexpr std::int64_t kWeek = 7 * 86'400;
    std::vector<std::int64_t> times;
    for (std::int64_t i = 0; i < 40; ++i) times.push_back(i * kWeek / 8);
    Workload workload = at(times);
    for (std::size_t i = 0; i < 40; ++i) {
      workload.jobs[i].user = static_cast<std::int32_t>(i % 4);
    }
    bool has_copy = false;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      auto drawn = workload;
      resample_users(drawn, seed, unlimited());
      CHECK(drawn.jobs.size() == 40);  // four users of ten jobs each
      CHECK(std::is_sorted(drawn.jobs.begin(), drawn.jobs.end(), comes_first));
      std::map<std::int32_t, int> counts;
      for (std::size_t i = 0; i < drawn.jobs.size(); ++i) {
        const auto& job = drawn.jobs[i];
        ++counts[job.user];
        CHECK(job.id == static_cast<std::int64_t>(i) + 1);
        // The record tells which job it was.
        const auto& from =
            workload.jobs[static_cast<std::size_t>(drawn.recorded[i].status - 1)];
        CHECK((job.submit - from.submit) % seconds(kWeek) == 0);
        CHECK(drawn.lines[i] == from.id);
        if (job.user < 4) {
          CHECK(job.submit == from.submit);
        } else {
          has_copy = true;
        }
      }
      CHECK(counts.size() == 4);
      for (const auto& [user, count] : counts) CHECK(count == 10);
      auto again = workload;
      resample_users(again, seed, unlimited());
      CHECK(submits(again) == submits(drawn));
    }
    CHECK(has_copy);
    Workload nameless = at({0, 1});
    CHECK_THROWS_AS(resample_users(nameless, 1, unlimited()), Error);
  }
}

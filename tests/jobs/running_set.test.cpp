#include "engine/jobs/running_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

std::vector<Release> releases(const RunningSet& running, Time now) {
  std::vector<Release> out;
  running.releases(now, out);
  return out;
}

// By definition: every job at its expected end, by (end, id).
std::vector<Release> naive_releases(std::vector<Release> planned, Duration grace,
                                    Lateness lateness, Time now) {
  for (auto& entry : planned) {
    const bool late =
        entry.at < now || (lateness == Lateness::kAtPlannedEnd && entry.at == now);
    if (late) entry.at = now + grace;
  }
  std::sort(planned.begin(), planned.end(), [](const Release& a, const Release& b) {
    return std::tie(a.at, a.job) < std::tie(b.at, b.job);
  });
  return planned;
}

}  // namespace

TEST_SUITE("jobs/running_set") {
  TEST_CASE("processors come free by planned end, at one instant by job") {
    RunningSet running(1, Lateness::kAtPlannedEnd);
    running.insert(JobId{3}, 4, 50);
    running.insert(JobId{1}, 2, 50);
    running.insert(JobId{2}, 1, 40);
    CHECK(running.size() == 3);
    CHECK(releases(running, 0) == std::vector<Release>{{40, JobId{2}, 1},
                                                       {50, JobId{1}, 2},
                                                       {50, JobId{3}, 4}});
  }

  TEST_CASE("who runs past the planned end is expected a grace from now") {
    RunningSet running(5, Lateness::kAtPlannedEnd);
    running.insert(JobId{1}, 2, 40);
    running.insert(JobId{2}, 1, 52);
    running.insert(JobId{3}, 4, 70);
    CHECK(running.any_overrun(50));
    CHECK(running.expected_end(40, 50) == 55);
    CHECK(running.expected_end(52, 50) == 52);
    CHECK(releases(running, 50) == std::vector<Release>{{52, JobId{2}, 1},
                                                        {55, JobId{1}, 2},
                                                        {70, JobId{3}, 4}});
    std::vector<Release> late{{1, JobId{9}, 9}};
    running.overrun(60, late);
    CHECK(late == std::vector<Release>{{65, JobId{1}, 2}, {65, JobId{2}, 1}});
  }

  TEST_CASE("the late and the punctual of one instant come by job") {
    RunningSet running(5, Lateness::kAtPlannedEnd);
    running.insert(JobId{8}, 1, 10);
    running.insert(JobId{4}, 1, 55);
    CHECK(releases(running, 50) ==
          std::vector<Release>{{55, JobId{4}, 1}, {55, JobId{8}, 1}});
  }

  TEST_CASE("at the planned end itself the setting decides who is late") {
    RunningSet at(5, Lateness::kAtPlannedEnd);
    RunningSet behind(5, Lateness::kAfterPlannedEnd);
    at.insert(JobId{1}, 1, 50);
    behind.insert(JobId{1}, 1, 50);
    CHECK(at.any_overrun(50));
    CHECK_FALSE(behind.any_overrun(50));
    CHECK(behind.any_overrun(51));
    CHECK(at.expected_end(50, 50) == 55);
    CHECK(behind.expected_end(50, 50) == 50);
  }

  TEST_CASE("nobody has overrun when nobody runs") {
    const RunningSet running(5, Lateness::kAtPlannedEnd);
    CHECK_FALSE(running.any_overrun(kNever));
    CHECK(releases(running, 50).empty());
  }

  TEST_CASE("a job that does not run cannot leave") {
    RunningSet running(5, Lateness::kAtPlannedEnd);
    running.insert(JobId{1}, 1, 50);
    CHECK_THROWS_AS(running.erase(JobId{2}, 50), Error);
    CHECK_THROWS_AS(running.erase(JobId{1}, 49), Error);
    CHECK(running.size() == 1);
  }

  TEST_CASE("after any arrivals and departures it equals a sorted list") {
    auto engine = random_stream(1, "test.running_set");
    for (const auto lateness : {Lateness::kAtPlannedEnd, Lateness::kAfterPlannedEnd}) {
      RunningSet running(3, lateness);
      std::vector<Release> model;
      for (std::uint32_t step = 0; step < 5000; ++step) {
        if (model.size() < 4 || (model.size() < 30 && engine() % 2 == 0)) {
          model.push_back({static_cast<Time>(engine() % 40), JobId{step}, 1});
          running.insert(JobId{step}, 1, model.back().at);
        } else {
          const auto gone =
              model.begin() + static_cast<std::ptrdiff_t>(engine() % model.size());
          running.erase(gone->job, gone->at);
          model.erase(gone);
        }
        const auto now = static_cast<Time>(engine() % 40);
        const auto expected = naive_releases(model, 3, lateness, now);
        REQUIRE(releases(running, now) == expected);
        std::vector<Release> late;
        running.overrun(now, late);
        REQUIRE(running.any_overrun(now) == !late.empty());
      }
    }
  }
}

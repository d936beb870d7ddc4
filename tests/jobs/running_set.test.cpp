#include "engine/jobs/running_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;

namespace {

constexpr OverrunRule kFive{5, 2};

std::vector<Release> releases(const RunningSet& running, Time now) {
  const auto all = running.releases(now);
  return {all.begin(), all.end()};
}

// The definition: grace * growth^k for k = 0, 1, ... until it lies behind now.
Time by_definition(const OverrunRule& rule, Time planned_end, Time now) {
  if (planned_end > now) return planned_end;
  if (planned_end == now && rule.due_margin > 0) return now + rule.due_margin;
  Duration step = rule.grace;
  while (planned_end + step <= now) {
    step = rule.growth == 1 ? step + rule.grace : step * rule.growth;
  }
  return planned_end + step;
}

std::vector<Release> naive_releases(std::vector<Release> running,
                                    const OverrunRule& rule, Time now) {
  for (auto& each : running) each.at = by_definition(rule, each.planned_end, now);
  std::sort(running.begin(), running.end(), [](const Release& a, const Release& b) {
    return std::tie(a.at, a.job) < std::tie(b.at, b.job);
  });
  return running;
}

}  // namespace

TEST_SUITE("jobs/overrun_rule") {
  TEST_CASE("a late job is expected 60, 120, 240 s ... after its planned end") {
    const OverrunRule rule;
    const Time end = seconds(100);
    CHECK(rule.expected_end(end, end - 1) == end);
    CHECK(rule.expected_end(end, end) == end + seconds(60));
    CHECK(rule.expected_end(end, end + seconds(60) - 1) == end + seconds(60));
    CHECK(rule.expected_end(end, end + seconds(60)) == end + seconds(120));
    CHECK(rule.expected_end(end, end + seconds(120)) == end + seconds(240));
    CHECK(rule.expected_end(end, end + seconds(1000)) == end + seconds(1920));
  }

  TEST_CASE("growth 1 stands for every multiple of the grace") {
    const OverrunRule rule{seconds(10), 1};
    CHECK(rule.expected_end(0, 0) == seconds(10));
    CHECK(rule.expected_end(0, seconds(10)) == seconds(20));
    CHECK(rule.expected_end(0, seconds(1005)) == seconds(1010));
  }

  TEST_CASE("no expected end lies beyond what a Time can hold") {
    const Time late = kNever / 2;
    CHECK(OverrunRule{seconds(60), 1'000'000}.expected_end(0, late) > late);
    CHECK(OverrunRule{kNever, 2}.expected_end(1, late) == kNever);
    CHECK(OverrunRule{kNever, 1}.expected_end(1, late) == kNever);
  }

  TEST_CASE("with a pass after each event, an end that is due now is not late yet") {
    const OverrunRule rule{seconds(60), 2, seconds(1)};
    CHECK_FALSE(rule.has_overrun(50, 50));
    CHECK(rule.expected_end(50, 50) == 50 + seconds(1));
    CHECK(rule.has_overrun(50, 51));
    CHECK(rule.expected_end(50, 51) == 50 + seconds(60));
    CHECK(OverrunRule{}.has_overrun(50, 50));
  }

  TEST_CASE("an end is early if it comes before the end expected just before it") {
    const OverrunRule rule;
    CHECK(rule.ends_early(seconds(100), seconds(99)));
    CHECK_FALSE(rule.ends_early(seconds(100), seconds(100)));
    CHECK(rule.ends_early(seconds(100), seconds(101)));
    CHECK(rule.ends_early(seconds(100), seconds(160) - 1));
    CHECK_FALSE(rule.ends_early(seconds(100), seconds(160)));
    CHECK(rule.ends_early(seconds(100), seconds(161)));
    CHECK_FALSE(rule.ends_early(seconds(100), seconds(220)));
  }
}

TEST_SUITE("jobs/running_set") {
  TEST_CASE("running jobs come by planned end, at one instant by job") {
    RunningSet running(kFive);
    running.insert(JobId{3}, 4, 50);
    running.insert(JobId{1}, 2, 50);
    running.insert(JobId{2}, 1, 40);
    CHECK(running.size() == 3);
    CHECK(releases(running, 0) == std::vector<Release>{{40, 40, JobId{2}, 1},
                                                       {50, 50, JobId{1}, 2},
                                                       {50, 50, JobId{3}, 4}});
  }

  TEST_CASE("a late job is placed anew each time its expected end has passed") {
    RunningSet running(kFive);
    running.insert(JobId{1}, 2, 40);
    running.insert(JobId{2}, 1, 52);
    running.insert(JobId{3}, 4, 70);
    CHECK(releases(running, 44).front() == Release{45, 40, JobId{1}, 2});
    CHECK(releases(running, 46).front() == Release{50, 40, JobId{1}, 2});
    CHECK(releases(running, 50) == std::vector<Release>{{52, 52, JobId{2}, 1},
                                                        {60, 40, JobId{1}, 2},
                                                        {70, 70, JobId{3}, 4}});
    CHECK(running.expected_end(40, 50) == 60);
  }

  TEST_CASE("a late job and one in time with the same expected end come by job") {
    RunningSet running({45, 2});
    running.insert(JobId{8}, 1, 10);
    running.insert(JobId{4}, 1, 55);
    CHECK(releases(running, 50) ==
          std::vector<Release>{{55, 55, JobId{4}, 1}, {55, 10, JobId{8}, 1}});
  }

  TEST_CASE("a job whose end is due now stands a margin from now, then is late") {
    RunningSet running({60, 2, 10});
    running.insert(JobId{1}, 1, 50);
    running.insert(JobId{2}, 1, 55);
    CHECK(releases(running, 50) ==
          std::vector<Release>{{55, 55, JobId{2}, 1}, {60, 50, JobId{1}, 1}});
    CHECK(releases(running, 52) ==
          std::vector<Release>{{55, 55, JobId{2}, 1}, {110, 50, JobId{1}, 1}});
    running.erase(JobId{1}, 50);
    CHECK(running.size() == 1);
  }

  TEST_CASE("no running jobs, no releases") {
    const RunningSet running(kFive);
    CHECK(releases(running, 50).empty());
  }

  TEST_CASE("a job that does not run cannot leave") {
    RunningSet running(kFive);
    running.insert(JobId{1}, 1, 50);
    CHECK_THROWS_AS(running.erase(JobId{2}, 50), Error);
    CHECK_THROWS_AS(running.erase(JobId{1}, 49), Error);
    CHECK(running.size() == 1);
  }

  TEST_CASE("a long row, many changes between two questions: equal to a sorted list") {
    auto engine = random_stream(2, "test.running_set");
    // Equal ends, or all different; a margin for those that are due, or none.
    using Case = std::pair<Time, OverrunRule>;
    for (const auto& [spread, rule] : {Case{1, {3, 2}}, Case{7, {3, 2}},
                                       Case{7, {3, 2, 2}}, Case{100'000, {3, 2}}}) {
      RunningSet running(rule);
      std::vector<Release> model;
      Time now = 0;
      std::uint32_t next = 0;
      for (const std::size_t most : {3000, 10, 5000, 1100, 1000, 2000, 0, 1500}) {
        while (model.size() < most) {
          const Time end = now + 1 + static_cast<Time>(engine() % spread);
          model.push_back({end, end, JobId{next}, 1});
          running.insert(JobId{next++}, 1, end);
        }
        while (model.size() > most) {
          const auto gone =
              model.begin() + static_cast<std::ptrdiff_t>(engine() % model.size());
          running.erase(gone->job, gone->planned_end);
          model.erase(gone);
        }
        // One leaves and comes back with the same end, one comes and leaves.
        if (most > 0 && model.front().planned_end > now) {
          running.erase(model.front().job, model.front().planned_end);
          running.insert(model.front().job, 1, model.front().planned_end);
        }
        running.insert(JobId{next}, 1, now + 2);
        running.erase(JobId{next++}, now + 2);
        CHECK(running.size() == model.size());
        if (engine() % 2 == 0) continue;
        now += static_cast<Time>(engine() % 3);
        REQUIRE(releases(running, now) == naive_releases(model, rule, now));
        if (most == 0) continue;
        running.erase(model.back().job, model.back().planned_end);
        model.pop_back();
        REQUIRE(releases(running, now) == naive_releases(model, rule, now));
      }
    }
  }

  TEST_CASE("after any starts, ends and questions it equals a sorted list") {
    auto engine = random_stream(1, "test.running_set");
    for (const OverrunRule rule : {OverrunRule{3, 2}, OverrunRule{1, 1},
                                   OverrunRule{4, 3, 2}, OverrunRule{2, 1, 5}}) {
      RunningSet running(rule);
      std::vector<Release> model;
      Time now = 0;
      for (std::uint32_t step = 0; step < 5000; ++step) {
        if (model.size() < 4 || (model.size() < 30 && engine() % 2 == 0)) {
          const Time end = now + 1 + static_cast<Time>(engine() % 40);
          model.push_back({end, end, JobId{step}, 1});
          running.insert(JobId{step}, 1, end);
        } else {
          const auto gone =
              model.begin() + static_cast<std::ptrdiff_t>(engine() % model.size());
          running.erase(gone->job, gone->planned_end);
          model.erase(gone);
        }
        now += static_cast<Time>(engine() % 4);
        if (engine() % 3 == 0) continue;  // nothing is asked at this instant
        REQUIRE(releases(running, now) == naive_releases(model, rule, now));
      }
    }
  }
}

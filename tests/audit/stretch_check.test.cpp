#include "engine/audit/stretch_check.hpp"

#include <doctest/doctest.h>

#include "tests/support/builders.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)
using namespace berth::test;   // NOLINT(google-build-using-namespace)

namespace {

Stay stay(std::uint32_t job, double from, double to, Doing doing = Doing::kRunning,
          double yield = 1) {
  Stay made{.job = JobId{job}};
  made.from = *ticks_from_seconds(from);
  made.to = *ticks_from_seconds(to);
  made.doing = doing;
  made.yield = doing == Doing::kRunning ? yield : 0;
  return made;
}

Scheduled row(std::uint32_t job, std::int64_t start, std::int64_t end,
              Stated state = Stated::kCompleted) {
  return {JobId{job}, seconds(start), seconds(end), state};
}

// Job 1 is 10 s long and job 2 has no length; each has a walltime of 12 s.
const std::vector<Job>& jobs() {
  static const std::vector kJobs{a_job(1, 0, 1, 10, 12), a_job(2, 5, 1, 0, 12)};
  return kJobs;
}

StretchRules rules(bool full_speed = true) {
  StretchRules made{[](JobId) { return false; }};
  if (!full_speed) made.speed = [](const Stay&) { return std::optional<double>(); };
  made.migration_cost = seconds(2);
  return made;
}

// From 0 to 4, suspended, frozen from 10 to 12, to 18.
std::vector<Stay> resumed() {
  return {stay(0, 0, 4), stay(0, 4, 10, Doing::kSuspended),
          stay(0, 10, 12, Doing::kFrozen), stay(0, 12, 18)};
}

using Broken = std::map<std::string, std::int64_t>;

Broken broken(const std::vector<Stay>& stays,
              const std::optional<std::vector<Scheduled>>& rows = {},
              const StretchRules& by = rules()) {
  StretchedSchedule schedule{stays, std::nullopt};
  if (rows) schedule.rows = *rows;
  return check_stretches(jobs(), schedule, by).broken;
}

}  // namespace

TEST_SUITE("audit/stretch_check") {
  TEST_CASE("F29: a right schedule breaks no rule, with the rows of jobs or without") {
    CHECK(broken(resumed()).empty());
    CHECK(broken(resumed(), {{row(0, 0, 18), row(1, 5, 5)}}).empty());
  }

  TEST_CASE(
      "F29: rows are not jobs: an empty schedule lacks each job that has a length") {
    CHECK(broken({}) == Broken{{"missing", 1}});
    CHECK(broken({}, {{}}) == Broken{{"missing", 2}});
    CHECK(broken({}, {{row(0, 0, 10), row(1, 5, 5)}}) == Broken{{"missing", 1}});
    auto by = rules();
    by.never_fits = [](JobId) { return true; };
    CHECK(broken({}, {}, by).empty());
  }

  TEST_CASE("F29: whatever is cut out of a job's stretches is found") {
    for (std::size_t cut = 0; cut < 4; ++cut) {
      CAPTURE(cut);
      auto stays = resumed();
      stays.erase(stays.begin() + static_cast<std::ptrdiff_t>(cut));
      CHECK_FALSE(broken(stays).empty());
    }
    auto shorter = resumed();
    shorter.back().to = seconds(17);
    CHECK(broken(shorter) == Broken{{"length", 1}});
    auto later = resumed();
    later.back().from = seconds(13);
    CHECK(broken(later).contains("order"));
    auto slower = resumed();
    slower.back().yield = 0.5;
    CHECK(broken(slower) == Broken{{"state", 1}, {"length", 1}});
  }

  TEST_CASE("work is the integral of the yield") {
    const auto slow = rules(false);
    CHECK(broken({stay(0, 0, 8, Doing::kRunning, 0.5), stay(0, 8, 14)}, {}, slow)
              .empty());
    CHECK(broken({stay(0, 0, 8, Doing::kRunning, 0.5), stay(0, 8, 13)}, {}, slow) ==
          Broken{{"length", 1}});
    CHECK(broken({stay(0, 0, 8, Doing::kRunning, 1.5)}, {}, slow).contains("state"));
  }

  TEST_CASE("a killed job ran for its walltime, whatever work it did") {
    auto kills = rules(false);
    kills.kills = true;
    const std::vector half{stay(0, 0, 12, Doing::kRunning, 0.5)};
    const auto with = [&](Stated state) {
      return std::vector{row(0, 0, 12, state), row(1, 5, 5)};
    };
    CHECK(broken(half, with(Stated::kKilled), kills).empty());
    CHECK(broken(half, with(Stated::kCompleted), kills) == Broken{{"length", 1}});
    CHECK(broken({stay(0, 0, 10)}, {{row(0, 0, 10, Stated::kKilled), row(1, 5, 5)}},
                 kills) == Broken{{"length", 1}});
    CHECK(broken({stay(0, 0, 20, Doing::kRunning, 0.5)},
                 {{row(0, 0, 20), row(1, 5, 5)}}, kills) == Broken{{"length", 1}});
  }

  TEST_CASE("with a restart, the work in the background is lost") {
    auto below = stay(0, 0, 4);
    below.tier = Tier::kBackground;
    auto above = stay(0, 4, 14);
    above.tier = Tier::kForeground;
    auto first = row(0, 0, 14);
    CHECK(broken({below, above}, {{first, row(1, 5, 5)}}) == Broken{{"length", 1}});
    first.restarts = 1;
    CHECK(broken({below, above}, {{first, row(1, 5, 5)}}).empty());
  }

  TEST_CASE("a resumed job is frozen for one migration delay") {
    auto stays = resumed();
    stays[2].from = stays[1].to.emplace(seconds(11));
    CHECK(broken(stays) == Broken{{"frozen", 1}});
    auto unknown = rules();
    unknown.migration_cost.reset();
    CHECK(broken(stays, {}, unknown).empty());
  }

  TEST_CASE("a start, an end and a state that the stretches do not show are found") {
    CHECK(broken(resumed(), {{row(0, 1, 18), row(1, 5, 5)}}) == Broken{{"order", 1}});
    CHECK(broken(resumed(), {{row(0, 0, 19), row(1, 5, 5)}}) == Broken{{"order", 1}});
    Scheduled rejected{JobId{0}, {}, {}, Stated::kRejected};
    CHECK(broken(resumed(), {{rejected, row(1, 5, 5)}}) == Broken{{"state", 1}});
    CHECK(broken({}, {{rejected, row(1, 5, 5)}}).empty());
    Scheduled waiting{JobId{0}, {}, {}, Stated::kUnfinished};
    CHECK(broken({}, {{waiting, row(1, 5, 5)}}) == Broken{{"unstarted", 1}});
  }

  TEST_CASE("the start of a job is not before its submit time") {
    CHECK(broken({stay(0, 0, 10)}, {{row(0, 0, 10), row(1, 4, 4)}}) ==
          Broken{{"order", 1}});
  }
}

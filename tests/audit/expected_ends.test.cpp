#include "engine/audit/expected_ends.hpp"

#include <doctest/doctest.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <map>
#include <utility>

#include "engine/base/random_stream.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)

TEST_SUITE("audit/expected_ends") {
  TEST_CASE("a late job is expected at growing steps behind its planned end") {
    const Overruns doubling{60, 2};
    CHECK(doubling.expected_end(100, 99) == 100);
    CHECK(doubling.expected_end(100, 100) == 160);
    CHECK(doubling.expected_end(100, 159) == 160);
    CHECK(doubling.expected_end(100, 160) == 220);
    CHECK(doubling.expected_end(100, 220) == 340);
    CHECK(doubling.expected_end(100, kNever - 1) == kNever);
    const Overruns steady{60, 1};
    CHECK(steady.expected_end(100, 99) == 100);
    CHECK(steady.expected_end(100, 100) == 160);
    CHECK(steady.expected_end(100, 160) == 220);
    CHECK(steady.expected_end(100, 220) == 280);
    CHECK(steady.expected_end(-100, 21) == 80);
  }

  TEST_CASE("an empty set has no ends") {
    ExpectedEnds ends(Overruns{});
    CHECK_FALSE(ends.any_by(1'000));
    CHECK(ends.first_ends(1000).empty());
    ends.let_go(ends.hold(1, 5));
    CHECK_FALSE(ends.any_by(1'000));
    CHECK(ends.first_ends(1000).empty());
    CHECK(ends.pass_over(1'000) == 0);
  }

  TEST_CASE("at the end of time a job that never ends is expected never, once") {
    ExpectedEnds ends(Overruns{60, 2});
    (void)ends.hold(1, 5);
    CHECK(ends.pass_over(kNever) == 1);
    CHECK(ends.pass_over(kNever) == 0);
    CHECK(ends.any_late());
    CHECK_FALSE(ends.any_by(kNever - 1));
  }

  TEST_CASE("the order is right, however many changes come between two questions") {
    for (const int rarely : {1, 4, 40, 400}) {
      CAPTURE(rarely);
      auto stream = random_stream(7, "test.expected_ends");
      boost::random::uniform_int_distribution<int> any(0, 999);
      const Overruns rule{7, 2};
      ExpectedEnds ends(rule);
      std::map<std::uint32_t, Time> held;  // planned ends by slot
      Time now = 0;
      std::int64_t missed = 0;
      for (int step = 0; step < 4'000; ++step) {
        const bool comes = held.empty() || any(stream) < (step < 2'000 ? 550 : 450);
        if (comes) {
          const Time end = now + 1 + any(stream);
          CHECK(held.emplace(ends.hold(1 + any(stream), end), end).second);
        } else {
          const auto skipped = any(stream) % static_cast<int>(held.size());
          const auto leaver = std::next(held.begin(), skipped);
          ends.let_go(leaver->first);
          held.erase(leaver);
        }
        if (step % rarely != 0) continue;
        const Time before = std::exchange(now, now + any(stream) % 8);
        std::int64_t late = 0;
        for (const auto& [slot, planned] : held) {
          late += rule.expected_end(planned, before) <= now ? 1 : 0;
        }
        CHECK(ends.any_by(now) == (late > 0));
        CHECK(ends.pass_over(now) == late);
        CHECK_FALSE(ends.any_by(now));
        missed += late;
        if (step % (3 * rarely) != 0) continue;
        std::map<std::uint32_t, Time> seen;
        Time last = 0;
        for (const auto slot : ends.first_ends(1000)) {
          CHECK(last <= ends[slot].end);
          last = ends[slot].end;
          CHECK(last == rule.expected_end(held.at(slot), now));
          seen[slot] = ends[slot].planned_end;
        }
        CHECK(seen == held);
        const auto few = ends.first_ends(3);
        CHECK(few.size() == std::min(std::size_t{3}, held.size()));
        CHECK((few.size() < 3 || ends[few[2]].end <= last));
      }
      CHECK((rarely > 40 || missed > 10));
    }
  }
}

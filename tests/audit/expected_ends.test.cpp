#include "engine/audit/expected_ends.hpp"

#include <doctest/doctest.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <map>

#include "engine/base/random_stream.hpp"

using namespace berth;         // NOLINT(google-build-using-namespace)
using namespace berth::audit;  // NOLINT(google-build-using-namespace)

TEST_SUITE("audit/releases") {
  TEST_CASE("where nobody holds anything nobody's end has come") {
    Releases releases;
    CHECK_FALSE(releases.any_by(1'000));
    CHECK(releases.in_order().empty());
    releases.let_go(releases.hold({5, 1}));
    CHECK_FALSE(releases.any_by(1'000));
    CHECK(releases.in_order().empty());
  }

  TEST_CASE("whoever holds is in order, however many come and go between two looks") {
    for (const int rarely : {1, 4, 40, 400}) {
      CAPTURE(rarely);
      auto stream = random_stream(7, "test.releases");
      boost::random::uniform_int_distribution<int> any(0, 999);
      Releases releases;
      std::map<std::uint32_t, Time> held;  // by slot
      for (int step = 0; step < 4'000; ++step) {
        const bool comes = held.empty() || any(stream) < (step < 2'000 ? 550 : 450);
        if (comes) {
          const Time end = any(stream);
          CHECK(held.emplace(releases.hold({end, 1 + any(stream)}), end).second);
        } else {
          const auto skipped = any(stream) % static_cast<int>(held.size());
          const auto leaver = std::next(held.begin(), skipped);
          releases.let_go(leaver->first);
          held.erase(leaver);
        }
        if (step % rarely != 0) continue;
        Time earliest = kNever;
        for (const auto& [slot, end] : held) earliest = std::min(earliest, end);
        const Time by = any(stream) / 100;
        CHECK(releases.any_by(by) == (earliest <= by));
        if (step % (3 * rarely) != 0) continue;
        std::map<std::uint32_t, Time> seen;
        Time before = 0;
        for (const auto slot : releases.in_order()) {
          CHECK(before <= releases[slot].planned_end);
          before = releases[slot].planned_end;
          seen[slot] = before;
        }
        CHECK(seen == held);
      }
    }
  }
}

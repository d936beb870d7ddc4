#include "engine/hosts/processor_map.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"

using namespace berth;

TEST_SUITE("hosts/processor_map") {
  TEST_CASE("the lowest are handed out across the border of two words") {
    ProcessorMap map(100);
    ProcessorMap::Share first;
    ProcessorMap::Share second;
    map.take_lowest(60, first);
    map.take_lowest(10, second);
    CHECK(ProcessorMap::intervals(first).text() == "0-59");
    CHECK(ProcessorMap::intervals(second).text() == "60-69");
    CHECK(map.idle() == 30);
    map.give(first);
    CHECK(map.idle_processors().text() == "0-59 70-99");
  }

  TEST_CASE("the highest are handed out from the last processor down") {
    ProcessorMap map(70);
    ProcessorMap::Share share;
    map.take_highest(8, share);
    CHECK(ProcessorMap::intervals(share).text() == "62-69");
    map.take_highest(3, share);
    CHECK(ProcessorMap::intervals(share).text() == "59-61");
  }

  TEST_CASE("what is named is removed, and only if it is idle") {
    ProcessorMap map(130);
    ProcessorMap::Share share;
    IntervalSet wanted(60, 70);
    wanted.insert(Interval{127, 129});
    map.remove(wanted, share);
    CHECK(ProcessorMap::intervals(share) == wanted);
    CHECK(map.idle_processors().text() == "0-59 71-126");
    CHECK_THROWS_AS(map.remove(IntervalSet(70, 71), share), Error);
  }

  TEST_CASE("more than are idle cannot be taken") {
    ProcessorMap map(64);
    ProcessorMap::Share share;
    CHECK_THROWS_AS(map.take_lowest(65, share), Error);
    CHECK(map.idle() == 64);
  }

  TEST_CASE("of a range its own are handed out, and added to the share") {
    for (const auto pick : {Pick::kLowest, Pick::kHighest}) {
      ProcessorMap map(200);
      ProcessorMap::Share other;
      map.remove(IntervalSet(62, 66), other);
      ProcessorMap::Share share;
      map.take_of({60, 130}, 5, pick, share);
      map.take_of({131, 140}, 10, pick, share);
      const bool is_lowest = pick == Pick::kLowest;
      CHECK(ProcessorMap::intervals(share).text() ==
            (is_lowest ? "60-61 67-69 131-140" : "126-140"));
      CHECK(map.idle() == 180);
      CHECK_THROWS_AS(map.take_of({131, 140}, 1, pick, share), Error);
    }
  }

  TEST_CASE("after any takes and gives it holds what a set of intervals holds") {
    auto engine = random_stream(1, "test.processor_map");
    for (const std::int32_t processors : {1, 63, 64, 65, 1000}) {
      CAPTURE(processors);
      struct Held {
        ProcessorMap::Share share;
        IntervalSet model;
      };
      ProcessorMap map(processors);
      IntervalSet idle(0, processors - 1);
      std::vector<Held> held;
      for (int step = 0; step < 2000; ++step) {
        if (idle.count() > 0 && (held.empty() || engine() % 2 == 0)) {
          const auto most = static_cast<std::uint64_t>(std::min<std::int64_t>(
              idle.count(), 1 + static_cast<std::int64_t>(engine() % 40)));
          const auto n = static_cast<std::int64_t>(1 + engine() % most);
          Held fresh;
          if (engine() % 2 == 0) {
            map.take_lowest(n, fresh.share);
            fresh.model = idle.take_lowest(n);
          } else {
            map.take_highest(n, fresh.share);
            fresh.model = idle.take_highest(n);
          }
          REQUIRE(ProcessorMap::intervals(fresh.share) == fresh.model);
          held.push_back(fresh);
        } else {
          const auto at = engine() % held.size();
          map.give(held[at].share);
          idle.insert(held[at].model);
          held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
        }
        REQUIRE(map.idle() == idle.count());
        if (step % 50 == 0) REQUIRE(map.idle_processors() == idle);
      }
    }
  }
}

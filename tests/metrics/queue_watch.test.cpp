#include "engine/metrics/queue_watch.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/random_stream.hpp"
#include "tests/support/builders.hpp"

namespace berth {

TEST_SUITE("metrics/queue_watch") {
  TEST_CASE("the backlog is size times length of the members") {
    QueueWatch queue;
    const Job wide = test::a_job(1, 0, 8, 50);
    const Job narrow = test::a_job(2, 0, 2, 30);
    queue.enter(wide);
    queue.enter(narrow);
    CHECK(queue.size() == 2);
    CHECK(queue.smallest() == 2);
    CHECK(static_cast<std::int64_t>(queue.backlog()) == seconds(400 + 60));
    queue.leave(narrow);
    CHECK(queue.smallest() == 8);
    CHECK(static_cast<std::int64_t>(queue.backlog()) == seconds(400));
  }
}

TEST_SUITE("metrics/waiting_sizes") {
  TEST_CASE("an empty queue has no smallest size") {
    WaitingSizes sizes;
    CHECK(sizes.smallest() == std::nullopt);
    sizes.add(4);
    sizes.remove(4);
    CHECK(sizes.smallest() == std::nullopt);
  }

  TEST_CASE("the smallest size stays until its last job is removed") {
    WaitingSizes sizes;
    for (const int size : {8, 2, 2, 5}) sizes.add(size);
    CHECK(sizes.smallest() == 2);
    sizes.remove(2);
    CHECK(sizes.smallest() == 2);
    sizes.remove(2);
    CHECK(sizes.smallest() == 5);
    sizes.add(1);
    CHECK(sizes.smallest() == 1);
  }

  TEST_CASE("a size not in the set cannot be removed") {
    WaitingSizes sizes;
    sizes.add(3);
    for (const int size : {2, 4, 64, 100'000}) {
      CHECK_THROWS_AS(sizes.remove(size), Error);
    }
  }

  TEST_CASE("the largest number is a size like any other") {
    constexpr auto kLargest = std::numeric_limits<std::int32_t>::max();
    WaitingSizes sizes;
    sizes.add(kLargest);
    CHECK(sizes.smallest() == kLargest);
    sizes.add(kLargest - 1);
    CHECK(sizes.smallest() == kLargest - 1);
    sizes.add(700);
    CHECK(sizes.smallest() == 700);
    sizes.remove(700);
    sizes.remove(kLargest - 1);
    CHECK(sizes.smallest() == kLargest);
    sizes.remove(kLargest);
    CHECK(sizes.smallest() == std::nullopt);
  }

  TEST_CASE("after any changes it agrees with a sorted set") {
    auto engine = random_stream(1, "test");
    WaitingSizes sizes;
    std::multiset<std::int32_t> plain;
    const auto draw = [&] {
      const double most = uniform(engine) < 0.7   ? 40
                          : uniform(engine) < 0.5 ? 900
                                                  : 3e4;
      return static_cast<std::int32_t>(1 + uniform(engine) * most);
    };
    for (int i = 0; i < 5000; ++i) {
      if (plain.empty() || uniform(engine) < 0.5) {
        const auto size = draw();
        sizes.add(size);
        plain.insert(size);
      } else {
        const auto at = plain.lower_bound(draw());
        const auto size = at == plain.end() ? *plain.begin() : *at;
        sizes.remove(size);
        plain.erase(plain.find(size));
      }
      REQUIRE(sizes.smallest().value_or(0) == (plain.empty() ? 0 : *plain.begin()));
    }
  }
}

}  // namespace berth

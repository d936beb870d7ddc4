#include "engine/output/background.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace berth {

TEST_SUITE("output/background") {
  TEST_CASE("pieces are done in the order in which they were posted") {
    Background background;
    std::vector<int> done;
    for (int i = 0; i < 1'000; ++i) background.post([&done, i] { done.push_back(i); });
    background.finish();
    REQUIRE(done.size() == 1'000);
    for (int i = 0; i < 1'000; ++i) REQUIRE(done[static_cast<std::size_t>(i)] == i);
  }

  TEST_CASE("after finish more pieces may come") {
    Background background;
    background.finish();
    int done = 0;
    background.post([&] { ++done; });
    background.finish();
    background.post([&] { ++done; });
    background.finish();
    CHECK(done == 2);
  }

  TEST_CASE("what a piece throws comes out, and the pieces behind it are not done") {
    Background background;
    std::atomic<int> done = 0;
    background.post([&] { ++done; });
    background.post([] { throw std::runtime_error("full"); });
    const auto post_many = [&] {
      for (int i = 0; i < 100; ++i) background.post([&] { done = 100; });
      background.finish();
    };
    CHECK_THROWS_WITH_AS(post_many(), "full", std::runtime_error);
    CHECK_THROWS_WITH_AS(background.finish(), "full", std::runtime_error);
    CHECK_THROWS_WITH_AS(background.post([] {}), "full", std::runtime_error);
    CHECK(done == 1);
  }

  TEST_CASE("whoever goes away early waits for the piece at work") {
    std::atomic<bool> has_begun = false;
    std::atomic<bool> is_done = false;
    {
      Background background;
      background.post([&] {
        has_begun = true;
        for (int i = 0; i < 1'000; ++i) std::this_thread::yield();
        is_done = true;
      });
      while (!has_begun) std::this_thread::yield();
    }
    CHECK(is_done);
  }
}

}  // namespace berth

#include "engine/output/writer_thread.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace berth {

TEST_SUITE("output/writer_thread") {
  TEST_CASE("tasks are done in the order in which they were posted") {
    WriterThread thread;
    std::vector<int> done;
    for (int i = 0; i < 1'000; ++i) thread.post([&done, i] { done.push_back(i); });
    thread.finish();
    REQUIRE(done.size() == 1'000);
    for (int i = 0; i < 1'000; ++i) REQUIRE(done[static_cast<std::size_t>(i)] == i);
  }

  TEST_CASE("after finish more tasks may come") {
    WriterThread thread;
    thread.finish();
    int done = 0;
    thread.post([&] { ++done; });
    thread.finish();
    thread.post([&] { ++done; });
    thread.finish();
    CHECK(done == 2);
  }

  TEST_CASE("what a task throws comes out, and the tasks behind it are not done") {
    WriterThread thread;
    std::atomic<int> done = 0;
    thread.post([&] { ++done; });
    thread.post([] { throw std::runtime_error("full"); });
    const auto post_many = [&] {
      for (int i = 0; i < 100; ++i) thread.post([&] { done = 100; });
      thread.finish();
    };
    CHECK_THROWS_WITH_AS(post_many(), "full", std::runtime_error);
    CHECK_THROWS_WITH_AS(thread.finish(), "full", std::runtime_error);
    CHECK_THROWS_WITH_AS(thread.post([] {}), "full", std::runtime_error);
    CHECK(done == 1);
  }

  TEST_CASE("destruction waits for the task at work") {
    std::atomic<bool> has_begun = false;
    std::atomic<bool> is_done = false;
    {
      WriterThread thread;
      thread.post([&] {
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

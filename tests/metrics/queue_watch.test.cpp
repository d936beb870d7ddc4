#include "engine/metrics/queue_watch.hpp"

#include <doctest/doctest.h>

#include "tests/support/builders.hpp"

namespace berth {

TEST_SUITE("metrics/queue_watch") {
  TEST_CASE("the backlog is size times length of the members") {
    QueueWatch queue;
    const Job wide = test::a_job(1, 0, 8, 50);
    const Job narrow = test::a_job(2, 0, 2, 30);
    queue.enter({0, JobId{0}}, wide);
    queue.enter({0, JobId{1}}, narrow);
    CHECK(queue.size() == 2);
    CHECK(queue.smallest() == 2);
    CHECK(static_cast<std::int64_t>(queue.backlog()) == seconds(400 + 60));
    queue.leave({0, JobId{1}}, narrow);
    CHECK(queue.smallest() == 8);
    CHECK(static_cast<std::int64_t>(queue.backlog()) == seconds(400));
  }

  TEST_CASE("the first is the one with the lowest key, then the lowest number") {
    QueueWatch queue;
    const Job job = test::a_job(1, 0, 1, 1);
    for (const std::uint32_t id : {2U, 0U, 1U}) queue.enter({5, JobId{id}}, job);
    CHECK(queue.first()->job == JobId{0});
    queue.move({5, JobId{2}}, 4);
    CHECK(queue.first()->job == JobId{2});
    CHECK(queue.size() == 3);
    queue.leave({4, JobId{2}}, job);
    CHECK(queue.first()->job == JobId{0});
  }

  TEST_CASE("an empty queue has no first") { CHECK_FALSE(QueueWatch().first()); }
}

}  // namespace berth
